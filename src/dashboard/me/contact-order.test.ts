import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countBeside, inOrder, isUsedFirst } from './contact-order.ts';

type Contact = Parameters<typeof countBeside>[1];

const contact = (
  id: string,
  channel: Contact['channel'],
  position: number,
  verified = true,
): Contact => ({ id, channel, position, verified });

const contacts = [
  contact('mail', 'email', 1),
  contact('second', 'sms', 2),
  contact('laptop', 'push-notification', 1),
  contact('first', 'sms', 1, false),
  contact('third', 'sms', 3),
  contact('phone', 'push-notification', 2),
];
const named = (id: string) => contacts.find((one) => one.id === id) ?? contact(id, 'sms', 9);

test('contacts are listed by channel, and in the order in which they are used', () => {
  assert.deepEqual(
    inOrder(contacts).map(({ id }) => id),
    ['first', 'second', 'third', 'mail', 'laptop', 'phone'],
  );
});

test('of several on one channel, the first that is verified is used', () => {
  assert.deepEqual(
    contacts.filter((one) => isUsedFirst(contacts, one)).map(({ id }) => id),
    ['second'],
  );
});

test('the only one on its channel has no order, nor have pushes', () => {
  assert.deepEqual(
    ['mail', 'first', 'laptop'].map((id) => countBeside(contacts, named(id))),
    [1, 3, 1],
  );
});
