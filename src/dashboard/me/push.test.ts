import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contact } from '../people/queries.ts';
import { type PushHere, pushState } from './push.ts';

const here: PushHere = {
  ...{ isKnown: true, isInSafari: false },
  ...{ permission: 'granted', fingerprint: '1f3a5b7c' },
};
const contact = (change: Partial<Contact> = {}): Contact => ({
  ...{ id: 'c', channel: 'push-notification', address: 'Firefox on Linux · …1f3a5b7c' },
  ...{ verified: true, position: 1, reachability: 'proved', ...change },
});
const another = contact({ address: 'Chrome on Android · …00000000' });

const cases: readonly (readonly [
  title: string,
  here: PushHere,
  contacts: readonly Contact[],
  state: string,
])[] = [
  ['a browser without pushes', { ...here, isKnown: false }, [], 'unknown'],
  ['Safari of a phone', { ...here, isKnown: false, isInSafari: true }, [], 'home_screen'],
  ['an app on the home screen', { ...here, isInSafari: true }, [contact()], 'on'],
  ['a refusal', { ...here, permission: 'denied' }, [contact()], 'denied'],
  ['no subscription', { ...here, fingerprint: null }, [contact()], 'off'],
  ['no contact', here, [], 'off'],
  ['only another device', here, [another], 'off'],
  ['a contact that waits for its push', here, [contact({ verified: false })], 'sent'],
  ['a contact that is gone', here, [contact({ verified: false, state: 'gone' })], 'off'],
  ['a verified contact', here, [another, contact()], 'on'],
  ['another channel that ends alike', here, [contact({ channel: 'email' })], 'off'],
];
for (const [title, at, contacts, state] of cases)
  test(`${title}: push is ${state}`, () => assert.equal(pushState(at, contacts).state, state));
