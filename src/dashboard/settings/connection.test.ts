import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountOf,
  bodyOf,
  type Connection,
  draftOf,
  healthOf,
  isAwaited,
  ownContactOf,
  sentenceOf,
} from './connection.ts';

const connection: Connection = {
  ...{ id: '665f1f77bcf86cd799439011', version: 3, name: 'Bot', vendor: 'telegram' },
  ...{ channels: ['telegram'], position: 2, enabled: true, secrets: {} },
  health: { state: 'unchecked' },
};
const failing = { state: 'failing', reason: 'Telegram: the bot token is not valid' } as const;

test('what is switched off is not failing, and is not waited for', () => {
  const off = { ...connection, enabled: false };
  assert.equal(healthOf({ ...off, health: failing }).type, 'off');
  assert.equal(isAwaited([off]), false);
});

test('a fresh connection is waited for until its vendor has answered', () => {
  const answered = { ...connection, health: { state: 'ok' } } as const;
  assert.equal(isAwaited([answered, connection]), true);
  assert.equal(isAwaited([answered, { ...connection, health: failing }]), false);
  assert.equal(isAwaited([]), false);
});

test('a failing one gives its reason as a sentence', () => {
  assert.deepEqual(healthOf({ ...connection, health: failing }), {
    ...{ type: 'failing', text: 'Telegram: the bot token is not valid.' },
  });
  assert.match(healthOf({ ...connection, health: { state: 'failing' } }).text, /\.$/);
});

test('a sentence ends once, and shows what would hide in it', () => {
  assert.equal(sentenceOf('It answers.'), 'It answers.');
  assert.equal(sentenceOf(' no answer '), 'no answer.');
  assert.equal(sentenceOf('a\u202eb'), 'a[U+202E]b.');
});

test('a form sends what was read, and null for an empty position', () => {
  assert.deepEqual(bodyOf(draftOf(connection)), { name: 'Bot', enabled: true, position: 2 });
  assert.equal(bodyOf({ ...draftOf(connection), position: ' ' }).position, null);
});

test('a bot is named as people type it, once it is known', () => {
  assert.equal(accountOf(connection), undefined);
  assert.equal(accountOf({ ...connection, account: 'pager_bot' }), '@pager_bot');
});

test('a test message goes only to a verified contact that the connection serves', () => {
  const mail = { id: '1', channel: 'email', address: 'a@b.test', verified: true };
  const chat = { id: '2', channel: 'telegram', address: '4711', verified: false };
  assert.equal(ownContactOf(connection, [mail, chat]), undefined);
  assert.equal(ownContactOf(connection, [mail, { ...chat, verified: true }])?.id, '2');
});
