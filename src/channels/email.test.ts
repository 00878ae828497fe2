import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { silentLog } from '../engine/log.ts';
import type { Delivery } from '../engine/sending/channel.ts';
import { sampleNotice } from '../notices/kinds/incident.ts';
import { sampleShiftNotice } from '../notices/kinds/shift.ts';
import { selfSigned } from '../terraform/protocol/certificate.ts';
import { createEmail, type EmailOptions } from './email.ts';

const now = Temporal.Instant.from('2026-11-21T06:00:00.042Z');
const notice = sampleNotice({ recipient: 'Ada Lovelace' });

function emailOver(change: Partial<EmailOptions>) {
  const clock = { now: () => now };
  const from = 'Pager <pager@example.com>';
  return createEmail({ from, mailDir: '/nowhere', log: silentLog, clock, ...change });
}

/** A real SMTP server that keeps what it takes. */
async function startSmtp(options: SMTPServerOptions = {}) {
  const received: { to: string[]; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, session, done) {
      const raw = (await stream.toArray()).join('');
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.server.address();
  assert.ok(address && typeof address === 'object');
  return {
    smtpUrl: `smtp://127.0.0.1:${address.port}`,
    received,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(closed));
    },
  };
}

function refusing(responseCode: number, message: string) {
  return Object.assign(new Error(message), { responseCode });
}

test('a notice arrives as a mail with its words, threading and marks', async () => {
  await using smtp = await startSmtp();
  await using email = emailOver({ smtpUrl: smtp.smtpUrl });
  const delivery = await email.send(notice, 'ada@example.com');
  assert.equal(delivery.outcome, 'delivered');
  const [received] = smtp.received;
  assert.deepEqual(received?.to, ['ada@example.com']);
  const mail = await PostalMime.parse(received?.raw ?? '');
  assert.equal(mail.subject, '[INC-42] Disk full on <db-1>');
  assert.deepEqual(mail.from, { name: 'Pager', address: 'pager@example.com' });
  assert.deepEqual(mail.to, [{ name: 'Ada Lovelace', address: 'ada@example.com' }]);
  assert.match(mail.messageId ?? '', /^<inc-65f000000000000000000042\.[0-9a-f]{16}@example\.com>$/);
  assert.equal(mail.references, '<inc-65f000000000000000000042@example.com>');
  assert.equal(mail.inReplyTo, '<inc-65f000000000000000000042@example.com>');
  assert.match(mail.text ?? '', /^Incident triggered/);
  assert.match(mail.html ?? '', /Disk full on &lt;db-1&gt;/);
  const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
  assert.equal(headers.get('auto-submitted'), 'auto-generated');
  assert.equal(headers.get('x-auto-response-suppress'), 'All');
  assert.equal(headers.get('x-pager-incident'), '65f000000000000000000042');
  assert.equal(headers.get('x-pager-notice'), notice.key);
});

test('many mails at once share a few connections', async () => {
  let open = 0;
  let most = 0;
  await using smtp = await startSmtp({
    onConnect: (_session, done) => {
      open += 1;
      most = Math.max(most, open);
      done();
    },
    onClose: () => {
      open -= 1;
    },
  });
  await using email = emailOver({ smtpUrl: smtp.smtpUrl });
  const sends = Array.from({ length: 40 }, () => email.send(notice, 'ada@example.com'));
  const outcomes = (await Promise.all(sends)).map(({ outcome }) => outcome);
  assert.deepEqual([...new Set(outcomes)], ['delivered']);
  assert.equal(smtp.received.length, 40);
  assert.ok(most <= 5, `${most} connections`);
});

test('a recipient refused for good fails with the code and the words of the server', async () => {
  await using smtp = await startSmtp({
    onRcptTo: (_address, _session, done) => done(refusing(550, '5.1.1 no mailbox here')),
  });
  await using email = emailOver({ smtpUrl: smtp.smtpUrl });
  const delivery = await email.send(notice, 'ada@example.com');
  assert.equal(delivery.outcome, 'failed');
  assert.match(JSON.stringify(delivery), /refused with 550.*5\.1\.1 no mailbox here/);
});

test('a recipient refused for now is tried again', async () => {
  await using smtp = await startSmtp({
    onRcptTo: (_address, _session, done) => done(refusing(451, '4.7.1 greylisted')),
  });
  await using email = emailOver({ smtpUrl: smtp.smtpUrl });
  const delivery = await email.send(notice, 'ada@example.com');
  assert.equal(delivery.outcome, 'no_answer');
  assert.match(JSON.stringify(delivery), /451.*greylisted/);
});

const summaryOf = (delivery: Delivery) => [
  delivery.outcome,
  'blame' in delivery ? delivery.blame : undefined,
];

for (const { code, outcome } of [
  { code: 554, outcome: 'failed' },
  { code: 452, outcome: 'no_answer' },
]) {
  test(`a message answered ${code} is ${outcome}`, async () => {
    await using smtp = await startSmtp({
      onData: (stream, _session, done) => {
        stream.resume().once('end', () => done(refusing(code, 'not this one')));
      },
    });
    await using email = emailOver({ smtpUrl: smtp.smtpUrl });
    assert.equal((await email.send(notice, 'ada@example.com')).outcome, outcome);
  });
}

test('a sign-in that the server refuses is tried again, for the operator can mend it', async () => {
  await using smtp = await startSmtp({
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(refusing(535, '5.7.8 wrong password')),
  });
  await using email = emailOver({ smtpUrl: smtp.smtpUrl.replace('//', '//user:wrong@') });
  const delivery = await email.send(notice, 'ada@example.com');
  assert.deepEqual(summaryOf(delivery), ['refused', 'connection']);
  assert.match(JSON.stringify(delivery), /the mail server refused the sign-in with 535/);
});

test('a server that cannot be reached is tried again, and why is told in words', async () => {
  await using email = emailOver({ smtpUrl: 'smtp://127.0.0.1:1' });
  const trouble = 'nothing listens at the address of the mail server (ECONNREFUSED)';
  assert.equal(
    await email.trouble(),
    `${trouble}: check the host and the port in PAGER_SMTP_URL, and that the mail server runs`,
  );
  assert.deepEqual(await email.send(notice, 'ada@example.com'), {
    outcome: 'no_answer',
    reason: `the e-mail was not accepted: ${trouble}`,
  });
  await using nowhere = emailOver({ smtpUrl: 'smtp://mail.invalid' });
  assert.equal(
    await nowhere.trouble(),
    'the name of the mail server is not known (EDNS): check the host in PAGER_SMTP_URL',
  );
});

test('what is no mail server, and one that speaks no TLS, is told in words', async () => {
  await using server = createServer((socket) => {
    socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  await using plain = emailOver({ smtpUrl: `smtp://127.0.0.1:${address.port}` });
  assert.match(
    (await plain.trouble()) ?? '',
    /^the program at .* is not a mail server \(EPROTOCOL\): check the host and the port in /,
  );
  await using secure = emailOver({ smtpUrl: `smtps://127.0.0.1:${address.port}` });
  assert.match(
    (await secure.trouble()) ?? '',
    /^the mail server does not use TLS on this port \(ERR_SSL_\w+\): use smtp:/,
  );
});

test('a server whose certificate is not trusted refuses, for the operator can mend it', async () => {
  await using smtp = await startSmtp({ secure: true });
  await using email = emailOver({ smtpUrl: smtp.smtpUrl.replace('smtp:', 'smtps:') });
  const delivery = await email.send(notice, 'ada@example.com');
  assert.deepEqual(summaryOf(delivery), ['refused', 'connection']);
  assert.match(JSON.stringify(delivery), /certificate/);
});

test('a server that takes mail is no trouble, and gets none for being asked', async () => {
  await using smtp = await startSmtp();
  await using email = emailOver({ smtpUrl: smtp.smtpUrl });
  assert.equal(await email.trouble(), null);
  assert.deepEqual(smtp.received, []);
});

test('a server that greets nobody, or stalls later, is given up in time', async () => {
  await using server = createServer((socket) => socket.resume().on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const smtpUrl = `smtp://127.0.0.1:${address.port}`;
  await using unmet = emailOver({ smtpUrl, connectTimeoutMs: 50 });
  assert.equal((await unmet.send(notice, 'ada@example.com')).outcome, 'no_answer');
  await using stalled = emailOver({ smtpUrl, totalTimeoutMs: 50 });
  assert.equal((await stalled.send(notice, 'ada@example.com')).outcome, 'no_answer');
});

test('only one plain address is written to', async () => {
  await using smtp = await startSmtp();
  await using email = emailOver({ smtpUrl: smtp.smtpUrl });
  for (const address of [
    'a@example.com, eve@example.com',
    'a@example.com\r\nBcc: eve@example.com',
    'Ada <a@example.com>',
    'nobody',
    '',
  ]) {
    assert.deepEqual(await email.send(notice, address), {
      outcome: 'failed',
      blame: 'contact',
      reason: 'not an e-mail address',
    });
  }
  assert.equal(smtp.received.length, 0);
});

test('a sender without an address is refused at the start', () => {
  assert.throws(() => emailOver({ from: 'Pager' }), /"Pager" must end in an e-mail address/);
});

test('without a mail server each mail is a file that only its owner reads, and reaches nobody', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'pager-mail-'));
  t.after(() => rm(folder, { recursive: true }));
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  const mailDir = join(folder, 'mail');
  await using email = emailOver({ mailDir, log });
  const second = { ...notice, key: 'another' };
  await email.send(notice, 'ada@example.com');
  const delivery = await email.send(second, 'ada@example.com');
  const files = await readdir(mailDir);
  assert.equal(files.length, 2);
  assert.ok(files.every((name) => /^20261121T060000\.042Z-INC-42-[0-9a-f]{16}\.eml$/.test(name)));
  const [file = ''] = files;
  const mail = await PostalMime.parse(await readFile(join(mailDir, file)));
  assert.equal(mail.subject, '[INC-42] Disk full on <db-1>');
  assert.equal((await stat(join(mailDir, file))).mode & 0o777, 0o600);
  assert.equal(warnings.length, 2);
  const { answer: written, ...outcome } = delivery;
  assert.deepEqual(warnings[1], { file: written, notice: 'another', setting: 'PAGER_SMTP_URL' });
  const reason = 'e-mail is not set up: the message was written to a file and reached nobody';
  assert.deepEqual(outcome, { outcome: 'failed', reason });
});

test('a folder that cannot be written to is tried again', async () => {
  await using email = emailOver({ mailDir: '/dev/null/mail' });
  const delivery = await email.send(notice, 'ada@example.com');
  assert.deepEqual(delivery, {
    outcome: 'no_answer',
    reason: 'the e-mail was not accepted: the mail folder is not writable (ENOTDIR)',
  });
});

/** What mails say of the mail server, and of all mails of their organization. */
function keeping(smtpUrl: string, more: Partial<EmailOptions> = {}) {
  const answers: string[] = [];
  const email = emailOver({
    smtpUrl,
    ...more,
    async answered({ organizationId, channel, service }, answer) {
      assert.deepEqual([channel, service], ['email', '']);
      const whose = organizationId === null ? 'server' : 'organization';
      answers.push(`${whose}: ${answer.kind === 'ok' ? 'ok' : `${answer.kind}: ${answer.reason}`}`);
    },
  });
  return { email, answers, send: () => email.send(notice, 'ada@example.com') };
}

const signInRefused: Partial<SMTPServerOptions> = {
  allowInsecureAuth: true,
  onAuth: (_auth, _session, done) => done(refusing(535, '5.7.8 wrong password')),
};

type Trouble = {
  readonly title: string;
  readonly options: () => SMTPServerOptions;
  readonly url?: (url: string) => string;
  readonly expected: RegExp;
};
const untrusted =
  /refusal: the certificate of the mail server is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): use a certificate of a public authority, or start Pager with NODE_EXTRA_CA_CERTS/;
const certificate = () => {
  const { key, pem } = selfSigned(Date.now());
  return { key, cert: pem };
};
const troubles: readonly Trouble[] = [
  {
    title: 'a certificate that is not trusted, from the first byte on',
    options: () => ({ ...certificate(), secure: true }),
    url: (url) => url.replace('smtp://127.0.0.1', 'smtps://localhost'),
    expected: untrusted,
  },
  {
    title: 'a certificate that is not trusted, after STARTTLS',
    options: () => ({ ...certificate(), disabledCommands: [] }),
    expected: untrusted,
  },
  {
    title: 'a wrong password',
    options: () => signInRefused,
    url: (url) => url.replace('//', '//user:wrong@'),
    expected:
      /refusal: the mail server refused the sign-in with 535: correct the user and the password in PAGER_SMTP_URL/,
  },
  {
    title: 'a server that is busy',
    options: () => ({
      onConnect: (_session, done) => done(refusing(421, '4.3.2 too busy')),
    }),
    expected: /outage: the mail server answered 421/,
  },
];
for (const { title, options, url = (same: string) => same, expected } of troubles)
  test(`a check and a mail find the same: ${title}`, async () => {
    await using smtp = await startSmtp(options());
    const { email: own, answers, send } = keeping(url(smtp.smtpUrl));
    await using email = own;
    const trouble = await email.trouble();
    const { outcome } = await send();
    assert.notEqual(outcome, 'delivered');
    assert.match(answers.join(), expected);
    assert.equal(answers.length, 1, 'it says nothing of mails alone');
    assert.ok(answers[0]?.endsWith(`: ${trouble}`), `${answers} ${trouble}`);
    assert.deepEqual(smtp.received, []);
  });

test('a mail server that takes the connection and then says nothing is an outage', async () => {
  await using server = createServer((socket) => socket.resume().on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const {
    email: own,
    answers,
    send,
  } = keeping(`smtp://127.0.0.1:${address.port}`, {
    connectTimeoutMs: 50,
  });
  await using email = own;
  assert.match(
    (await email.trouble()) ?? '',
    /^the mail server did not answer in time \(ETIMEDOUT\)/,
  );
  assert.equal((await send()).outcome, 'no_answer');
  assert.match(answers.join(), /^server: outage: the mail server did not answer in time/);
});

type Refusal = readonly [
  at: 'onMailFrom' | 'onRcptTo' | 'onData',
  code: number,
  text: string,
  answers: readonly string[],
];
const refusals: readonly Refusal[] = [
  ['onRcptTo', 550, '5.1.1 no mailbox here', ['server: ok']],
  ['onRcptTo', 450, '4.7.1 greylisted', ['server: ok']],
  [
    ...(['onRcptTo', 554, '5.7.1 <ada@example.com>: Relay access denied'] as const),
    [
      'server: ok',
      'organization: outage: the mail server refused a mail: 554 5.7.1 <…>: Relay access denied',
    ],
  ],
  [
    ...(['onData', 554, 'Message rejected: Email address is not verified.'] as const),
    [
      'server: ok',
      'organization: outage: the mail server refused a mail: 554 Message rejected: Email address is not verified.',
    ],
  ],
  ['onData', 452, 'not this one', ['server: ok']],
  [
    ...(['onMailFrom', 553, 'not your address'] as const),
    [
      'server: refusal: the mail server refused the sender with 553: set PAGER_MAIL_FROM to an address that the mail server lets Pager use',
    ],
  ],
  [
    ...(['onMailFrom', 530, 'Authentication required'] as const),
    [
      'server: refusal: the mail server requires a sign-in (530): correct the user and the password in PAGER_SMTP_URL',
    ],
  ],
  [
    ...(['onMailFrom', 451, 'later'] as const),
    ['server: outage: the mail server answered 451 (EENVELOPE)'],
  ],
];
for (const [at, code, text, expected] of refusals)
  test(`${at} answered ${code} ${text} says of it: ${expected.map((one) => one.slice(0, 20))}`, async () => {
    const error = refusing(code, text);
    const refuse: SMTPServerOptions =
      at === 'onData'
        ? {
            onData: (stream, _session, done) => void stream.resume().once('end', () => done(error)),
          }
        : {
            [at]: (_address: unknown, _session: unknown, done: (error: Error) => void) =>
              done(error),
          };
    await using smtp = await startSmtp(refuse);
    const { email: own, answers, send } = keeping(smtp.smtpUrl);
    await using _email = own;
    const { outcome } = await send();
    const isOfServer = expected[0]?.startsWith('server: refusal');
    if (isOfServer) assert.equal(outcome, 'refused');
    assert.deepEqual(answers, expected);
  });

test('a mail that is taken says that the mail server works, and takes mails of its organization', async () => {
  await using smtp = await startSmtp();
  const { email: own, answers, send } = keeping(smtp.smtpUrl);
  await using _email = own;
  await send();
  assert.deepEqual(answers, ['server: ok', 'organization: ok']);
});

const attempt = {
  handle: 'a'.repeat(62),
  earlier: [],
  thread: null,
  until: now,
  isWanted: async () => true,
};
const replyDomain = 'alerts.example.com';
const bounceDomain = replyDomain;

test('a mail server that knows no other sender gets the page from PAGER_MAIL_FROM', async () => {
  for (const refusing of ['onMailFrom', 'onRcptTo', 'onData'] as const) {
    const taken: string[] = [];
    const refusal = Object.assign(new Error('5.7.1 not your address'), { responseCode: 553 });
    await using smtp = await startSmtp({
      onMailFrom({ address }, _session, done) {
        done(refusing === 'onMailFrom' && address.startsWith('b+') ? refusal : null);
      },
      onRcptTo(_address, { envelope: { mailFrom } }, done) {
        const sender = mailFrom === false ? '' : mailFrom.address;
        done(refusing === 'onRcptTo' && sender.startsWith('b+') ? refusal : null);
      },
      onData(stream, { envelope: { mailFrom } }, done) {
        const sender = mailFrom === false ? '' : mailFrom.address;
        stream.resume().once('end', () => {
          if (sender.startsWith('b+')) return done(refusal);
          taken.push(sender);
          done();
        });
      },
    });
    await using email = emailOver({ smtpUrl: smtp.smtpUrl, replyDomain, bounceDomain });
    const { outcome } = await email.send(notice, 'ada@example.com', attempt);
    assert.equal(outcome, 'delivered');
    assert.deepEqual(taken, ['pager@example.com']);
  }
});

test('bounces go to the sender unless Pager is to receive them', async () => {
  const senders: unknown[] = [];
  for (const bounces of [{}, { bounceDomain }]) {
    await using smtp = await startSmtp({
      onData(stream, { envelope: { mailFrom } }, done) {
        senders.push(mailFrom === false ? '' : mailFrom.address);
        stream.resume().once('end', () => done());
      },
    });
    await using email = emailOver({ smtpUrl: smtp.smtpUrl, replyDomain, ...bounces });
    await email.send(notice, 'ada@example.com', attempt);
  }
  assert.deepEqual(senders, ['pager@example.com', `b+${attempt.handle}@${bounceDomain}`]);
});

test('only pages to those who may act have an address for replies', async () => {
  const all = [
    notice,
    sampleNotice({ readOnlyRole: 'viewer' }),
    sampleNotice({ kind: 'all_clear' }),
  ];
  const replies: unknown[] = [];
  for (const each of all) {
    await using smtp = await startSmtp();
    await using email = emailOver({ smtpUrl: smtp.smtpUrl, replyDomain });
    await email.send(each, 'ada@example.com', attempt);
    const { replyTo } = await PostalMime.parse(smtp.received[0]?.raw ?? '');
    replies.push(replyTo?.map(({ address }) => address));
  }
  assert.deepEqual(replies, [[`r+${attempt.handle}@${replyDomain}`], undefined, undefined]);
});

test('mail programs unsubscribe with one request where TLS protects it', async () => {
  const headersOf = async (unsubscribe?: string) => {
    await using smtp = await startSmtp();
    await using email = emailOver({ smtpUrl: smtp.smtpUrl });
    const change = unsubscribe === undefined ? {} : { unsubscribe };
    await email.send(sampleShiftNotice(change), 'ada@example.com');
    const { headers } = await PostalMime.parse(smtp.received[0]?.raw ?? '');
    return headers.filter(({ key }) => key.startsWith('list-')).map(({ value }) => value);
  };
  const one = 'List-Unsubscribe=One-Click';
  assert.deepEqual(await headersOf('https://p.example/u/1'), ['<https://p.example/u/1>', one]);
  assert.deepEqual(await headersOf('http://localhost/u/1'), ['<http://localhost/u/1>']);
  assert.deepEqual(await headersOf(), []);
});
