import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readPushAddress,
  readSubscription,
  readTopic,
  subscriptionAddress,
  topicAddress,
} from './push.ts';

const endpoint = 'https://push.example/send/abc';
const p256dh = 'B'.repeat(87);
const auth = 'a'.repeat(22);
const keys = { p256dh, auth };

test('of a subscription, what sending needs is read', () => {
  const written = { endpoint, expirationTime: null, keys: { ...keys, auth: `${auth}==` } };
  const read = readSubscription(subscriptionAddress(written));
  assert.deepEqual(read, { endpoint, keys: { p256dh, auth: `${auth}==` } });
});

const wrong: readonly (readonly [what: unknown, message: RegExp])[] = [
  [{ endpoint: 'http://push.example/send', keys }, /begins with https/],
  [{ endpoint: 'file:///etc/passwd', keys }, /begins with https/],
  [{ endpoint: 7, keys }, /begins with https/],
  [{ endpoint }, /keys\.p256dh, 65 bytes/],
  [{ endpoint, keys: { p256dh: p256dh.slice(1), auth } }, /65 bytes/],
  [{ endpoint, keys: { p256dh: `${p256dh.slice(1)}+`, auth } }, /65 bytes/],
  [{ endpoint, keys: { p256dh, auth: `${auth}a` } }, /keys\.auth, 16 bytes/],
  [null, /begins with https/],
  ['text', /begins with https/],
];
for (const [what, message] of wrong)
  test(`${JSON.stringify(what)} is no subscription`, () =>
    assert.match(String(readSubscription(`web:${JSON.stringify(what)}`)), message));

test('another address is told apart', () => {
  for (const address of ['', 'token', 'web:{', `ntfy:${endpoint}`])
    assert.equal(typeof readSubscription(address), 'string', address);
});

test('a topic is read as people write it, and as it is stored with its server', () => {
  const topic = 'pager-0123456789abcdef';
  assert.equal(readTopic(`ntfy:${topic}`), topic);
  for (const wrong of ['ntfy:alerts', `ntfy:${topic}/x`, `ntfy:${'a'.repeat(65)}`, topic])
    assert.equal(readTopic(wrong), null, wrong);
  const stored = { server: 'https://ntfy.example.com:8443', topic };
  assert.deepEqual(readPushAddress(topicAddress(stored)), stored);
  assert.deepEqual(readPushAddress(subscriptionAddress({ endpoint, keys })), { endpoint, keys });
});
