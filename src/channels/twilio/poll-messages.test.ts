import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import { startFakeTwilio } from '../../../test/vendors/twilio.ts';
import { twilioConnection } from '../../../test/vendors/twilio-customer.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { clientOf } from './client.ts';
import { listedNumberOf } from './connection.ts';
import { answerWritten, listInbound } from './poll-messages.ts';

const http = createVendorHttp();
const person = '+4915112345678';
const { signal } = new AbortController();

test('what people have written is listed page by page, as far back as it is wanted', async () => {
  let now = noon.subtract({ hours: 20 });
  await using fake = await startFakeTwilio(() => now);
  const client = clientOf({ baseUrl: fake.url, http }, twilioConnection(fake));
  await fake.text(person, 'yesterday');
  now = noon;
  const { smsPollPage, smsPollPages } = sendingLimits;
  const write = async (count: number) => {
    for (let nth = 0; nth < count; nth += 1) await fake.text(person, `${nth}`);
  };
  await write(smsPollPage + 1);
  await client.create('Messages', { To: person, From: fake.number, Body: 'ours' });
  const list = async (since: Temporal.Instant) => {
    const before = fake.requests.length;
    const listed = await listInbound(client, { to: fake.number, since, signal });
    assert.ok(listed.ok, JSON.stringify(listed));
    const pages = fake.requests.length - before;
    return { count: listed.result.length, pages, last: listed.result.at(-1) };
  };
  assert.deepEqual(await list(noon), {
    count: smsPollPage + 1,
    pages: 2,
    last: {
      sid: fake.received.at(-2)?.sid,
      from: person,
      to: fake.number,
      body: '0',
      createdAt: noon,
    },
  });
  const all = await list(noon.subtract({ hours: 24 }));
  assert.deepEqual([all.count, all.last?.body], [smsPollPage + 2, 'yesterday']);
  await write(smsPollPage * smsPollPages);
  const most = await list(noon);
  assert.deepEqual([most.count, most.pages], [smsPollPage * smsPollPages, smsPollPages]);
  fake.misbehave('GET /Messages.json', {
    type: 'refuse',
    status: 429,
    code: 20429,
    message: 'Too Many Requests',
  });
  assert.equal((await listInbound(client, { to: fake.number, since: noon, signal })).ok, false);
});

test('an answer goes in its turn, and to no number that may not be texted', async () => {
  await using fake = await startFakeTwilio();
  const connection = twilioConnection(fake);
  const client = clientOf({ baseUrl: fake.url, http }, connection);
  const answer = (to: string, isItsTurn = true) =>
    answerWritten(client, {
      connection,
      from: fake.number,
      to,
      reply: { text: 'Acknowledged: INC-1.' },
      turn: async () => isItsTurn,
    });
  assert.equal(await answer(person), null);
  assert.deepEqual(
    fake.messages.map(({ to, from, body }) => [to, from, body]),
    [[person, fake.number, 'Acknowledged: INC-1.']],
  );
  assert.match((await answer('+15005550001')) ?? '', /begins with no prefix/);
  assert.match((await answer(person, false)) ?? '', /too many messages are waiting/);
  await fake.text(person, 'STOP');
  assert.match((await answer(person)) ?? '', /sent STOP to this sender/);
  assert.equal(fake.messages.length, 1);
});

for (const [sender, number] of [
  [{ From: '+15005550006' }, '+15005550006'],
  [{ From: '12345' }, '12345'],
  [{ From: 'whatsapp:+15005550006' }, 'whatsapp:+15005550006'],
  [{ From: 'Pager' }, null],
  [{ MessagingServiceSid: `MG${'0'.repeat(32)}` }, null],
  [null, null],
] as const)
  test(`of ${JSON.stringify(sender)} ${number ?? 'nothing'} can be listed`, () =>
    assert.equal(listedNumberOf(sender), number));
