import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FakeTelegram,
  type Misbehaviour,
  startFakeTelegram,
} from '../../../test/vendors/telegram.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createTelegramClient } from './client.ts';
import { editOnTelegram, sendToTelegram, type TelegramDelivery } from './send.ts';

const notice = sampleNotice();
const handleFor = (verb: string) => `handle-${verb}`;
const { request } = createVendorHttp();
const clientOf = ({ url, token }: FakeTelegram) =>
  createTelegramClient({ baseUrl: url, token, request });

const blameOf = (delivery: TelegramDelivery) =>
  delivery.outcome === 'failed' ? delivery.fault.blame : delivery.outcome;

test('a page is delivered, and edited once it is acknowledged', async () => {
  await using fake = await startFakeTelegram();
  const client = clientOf(fake);
  fake.start('42');
  const delivery = await sendToTelegram(client, '42', notice, handleFor);
  assert.ok(delivery.outcome === 'delivered');
  const [message] = fake.messages;
  assert.deepEqual(delivery.sent, { chatId: '42', messageId: message?.messageId });
  assert.match(message?.text ?? '', /^Incident triggered\nINC-42 Disk full on <db-1>\n/);
  assert.deepEqual(
    message?.buttons.flat().map(({ text }) => text),
    ['Acknowledge', 'Resolve', 'Escalate'],
  );

  const taken = {
    action: 'Acknowledged',
    by: 'Ada',
    at: Temporal.Instant.from('2026-11-21T03:12:00Z'),
  };
  const story = sampleNotice({ taken }, { status: 'acknowledged' });
  const edit = await editOnTelegram(client, delivery.sent, story, handleFor);
  assert.equal(edit.outcome, 'delivered');
  assert.match(message.text, /^Acknowledged by Ada, 03:12 UTC\n\nIncident triggered\n/);
  assert.deepEqual(
    message.buttons.flat().map(({ text }) => text),
    ['Resolve'],
  );
  const again = await editOnTelegram(client, delivery.sent, story, handleFor);
  assert.equal(again.outcome, 'delivered');
  assert.equal(message.edits, 1);
});

test('a message whose markup is refused is sent once more without', async () => {
  await using fake = await startFakeTelegram();
  const client = clientOf(fake);
  fake.start('42');
  const refusal: Misbehaviour = {
    type: 'refuse',
    code: 400,
    description: `Bad Request: can't parse entities: Unsupported start tag "b"`,
  };
  fake.misbehave('sendMessage', refusal);
  const delivery = await sendToTelegram(client, '42', notice, handleFor);
  assert.ok(delivery.outcome === 'delivered');
  assert.deepEqual(
    fake.calls.map(({ parameters }) => parameters['parse_mode']),
    ['HTML', undefined],
  );
  assert.equal(fake.messages.length, 1);
  assert.deepEqual(fake.messages[0]?.entities, []);

  fake.misbehave('editMessageText', refusal);
  const resolved = sampleNotice({}, { status: 'resolved' });
  assert.equal(blameOf(await editOnTelegram(client, delivery.sent, resolved)), 'delivered');
  assert.deepEqual(fake.messages[0]?.buttons, []);

  fake.misbehave('sendMessage', refusal);
  fake.misbehave('sendMessage', refusal);
  assert.equal(blameOf(await sendToTelegram(client, '42', notice)), 'message');
});

test('a message follows its chat to a new id, which is answered', async () => {
  await using fake = await startFakeTelegram();
  const client = clientOf(fake);
  fake.start('42');
  const moved = (to: number) =>
    fake.misbehave('sendMessage', {
      type: 'refuse',
      code: 400,
      description: 'Bad Request: group chat was upgraded',
      parameters: { migrate_to_chat_id: to },
    });
  moved(42);
  const delivery = await sendToTelegram(client, '-41', notice);
  assert.ok(delivery.outcome === 'delivered');
  assert.equal(delivery.sent.chatId, '42');

  moved(43);
  const failed = await sendToTelegram(client, '-41', notice);
  assert.ok(failed.outcome === 'failed');
  assert.equal(failed.fault.moved_to, '43');
  assert.equal(failed.fault.contactState, 'gone');
});

test('what cannot be delivered has a fault, and is sent only once', async () => {
  await using fake = await startFakeTelegram();
  const client = clientOf(fake);
  const send = async () => blameOf(await sendToTelegram(client, '42', notice, handleFor));
  assert.equal(await send(), 'contact');
  fake.start('42');
  fake.misbehave('sendMessage', { type: 'too_many', retryAfter: 3 });
  assert.equal(await send(), 'later');
  fake.misbehave('sendMessage', { type: 'answer_lost' });
  assert.equal(await send(), 'later');
  assert.equal(fake.messages.length, 1);
  fake.block('42');
  assert.equal(await send(), 'contact');
  fake.unblock('42');
  fake.deleteAccount('42');
  assert.equal(await send(), 'contact');
  assert.equal(fake.calls.length, 5);
  fake.revokeToken();
  assert.equal(await send(), 'connection');
});

test('a message that is no longer there cannot be edited', async () => {
  await using fake = await startFakeTelegram();
  fake.start('42');
  const edit = await editOnTelegram(clientOf(fake), { chatId: '42', messageId: 7 }, notice);
  assert.equal(blameOf(edit), 'gone');
  assert.equal(fake.calls.length, 1);
});
