import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  type FakeSmtp,
  smtpCertificate,
  startFakeSmtp,
  startSilentServer,
} from '../../../test/vendors/smtp.ts';
import { systemClock } from '../../engine/clock.ts';
import { silentLog } from '../../engine/log.ts';
import type { Attempt } from '../../engine/sending/channel.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { smtp as declaration } from '../../resources/connections/smtp.ts';
import { createOutbound } from '../outbound.ts';
import type { Connection } from '../vendor.ts';
import { createMailByConnection, type SmtpParts } from './channel.ts';
import { checkMailServer } from './check.ts';

const notice = sampleNotice({ recipient: 'Ada Lovelace' });
const to = 'ada@example.com';
const loopback = ['127.0.0.0/8', '::1/128'];

let server: FakeSmtp;
let trusted: string[];
before(async () => {
  server = await startFakeSmtp();
  trusted = getCACertificates();
  setDefaultCACertificates([...trusted, smtpCertificate]);
});
after(async () => {
  setDefaultCACertificates(trusted);
  await server[Symbol.asyncDispose]();
});

type Change = {
  readonly id?: string;
  readonly settings?: object;
  readonly secrets?: Readonly<Record<string, string>>;
};

const connectionTo = (
  { port }: { readonly port: number },
  { id = 'c1', settings = {}, secrets = { password: 'correct horse' } }: Change = {},
): Connection => ({
  organization_id: notice.organization.id,
  id,
  name: `server ${id}`,
  vendor: declaration.vendor,
  settings: {
    host: 'localhost',
    port,
    security: 'starttls',
    username: 'pager',
    from_email: 'Pager <pager@example.com>',
    ...settings,
  },
  secrets,
});

type World = {
  readonly allowNetworks?: readonly string[];
  readonly times?: SmtpParts['times'];
  readonly mailReturns?: SmtpParts['mailReturns'];
};

function mailing(
  connections: Connection[],
  { mailReturns = {}, times = {}, ...options }: World = {},
) {
  const answers: string[] = [];
  const outbound = createOutbound({ allowNetworks: loopback, log: silentLog, ...options });
  const channel = createMailByConnection({
    outbound,
    log: silentLog,
    times,
    mailReturns,
    connectionsOf: async () => connections,
    inTurn: async (all) => all,
    async answered({ id }, answer) {
      answers.push(`${id} ${answer.kind}${answer.kind === 'ok' ? '' : `: ${answer.reason}`}`);
    },
  });
  const check = (address: string | null = null) => {
    const [connection = assert.fail()] = connections;
    const contact = address === null ? null : { channel: 'email', address };
    return checkMailServer({ outbound, clock: systemClock, times }, connection, contact);
  };
  return {
    answers,
    check,
    send: (attempt?: Attempt) => channel.send(notice, to, attempt),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}

/** What a check says in one line. */
async function resultOf(checked: ReturnType<typeof checkMailServer>): Promise<string> {
  const { checks } = await checked;
  return checks.map(({ name, ok, message }) => `${name} ${ok}: ${message}`).join('\n');
}

test('a mail leaves encrypted, signed in, from the sender of the connection', async () => {
  await using mail = mailing([connectionTo(server)]);
  const delivery = await mail.send();
  assert.ok(delivery.outcome === 'delivered', JSON.stringify(delivery));
  assert.match(delivery.answer ?? '', /^250 /);
  assert.deepEqual(delivery.counted, { connectionId: 'c1' });
  const last = server.taken.at(-1) ?? assert.fail('no mail');
  assert.deepEqual(
    [last.to, last.sender, last.user, last.isEncrypted, last.mail.from],
    [to, 'pager@example.com', 'pager', true, { address: 'pager@example.com', name: 'Pager' }],
  );
  assert.match(last.mail.messageId ?? '', /@example\.com>$/);
  assert.deepEqual(mail.answers, ['c1 ok']);
});

test('replies and bounces of a page come to Pager, and the sender stays that of the connection', async () => {
  const mailReturns = { replyDomain: 'alerts.example', bounceDomain: 'alerts.example' };
  await using mail = mailing([connectionTo(server)], { mailReturns });
  const attempt: Attempt = {
    handle: 'a'.repeat(62),
    earlier: [],
    thread: null,
    until: systemClock.now().add({ seconds: 60 }),
    isWanted: async () => true,
  };
  assert.equal((await mail.send(attempt)).outcome, 'delivered');
  const { sender, mail: sent } = server.taken.at(-1) ?? assert.fail('no mail');
  assert.match(sender, /^b\+.+@alerts\.example$/);
  assert.match(sent.replyTo?.[0]?.address ?? '', /@alerts\.example$/);
  assert.equal(sent.from?.address, 'pager@example.com');
});

test('the next mail uses the same SMTP connection, until the connection is changed', async () => {
  const connections = [connectionTo(server)];
  await using mail = mailing(connections);
  await mail.send();
  const before = server.connections;
  await mail.send();
  assert.equal(server.connections, before, 'it was kept');
  connections[0] = connectionTo(server, { settings: { from_email: 'oncall@example.com' } });
  await mail.send();
  assert.equal(server.connections, before + 1);
  assert.equal(server.taken.at(-1)?.mail.from?.address, 'oncall@example.com');
});

test('a password that is refused is for an admin to mend, and the mail waits for that', async () => {
  await using mail = mailing([connectionTo(server, { secrets: { password: 'wrong' } })]);
  const reason =
    'the mail server refused the sign-in with 535: correct the user name and the password of the connection';
  assert.deepEqual(await mail.send(), {
    outcome: 'refused',
    blame: 'connection',
    reason: 'the e-mail was not accepted: the mail server refused the sign-in with 535',
    answer: '535 5.7.8 authentication failed',
  });
  assert.deepEqual(mail.answers, [`c1 refusal: ${reason}`]);
  assert.equal(await resultOf(mail.check()), `server false: ${reason}`);
});

test('a check says that the server answers, and sends a message if it is asked to', async () => {
  await using mail = mailing([connectionTo(server)]);
  const before = server.taken.length;
  assert.equal(
    await resultOf(mail.check()),
    'server true: localhost answers and accepts the sign-in.',
  );
  assert.equal(server.taken.length, before);
  const expected = `message true: The mail server accepted a message to ${to}.`;
  assert.match(await resultOf(mail.check(to)), new RegExp(`\n${expected}$`));
  assert.equal(server.taken.at(-1)?.mail.subject, 'Test message from Pager');
  server.refusal = { at: 'MAIL FROM', text: '553 5.7.1 not your address' };
  assert.match(
    await resultOf(mail.check(to)),
    /message false: the mail server refused the sender with 553: set the sender of the connection to an address/,
  );
  server.refusal = null;
});

test('an address on a private network is not called unless the operator allows it', async () => {
  const refused = { allowNetworks: [] };
  await using mail = mailing([connectionTo(server)], refused);
  const before = server.connections;
  assert.match(
    await resultOf(mail.check()),
    /^server false: the address of the mail server is not public \(EADDRESSREFUSED\): .* PAGER_ALLOW_NETWORKS$/,
  );
  const delivery = await mail.send();
  assert.equal(delivery.outcome, 'refused');
  assert.doesNotMatch(JSON.stringify(delivery), /127\.0|::1/);
  await using literal = mailing(
    [connectionTo(server, { settings: { host: '127.0.0.1' } })],
    refused,
  );
  assert.match(await resultOf(literal.check()), /is not public/);
  assert.equal(server.connections, before);
});

test('a server that is down, has no name or is silent is told in words, in bounded time', async () => {
  await using down = mailing([connectionTo({ port: 1 })]);
  assert.match(
    await resultOf(down.check()),
    /^server false: nothing listens at the address of the mail server \(ECONNREFUSED\): check the host and the port of the connection, and that the mail server runs$/,
  );
  assert.equal((await down.send()).outcome, 'no_answer');
  assert.match(down.answers[0] ?? '', /^c1 outage: nothing listens/);
  await using nameless = mailing([
    connectionTo({ port: 25 }, { settings: { host: 'mail.invalid' } }),
  ]);
  assert.match(
    await resultOf(nameless.check()),
    /^server false: the name of the mail server is not known \(EDNS\): check the host of the connection$/,
  );
  assert.equal((await nameless.send()).outcome, 'no_answer');
  const inTime = /^server false: the mail server did not answer in time \(ETIMEDOUT\): check/;
  await using silent = await startSilentServer();
  await using unmet = mailing([connectionTo(silent)], { times: { connectTimeoutMs: 50 } });
  assert.match(await resultOf(unmet.check()), inTime);
  assert.equal((await unmet.send()).outcome, 'no_answer');
  await using mute = await startSilentServer('220 localhost ESMTP\r\n');
  await using unheard = mailing([connectionTo(mute)], {
    times: { verifyTimeoutMs: 50, totalTimeoutMs: 50 },
  });
  assert.match(await resultOf(unheard.check()), inTime);
  const late = await unheard.send();
  assert.deepEqual(
    [late.outcome, unheard.answers.map((one) => one.slice(0, 40))],
    ['no_answer', ['c1 outage: the mail server did not answe']],
  );
});

test('what the server does not offer is refused, and nothing leaves unencrypted', async () => {
  await using plain = await startFakeSmtp({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
  });
  await using insecure = mailing([connectionTo(plain)]);
  assert.match(
    await resultOf(insecure.check()),
    /^server false: the mail server refused STARTTLS with 5\d\d: set security to tls/,
  );
  assert.equal((await insecure.send()).outcome, 'refused');
  await using wrongPort = mailing([connectionTo(plain, { settings: { security: 'tls' } })]);
  assert.match(
    await resultOf(wrongPort.check()),
    /^server false: the mail server does not use TLS on this port \(ERR_SSL_\w+\): set security to starttls, or use the port/,
  );
  await using chosen = mailing([connectionTo(plain, { settings: { security: 'none' } })]);
  assert.equal((await chosen.send()).outcome, 'delivered');
  assert.equal(plain.taken.length, 1);
  // One that asks for no sign-in would else get the mail, and whoever set it up believe it signs in.
  await using open = await startFakeSmtp({ disabledCommands: ['AUTH'] });
  await using unsigned = mailing([connectionTo(open)]);
  assert.match(
    await resultOf(unsigned.check()),
    /^server false: the mail server refused the sign-in/,
  );
  const { username: _, ...settings } = connectionTo(open).settings;
  await using without = mailing([{ ...connectionTo(open), settings, secrets: {} }]);
  assert.equal(await resultOf(without.check()), 'server true: localhost answers.');
  assert.equal((await without.send()).outcome, 'delivered');
});

test('TLS from the beginning works, and a certificate that is not trusted is told', async () => {
  await using tls = await startFakeSmtp({ secure: true });
  const settings = { security: 'tls' };
  setDefaultCACertificates(trusted);
  await using untrusted = mailing([connectionTo(tls, { settings })]);
  assert.match(
    await resultOf(untrusted.check()),
    /the certificate of the mail server is not trusted/,
  );
  setDefaultCACertificates([...trusted, smtpCertificate]);
  await using mail = mailing([connectionTo(tls, { settings })]);
  assert.equal((await mail.send()).outcome, 'delivered');
  assert.equal(tls.taken[0]?.isEncrypted, true);
});

test('a server that fails leaves the mail to the next one, and a recipient it refuses does not', async () => {
  const second = connectionTo(server, { id: 'c2' });
  await using mail = mailing([connectionTo({ port: 1 }), second]);
  const delivery = await mail.send();
  assert.ok(delivery.outcome === 'delivered');
  assert.deepEqual(delivery.counted, { connectionId: 'c2' });
  const kinds = (answers: readonly string[]) => answers.map((one) => one.split(':')[0]);
  assert.deepEqual(kinds(mail.answers), ['c1 outage', 'c2 ok']);
  await using both = mailing([connectionTo(server), second]);
  server.refusal = { at: 'RCPT TO', text: '550 5.1.1 no such user' };
  const unknown = await both.send();
  assert.deepEqual([unknown.outcome, both.answers], ['failed', ['c1 ok']]);
  // By a rule of its own, such as that it relays nothing, one refuses what another takes.
  server.refusal = { at: 'RCPT TO', text: '550 5.7.1 relaying denied' };
  assert.equal((await both.send()).outcome, 'failed');
  assert.deepEqual(kinds(both.answers.slice(1)), ['c1 outage', 'c2 outage']);
  server.refusal = null;
});

test('without a connection that can be used, nothing is sent', async () => {
  await using mail = mailing([]);
  const { outcome, ...rest } = await mail.send();
  assert.equal(outcome, 'failed');
  assert.match(JSON.stringify(rest), /no mail server can be used/);
});
