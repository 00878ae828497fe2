import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkedChats, linkedSince } from './linked.ts';

const chat = { id: '1', channel: 'telegram', address: '4711', verified: true };
const lost = { ...chat, id: '2', address: '4712', verified: false };
const phone = { id: '4', channel: 'whatsapp', address: '+4915112345678', verified: true };
const mail = { id: '3', channel: 'email', address: 'a@b.test', verified: true };

test('a chat is linked once it is verified', () => {
  assert.deepEqual(linkedChats([mail, lost, chat, phone], 'telegram'), [chat]);
});

test('a new chat is noticed, and one that comes back', () => {
  assert.equal(linkedSince([mail], [mail, chat], 'telegram')?.id, '1');
  assert.equal(linkedSince([chat, lost], [chat, { ...lost, verified: true }], 'telegram')?.id, '2');
});

test('what was linked before, or is of another channel, is not new', () => {
  assert.equal(linkedSince([chat], [chat, mail, lost, phone], 'telegram'), undefined);
});
