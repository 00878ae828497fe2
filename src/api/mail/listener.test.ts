import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, known, other, send, startListener, unknown } from '../../../test/mail-client.ts';
import type { MailListenerOptions, MailOutcome, ReceivedMail } from './listener.ts';

test('a mail to a known address is received with its text', async () => {
  await using listener = await startListener();
  const to = `${known.toUpperCase()}@ALERTS.test`;
  const headers = { 'X-Netdata-Host': 'web' };
  assert.equal(await send(listener, { to, subject: 'Disk füll', text: 'on db1', headers }), 250);
  const [received] = listener.received;
  assert.equal(received?.token, known);
  assert.equal(received?.ours, false);
  assert.equal(received?.mail?.subject, 'Disk füll');
  assert.equal(received?.mail?.from, 'tool@monitor.test');
  assert.equal(received?.mail?.text.trim(), 'on db1');
  assert.equal(received?.mail?.headers['x-netdata-host'], 'web');
  assert.match(Buffer.from(received?.raw ?? []).toString(), /^Subject:/m);
});

test('a mail is kept without the tokens that it was sent to', async () => {
  await using listener = await startListener();
  const to = [at(known), at(other.toUpperCase())];
  const text = `This was sent to ${at(known)}.`;
  assert.equal(await send(listener, { to, subject: 'Disk füll', text }), 250);
  for (const { raw, mail } of listener.received) {
    const stored = Buffer.from(raw).toString();
    assert.match(stored, /^To: \*\*\*@alerts\.test,\s+\*\*\*@alerts\.test/m);
    for (const token of [known, other]) assert.ok(!stored.toLowerCase().includes(token), stored);
    assert.equal(mail?.text.trim(), 'This was sent to ***@alerts.test.');
    assert.equal(mail?.subject, 'Disk füll');
  }
});

test('an encoded mail is read without the token that it was sent to', async () => {
  await using listener = await startListener();
  const mail = { to: at(known), subject: 'x', text: `Sent to ${at(known)}` };
  assert.equal(await send(listener, { ...mail, textEncoding: 'base64' }), 250);
  assert.equal(listener.received[0]?.mail?.text.trim(), 'Sent to ***@alerts.test');
});

test('an HTML mail is received as text', async () => {
  await using listener = await startListener();
  const html = '<style>p{}</style><p>Disk &gt; 90&nbsp;%</p><p>on db1</p>';
  assert.equal(await send(listener, { to: at(known), subject: 'x', html }), 250);
  assert.equal(listener.received[0]?.mail?.text, 'Disk > 90 %\n\non db1');
});

test('addresses that are not ours are refused', async () => {
  await using listener = await startListener();
  const addresses = [at(unknown), 'postmaster@alerts.test', `${known}@other.test`, `${known}@test`];
  for (const to of addresses)
    assert.equal(await send(listener, { to, subject: 'x', text: 'x' }), 550, to);
  assert.deepEqual(listener.received, []);
});

test('a mail to several addresses is received once for each that is known', async () => {
  await using listener = await startListener();
  const to = [at(known), at(other), at(known.toUpperCase()), at(unknown)];
  assert.equal(await send(listener, { to, subject: 'x', text: 'x' }), 250);
  assert.deepEqual(listener.received.map(({ token }) => token).sort(), [known, other]);
});

test('250 is said only when the mail is durable', async () => {
  const outcome = Promise.withResolvers<MailOutcome>();
  const lookupStarted = Promise.withResolvers<void>();
  const receive = () => {
    lookupStarted.resolve();
    return outcome.promise;
  };
  await using listener = await startListener({ receive });
  let answered = false;
  const sending = send(listener, { to: at(known), subject: 'x', text: 'x' }).finally(() => {
    answered = true;
  });
  await lookupStarted.promise;
  await new Promise(setImmediate);
  assert.equal(answered, false);
  outcome.resolve('stored');
  assert.equal(await sending, 250);
});

test('what cannot be kept now is asked for again, what never can be is refused', async () => {
  const down = () => Promise.reject(new Error('the database is away'));
  const cases: { options: Partial<MailListenerOptions>; want: number }[] = [
    { options: { receive: down }, want: 451 },
    { options: { find: down }, want: 451 },
    { options: { receive: async () => 'busy' }, want: 451 },
    { options: { receive: async () => 'gone' }, want: 550 },
  ];
  for (const { options, want } of cases) {
    await using listener = await startListener(options);
    assert.equal(await send(listener, { to: at(known), subject: 'x', text: 'x' }), want);
  }
});

test('one address that fails does not keep the mail from the others', async () => {
  const accepted: string[] = [];
  const receive = async ({ token }: ReceivedMail): Promise<MailOutcome> => {
    if (token === known) throw new Error('away');
    accepted.push(token);
    return 'stored';
  };
  await using listener = await startListener({ receive });
  const to = [at(known), at(other)];
  assert.equal(await send(listener, { to, subject: 'x', text: 'x' }), 451);
  assert.deepEqual(accepted, [other]);
});

test('mail that Pager sent is passed on as such', async () => {
  await using listener = await startListener();
  const headers = { 'X-Pager-Notice': 'incident' };
  assert.equal(await send(listener, { to: at(known), subject: 'x', text: 'x', headers }), 250);
  assert.equal(listener.received[0]?.ours, true);
});
