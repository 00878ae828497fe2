import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeTelegram, startFakeTelegram } from '../../../test/vendors/telegram.ts';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { TelegramMessage } from '../../notices/telegram.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createTelegramClient, type TelegramFailure, type TelegramResult } from './client.ts';
import { readTelegramUpdate } from './read.ts';

const { request } = createVendorHttp();
const clientOf = (fake: FakeTelegram, token = fake.token) =>
  createTelegramClient({ baseUrl: fake.url, token, request });

const page: TelegramMessage = {
  text: '<b>INC-42</b> &lt;db-1&gt;',
  parse_mode: 'HTML',
  link_preview_options: { is_disabled: true },
  reply_markup: { inline_keyboard: [[{ text: 'Acknowledge', callback_data: 'a-handle' }]] },
};

function resultOf<Result>(answer: TelegramResult<Result>): Result {
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.result;
}

function failureOf(answer: TelegramResult<unknown>): TelegramFailure {
  assert.ok(!answer.ok, JSON.stringify(answer));
  return answer.failure;
}

const refused = (error_code: number, description: string) => ({
  type: 'refused',
  status: error_code,
  error_code,
  description,
});

test('a message is sent, pressed, answered and edited', async () => {
  await using fake = await startFakeTelegram();
  const client = clientOf(fake);
  assert.deepEqual(resultOf(await client.getMe()), fake.bot);
  fake.start('42', 'c0de');
  const sent = resultOf(await client.sendMessage('42', page));
  const [message] = fake.messages;
  assert.deepEqual(sent, { chatId: '42', messageId: message?.messageId });
  assert.equal(message?.text, 'INC-42 <db-1>');
  assert.deepEqual(message.entities, [{ type: 'bold', offset: 0, length: 6 }]);

  const callbackId = fake.press(sent.messageId, 'Acknowledge');
  const updates = resultOf(await client.getUpdates({ offset: 0, timeoutSeconds: 50 }));
  const inbound = updates.map((update) => readTelegramUpdate(update).inbound);
  assert.deepEqual(inbound, [
    { type: 'start', code: 'c0de', chatId: '42', username: 'user_42' },
    {
      type: 'press',
      handle: 'a-handle',
      callbackId,
      chatId: '42',
      messageId: sent.messageId,
      senderName: 'Ada',
    },
  ]);
  const text = 'ä'.repeat(300);
  resultOf(await client.answerCallbackQuery(callbackId, { text, isAlert: true }));
  assert.deepEqual(fake.answers.get(callbackId), { text: `${'ä'.repeat(199)}…`, isAlert: true });
  assert.deepEqual(
    failureOf(await client.answerCallbackQuery(callbackId, {})),
    refused(
      400,
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
    ),
  );

  const { reply_markup: _buttons, ...edited } = page;
  resultOf(await client.editMessageText(sent, edited));
  assert.deepEqual(message.buttons, []);
  assert.equal(message.edits, 1);
});

test('an edit that changes nothing is done', async () => {
  await using fake = await startFakeTelegram();
  const client = clientOf(fake);
  fake.start('42');
  const sent = resultOf(await client.sendMessage('42', page));
  assert.equal(resultOf(await client.editMessageText(sent, page)), true);
  assert.equal(fake.messages[0]?.edits, 0);
});

test('updates are waited for, and removed by the offset after them', async () => {
  const noon = Temporal.Instant.from('2026-11-24T12:00:00Z');
  await using fake = await startFakeTelegram(() => noon);
  const waits: (number | undefined)[] = [];
  const client = createTelegramClient({
    baseUrl: fake.url,
    token: fake.token,
    request(one) {
      waits.push(one.waitMs);
      return request(one);
    },
  });
  fake.start('42');
  const [first] = resultOf(await client.getUpdates({ offset: 0, timeoutSeconds: 50 }));
  const { updateId } = readTelegramUpdate(first);
  assert.ok(updateId);
  const waiting = client.getUpdates({ offset: updateId + 1, timeoutSeconds: 50 });
  await fake.polled();
  assert.deepEqual(fake.pending, []);
  fake.write('42', 'ack 42');
  const [second] = resultOf(await waiting);
  assert.deepEqual(readTelegramUpdate(second), {
    updateId: updateId + 1,
    inbound: {
      type: 'text',
      text: 'ack 42',
      chatId: '42',
      messageId: 2,
      writtenAt: noon,
      senderName: 'Ada',
    },
  });
  assert.equal(fake.pending.length, 1);
  assert.deepEqual(waits, [50_000, 50_000]);
});

test('no more updates are read at once than an answer may hold', async () => {
  await using fake = await startFakeTelegram();
  fake.start('42');
  for (let count = 0; count < 30; count++) fake.write('42', '\u0001'.repeat(4_096));
  const updates = resultOf(await clientOf(fake).getUpdates({ offset: 0, timeoutSeconds: 50 }));
  assert.equal(updates.length, sendingLimits.telegramUpdates);
});

test('a poll that is aborted ends', async () => {
  await using fake = await startFakeTelegram();
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = clientOf(fake).getUpdates({ offset: 0, timeoutSeconds: 50, signal });
  await fake.polled();
  controller.abort();
  assert.deepEqual(failureOf(await waiting), {
    type: 'no_answer',
    reason: 'the connection failed (ABORT_ERR)',
    maybeExecuted: true,
  });
});

test('of two pollers the one that waits is refused, and so is one beside a webhook', async () => {
  await using fake = await startFakeTelegram();
  const client = clientOf(fake);
  const poll = () => client.getUpdates({ offset: 0, timeoutSeconds: 50 });
  const first = poll();
  await fake.polled();
  const second = poll();
  assert.deepEqual(
    failureOf(await first),
    refused(
      409,
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    ),
  );
  fake.setWebhook('https://example.com/');
  assert.deepEqual(
    failureOf(await second),
    refused(409, 'Conflict: terminated by setWebhook request'),
  );
  assert.match(JSON.stringify(await poll()), /409.*while webhook is active/);
  resultOf(await client.deleteWebhook());
  fake.start('42');
  assert.equal(resultOf(await poll()).length, 1);
});

test('a refusal has its code, its words and how long to wait', async () => {
  await using fake = await startFakeTelegram();
  const client = clientOf(fake);
  assert.deepEqual(
    failureOf(await client.sendMessage('42', page)),
    refused(400, 'Bad Request: chat not found'),
  );
  fake.start('42');
  fake.misbehave('sendMessage', { type: 'too_many', retryAfter: 7 });
  assert.deepEqual(failureOf(await client.sendMessage('42', page)), {
    ...refused(429, 'Too Many Requests: retry after 7'),
    retry_after: 7,
  });
  fake.misbehave('sendMessage', {
    type: 'refuse',
    code: 400,
    description: 'Bad Request: group chat was upgraded',
    parameters: { migrate_to_chat_id: -1_001_234_567_890 },
  });
  assert.deepEqual(failureOf(await client.sendMessage('42', page)), {
    ...refused(400, 'Bad Request: group chat was upgraded'),
    migrate_to_chat_id: '-1001234567890',
  });
  fake.block('42');
  assert.deepEqual(
    failureOf(await client.sendMessage('42', page)),
    refused(403, 'Forbidden: bot was blocked by the user'),
  );
  fake.unblock('42');
  fake.misbehave('sendMessage', { type: 'broken' });
  assert.deepEqual(
    failureOf(await client.sendMessage('42', page)),
    refused(500, 'Internal Server Error'),
  );
  fake.revokeToken();
  assert.deepEqual(failureOf(await client.sendMessage('42', page)), refused(401, 'Unauthorized'));
  assert.equal(fake.messages.length, 0);
});

test('a message without an answer may have been sent', async () => {
  await using fake = await startFakeTelegram();
  fake.start('42');
  const impatient = createTelegramClient({
    baseUrl: fake.url,
    token: fake.token,
    request: createVendorHttp({ totalTimeoutMs: 500 }).request,
  });
  for (const [type, client, messages] of [
    ['hang', impatient, 0],
    ['reset', clientOf(fake), 0],
    ['answer_lost', clientOf(fake), 1],
  ] as const) {
    fake.misbehave('sendMessage', { type });
    const failure = failureOf(await client.sendMessage('42', page));
    assert.ok(failure.type === 'no_answer' && failure.maybeExecuted, JSON.stringify(failure));
    assert.equal(fake.messages.length, messages, type);
  }
});

test('the token is in no result, whatever answers repeat', async () => {
  await using fake = await startFakeTelegram();
  const secret = fake.token.split(':')[1] ?? '';
  fake.misbehave('getMe', {
    type: 'refuse',
    code: 404,
    description: `Not Found: /bot${fake.token}/getMe`,
  });
  const answers = [
    await clientOf(fake).getMe(),
    await clientOf(fake, `${fake.token}/../x`).getMe(),
    await createTelegramClient({ baseUrl: 'http://[', token: fake.token, request }).getMe(),
  ];
  for (const answer of answers) assert.ok(!JSON.stringify(answer).includes(secret));
  assert.deepEqual(
    failureOf(answers[0] ?? assert.fail()),
    refused(404, 'Not Found: /bot264434259:…/getMe'),
  );
});

for (const [status, body] of [
  [502, '<html>Bad Gateway</html>'],
  [200, '{"ok":true,"result":{"message_id":"1"}}'],
  [200, '[]'],
  [403, '{"error":"blocked by the proxy"}'],
] as const)
  test(`an answer of something else is no refusal: ${status} ${body}`, async () => {
    await using server = await startWebhookServer((_, response) => {
      response.statusCode = status;
      response.end(body);
    });
    const client = createTelegramClient({ baseUrl: server.url, token: '1:x', request });
    assert.deepEqual(failureOf(await client.sendMessage('42', page)), {
      type: 'no_answer',
      reason: `answered ${status} in a form that is not the Bot API’s`,
      maybeExecuted: true,
    });
  });
