import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { testPublished } from '../../../test/published.ts';
import { readTelegramUpdate, type TelegramInbound } from './read.ts';

const ada = { id: 42, is_bot: false, first_name: 'Ada', username: 'ada' };
const chat = { id: 42, type: 'private', first_name: 'Ada', username: 'ada' };
const group = { id: -163056465, type: 'group', title: 'Ops' };
const handle = 'a65f000000000000000000042AAAAAAAAAAAAAAAAAAAAAA';

const message = (members: object) => ({
  message: { message_id: 7, from: ada, chat, date: 1, ...members },
});
const press = (members: object) => ({
  callback_query: {
    id: '688111769854308995',
    from: ada,
    chat_instance: '1',
    data: handle,
    message: { message_id: 37, chat, date: 1 },
    ...members,
  },
});
const membership = (status: string, place: object = chat) => ({
  my_chat_member: {
    chat: place,
    from: ada,
    date: 1,
    old_chat_member: { status: 'member', user: ada },
    new_chat_member: { status, user: ada },
  },
});
const ignored = (why: string): TelegramInbound => ({ type: 'ignored', why });
const notPrivate = ignored('it is not from a person in their private chat with the bot');
const writtenAt = Temporal.Instant.fromEpochMilliseconds(1_000);
const text = (words: string): TelegramInbound => ({
  type: 'text',
  text: words,
  chatId: '42',
  messageId: 7,
  writtenAt,
  senderName: 'Ada',
});

const cases: readonly (readonly [what: string, update: object, TelegramInbound])[] = [
  [
    'the link with a code is a start',
    message({ text: '/start aB3_-x' }),
    { type: 'start', code: 'aB3_-x', chatId: '42', username: 'ada' },
  ],
  [
    'a start may name the bot, and its person may have no name',
    message({ text: '/start@pager_bot c0de ', from: { id: 42, is_bot: false } }),
    { type: 'start', code: 'c0de', chatId: '42' },
  ],
  ['a start without a code is a text', message({ text: '/start' }), text('/start')],
  ['a start with words is a text', message({ text: '/start a b' }), text('/start a b')],
  [
    'what databases cannot store is left out of a text',
    message({ text: ' ack\u0000 \ud800 42\u202e' }),
    text('ack \ufffd 42'),
  ],
  [
    'a reply names its message',
    message({ text: 'on it', reply_to_message: { message_id: 5, date: 1, chat } }),
    {
      type: 'text',
      text: 'on it',
      chatId: '42',
      messageId: 7,
      replyToMessageId: 5,
      writtenAt,
      senderName: 'Ada',
    },
  ],
  [
    'a time that no calendar has is left out',
    message({ text: 'ack', date: Number.MAX_SAFE_INTEGER }),
    { type: 'text', text: 'ack', chatId: '42', messageId: 7, senderName: 'Ada' },
  ],
  [
    'a press has its handle and what it is answered by',
    press({}),
    {
      type: 'press',
      handle,
      callbackId: '688111769854308995',
      chatId: '42',
      messageId: 37,
      senderName: 'Ada',
    },
  ],
  [
    'a press has the whole name of its person, on one line',
    press({ from: { id: 42, is_bot: false, first_name: 'Ada\n', last_name: 'Byron' } }),
    {
      type: 'press',
      handle,
      callbackId: '688111769854308995',
      chatId: '42',
      messageId: 37,
      senderName: 'Ada Byron',
    },
  ],
  [
    'the message of a press may be too old to be shown',
    press({ message: { message_id: 37, chat, date: 0 } }),
    {
      type: 'press',
      handle,
      callbackId: '688111769854308995',
      chatId: '42',
      messageId: 37,
      senderName: 'Ada',
    },
  ],
  [
    'a press in a group is ignored',
    press({ message: { message_id: 37, chat: group } }),
    notPrivate,
  ],
  [
    'a press by another person than the chat’s is ignored',
    press({ from: { ...ada, id: 43 } }),
    notPrivate,
  ],
  [
    'a press of a message that was sent inline is ignored',
    press({ message: undefined, inline_message_id: 'x' }),
    notPrivate,
  ],
  [
    'a button of a game is ignored',
    press({ data: undefined }),
    ignored('its button carries nothing'),
  ],
  [
    'a handle is no longer than 64 bytes',
    press({ data: 'é'.repeat(33) }),
    ignored('its button carries nothing'),
  ],
  ['a start in a group is ignored', message({ text: '/start c0de', chat: group }), notPrivate],
  [
    'a bot is ignored',
    message({ text: '/start c0de', from: { ...ada, is_bot: true } }),
    notPrivate,
  ],
  [
    'a chat that is not private is ignored, whatever its id',
    message({ text: '/start c0de', chat: { ...chat, type: 'channel' } }),
    notPrivate,
  ],
  ['a picture is ignored', message({ photo: [] }), ignored('it is a message without text')],
  ['one who blocks the bot', membership('kicked'), { type: 'blocked', chatId: '42' }],
  ['one who lets it write again', membership('member'), { type: 'restored', chatId: '42' }],
  ['a group that removes the bot', membership('kicked', group), notPrivate],
  ['a poll is ignored', { poll: {} }, ignored('it is of a kind that is not used')],
];

for (const [what, update, inbound] of cases) {
  test(`${what} (${inbound.type})`, () => {
    assert.deepEqual(readTelegramUpdate({ update_id: 913527394, ...update }), {
      updateId: 913527394,
      inbound,
    });
  });
}

test('what has no id is no update', () => {
  for (const update of [null, 7, [], {}, { update_id: '1' }, message({ text: 'x' })])
    assert.deepEqual(readTelegramUpdate(update), {
      updateId: null,
      inbound: ignored('it has no update_id'),
    });
});

const parts = fc.constantFrom(
  ...['update_id', 'message', 'callback_query', 'my_chat_member', 'chat', 'from', 'id', 'type'],
  ...[
    'is_bot',
    'text',
    'data',
    'message_id',
    'new_chat_member',
    'status',
    'reply_to_message',
    'date',
  ],
);
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(0, 1, 42, -1, 0.5, true, false, null, 'private', 'member', '/start x'),
    fc.jsonValue({ maxDepth: 1 }),
    fc.dictionary(parts, tie('value'), { maxKeys: 8 }),
  ),
})).value;

test('any JSON is read, and only a person in a private chat is heard', () => {
  fc.assert(
    fc.property(anything, anything, (inside, outside) => {
      for (const update of [outside, { update_id: 1, message: inside, callback_query: outside }]) {
        const { updateId, inbound } = readTelegramUpdate(update);
        assert.ok(updateId === null || Number.isSafeInteger(updateId));
        assert.ok(inbound.type === 'ignored' || /^-?\d+$/.test(inbound.chatId));
      }
    }),
    { numRuns: 2_000 },
  );
});

testPublished(
  'payloads/_vendor-callbacks/telegram/other-1.json',
  'the sample of Telegram, a press in a group, is ignored',
  (sample) => {
    assert.deepEqual(readTelegramUpdate(JSON.parse(readFileSync(sample, 'utf8'))), {
      updateId: 913527394,
      inbound: notPrivate,
    });
  },
);
