// People reply to pages by e-mail: real mails to the real listener.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { anyDatabase } from '../database.ts';
import { absences } from '../returned-mails.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

const database = await anyDatabase();
const ada = 'ada@example.test';

async function start(stack: AsyncDisposableStack, domain = 'alerts.example.test') {
  const mail = stack.use(await startMailServer());
  const port = await freePort();
  const pager = stack.use(
    await startInProcess(database, {
      ...mailTo(mail),
      PAGER_EMAIL_LISTEN: `127.0.0.1:${port}`,
      PAGER_EMAIL_DOMAIN: domain,
      PAGER_EMAIL_BOUNCES: 'true',
    }),
  );
  const { api } = pager;
  const person = await api.create('users', {
    email: ada,
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  const [policy] = await api.list('escalation-policies');
  const steps = [{ targets: [{ via: 'email', user_id: person.id }] }];
  assert.equal((await api.send(`PATCH /escalation-policies/${policy.id}`, { steps })).status, 200);
  const trigger = async (title: string) => {
    const [integration] = await api.list('integrations');
    await postJson(integration.webhook_url, { title });
    const page = await mail.arrival(
      title,
      ({ to, subject }) => to === ada && subject.includes(title),
    );
    await pager.calm();
    return page;
  };
  const reply = (to: string | undefined, text: string, more: SendMailOptions = {}) =>
    send(port, { from: `Ada <${ada}>`, to, subject: 'Re: [INC-1] Disk full', text, ...more });
  const incident = async () => (await api.list('incidents'))[0];
  const timeline = async (): Promise<string[]> => {
    const { id } = await incident();
    const { body } = await api.send(`GET /incidents/${id}/timeline?limit=200`);
    return body.data.map(({ text }: { text: string }) => text);
  };
  return { mail, pager, port, person, trigger, reply, incident, timeline };
}

/** By a real client; the code and the words of the server's last answer. */
async function send(port: number, mail: SendMailOptions): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    return (await transport.sendMail(mail)).response;
  } catch (error) {
    assert.ok(error instanceof Error && 'response' in error, String(error));
    return String(error.response);
  } finally {
    transport.close();
  }
}

const replyTo = (page: { readonly headers: Readonly<Record<string, string>> }) =>
  page.headers['reply-to'] ?? '';

test('a reply acknowledges the incident of its page once, however often it is delivered', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, reply, incident, timeline, mail } = await start(stack);
  const page = await trigger('Disk full');
  assert.match(replyTo(page), /^r\+[0-9a-f]{62}@alerts\.example\.test$/);
  assert.match(page.sender, /^b\+[0-9a-f]{62}@alerts\.example\.test$/);
  assert.match(
    page.text,
    /reply with one word in the first line: acknowledge, resolve or escalate/,
  );
  const text = `Ack INC-1 - on it\n\nOn Mon, 2 Mar 2026 at 10:00, Pager <pager@example.test>\nwrote:\n> Resolve: http://x`;
  const messageId = '<1@example.test>';
  for (const _ of [1, 2])
    assert.match(await reply(replyTo(page).toUpperCase(), text, { messageId }), /^250/);
  assert.equal((await incident()).status, 'acknowledged');
  const acted = (await timeline()).filter((one) => /^Ada Example|on it/.test(one));
  assert.deepEqual(acted, ['Ada Example acknowledged, so nobody else is paged', 'on it']);
  assert.equal(mail.mails.length, 1, 'what was done is not answered');
});

test('any other reply is a note, without the quote and the signature', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, reply, incident, timeline } = await start(stack);
  const page = await trigger('Disk full');
  const html = `<p>The backup fills it.</p><p>Deleting old ones.</p><hr><p><b>From:</b> Pager<br><b>Sent:</b> Monday</p><p>Acknowledge: x</p>`;
  assert.match(await reply(replyTo(page), '', { html }), /^250/);
  assert.equal((await incident()).status, 'triggered');
  const notes = (await timeline()).filter((one) => one.includes('backup'));
  assert.deepEqual(notes, ['The backup fills it.\n\nDeleting old ones.']);
});

test('a forged sender and the address of somebody else’s page are refused and noted', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, reply, incident, timeline, mail } = await start(stack);
  const page = await trigger('Disk full');
  const refused = /^550 .*not sent from the address that was paged/;
  const from = 'Mallory <mallory@elsewhere.test>';
  assert.match(await reply(replyTo(page), 'resolve', { from }), refused);
  assert.match(await reply(replyTo(page), 'resolve', { from: 'owner@example.test' }), refused);
  const forged = replyTo(page).replace(/.(?=@)/, (digit) => (digit === '0' ? '1' : '0'));
  assert.match(await reply(forged, 'resolve'), /^550 No such address/);
  assert.equal((await incident()).status, 'triggered');
  const noted = (await timeline()).filter((one) => one.includes('was refused'));
  assert.deepEqual(noted, [
    'An unknown person by e-mail, m… elsewhere.test, tried to resolve and was refused',
    'An unknown person by e-mail, o… example.test, tried to resolve and was refused',
  ]);
  assert.equal(mail.mails.length, 1);
});

test('what a reply could not do is answered by an e-mail that no program answers', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, reply, mail, pager, person } = await start(stack);
  const page = await trigger('Disk full');
  const answered = (words: string) =>
    mail.arrival(words, ({ text, subject }) => subject.startsWith('About') && text.includes(words));
  await reply(replyTo(page), 'ack 7');
  await answered('you wrote INC-7, but replied to the page about INC-1');
  await reply(replyTo(page), '> Incident triggered\n\nack');
  await answered('no text above the quoted e-mail');
  await reply(replyTo(page), 'ack?');
  await answered('was added to INC-1 as a note, and nothing else was changed');
  await reply(replyTo(page), 'resolve');
  await reply(replyTo(page), 'resolve', { messageId: '<late@example.test>' });
  const late = await answered('Nothing was changed: INC-1 is already resolved');
  assert.equal(late.subject, 'About your reply: INC-1');
  assert.equal(late.sender, '');
  assert.equal(late.headers['auto-submitted'], 'auto-replied');
  assert.equal(late.headers['in-reply-to'], '<late@example.test>');
  assert.equal(late.headers['reply-to'], undefined);
  const change = await pager.api.send(`PATCH /users/${person.id}`, { role: 'viewer' });
  assert.equal(change.status, 200);
  await reply(replyTo(page), 'escalate');
  await answered('As a viewer you cannot act on incidents');
});

test('programs that reply to a page change nothing and get no answer', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, port, incident, timeline, mail } = await start(stack);
  const page = await trigger('Disk full');
  const before = await timeline();
  const to = replyTo(page);
  for (const [program, write] of Object.entries(absences)) {
    const envelope = { from: ada, to };
    assert.match(await send(port, { envelope, raw: write(to, ada) }), /^250/, program);
  }
  const bare = `From: <${ada}>\r\nTo: <${to}>\r\n\r\nresolve\r\n`;
  assert.match(await send(port, { envelope: { from: '', to }, raw: bare }), /^250/);
  assert.equal((await incident()).status, 'triggered');
  assert.deepEqual(await timeline(), before);
  assert.equal(mail.mails.length, 1);
});

test('two Pagers that mail each other do not answer each other', async () => {
  await using stack = new AsyncDisposableStack();
  const one = await start(stack);
  const other = await start(stack, 'other.example.test');
  const pages = [await one.trigger('Disk full'), await other.trigger('Disk full')] as const;
  // Each is sent what the other one sends, as if it came from the person who was paged.
  const relay = async (page: (typeof pages)[number], to: typeof one, at: string) => {
    const { headers, text, subject, sender } = page;
    const own = ['auto-submitted', 'x-pager-notice'].map((key) => ({
      key,
      value: headers[key] ?? '',
    }));
    const envelope = { from: sender, to: at };
    return send(to.port, { envelope, from: ada, to: at, subject, text, headers: own });
  };
  assert.match(await relay(pages[0], other, replyTo(pages[1])), /^250/);
  assert.match(await relay(pages[1], one, replyTo(pages[0])), /^250/);
  await one.reply(replyTo(pages[0]), 'ack 7');
  const answer = await one.mail.arrival('the answer', ({ subject }) => subject.startsWith('About'));
  assert.match(await relay(answer, other, replyTo(pages[1])), /^250/);
  for (const { incident, mail } of [one, other]) {
    assert.equal((await incident()).status, 'triggered');
    assert.ok(mail.mails.length <= 2);
  }
});

test('without a domain for mail, a page has no address for replies', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger } = await start(stack, 'localhost');
  const page = await trigger('Disk full');
  assert.equal(page.headers['reply-to'], undefined);
  assert.equal(page.sender, 'pager@example.test');
});

test('a reply is asked for again while the database is away', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, reply, pager, incident } = await start(stack);
  const page = await trigger('Disk full');
  await pager.sql`alter table attempts rename to attempts_away`;
  assert.match(await reply(replyTo(page), 'ack'), /^451/);
  await pager.sql`alter table attempts_away rename to attempts`;
  await eventually('it is received', async () => /^250/.test(await reply(replyTo(page), 'ack')));
  assert.equal((await incident()).status, 'acknowledged');
});
