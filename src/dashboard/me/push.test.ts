import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contact } from '../people/queries.ts';
import { inTime, type NotSubscribed, type PushHere, pushState } from './push.ts';

const here: PushHere = {
  isKnown: true,
  isInSafari: false,
  permission: 'granted',
  fingerprint: '1f3a5b7c',
};
const contact = (change: Partial<Contact> = {}): Contact => ({
  id: 'c',
  channel: 'push-notification',
  address: 'Firefox on Linux · …1f3a5b7c',
  verified: true,
  position: 1,
  reachability: 'proved',
  ...change,
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

/** A browser that answers when the test says so, and the end of the time to wait for it. */
function slowBrowser() {
  const requests: PromiseWithResolvers<PushSubscription | NotSubscribed>[] = [];
  const times: PromiseWithResolvers<null>[] = [];
  const subscribe = inTime(() => {
    times.push(Promise.withResolvers());
    return times.at(-1)?.promise ?? assert.fail();
  });
  return {
    requests,
    request: (key = 'k') =>
      subscribe(key, () => {
        requests.push(Promise.withResolvers());
        return requests.at(-1)?.promise ?? assert.fail();
      }),
    timeUp: () => times.at(-1)?.resolve(null),
  };
}
const subscription = (endpoint: string) => ({ endpoint }) as PushSubscription;

test('a browser that does not subscribe in time is refused; what comes late is for the next press', async () => {
  const { requests, request, timeUp } = slowBrowser();
  const first = request();
  timeUp();
  assert.equal(await first, 'refused');
  const second = request();
  timeUp();
  assert.equal(await second, 'refused', 'the same question is still open');
  requests[0]?.resolve(subscription('late'));
  assert.deepEqual(await request(), subscription('late'));
  assert.equal(requests.length, 1);
  const next = request();
  requests[1]?.resolve(subscription('next'));
  assert.deepEqual(await next, subscription('next'), 'each is used once');
});

test('neither a late failure nor a subscription for another key answers the next press', async () => {
  const { requests, request, timeUp } = slowBrowser();
  for (const end of [
    () => requests.at(-1)?.resolve('refused'),
    () => requests.at(-1)?.resolve('no_worker'),
    () => requests.at(-1)?.reject(new Error('no answer')),
    () => requests.at(-1)?.resolve(subscription('old')),
  ]) {
    const slow = request('old key');
    timeUp();
    assert.equal(await slow, 'refused');
    end();
    await Promise.resolve();
  }
  const next = request('new key');
  requests.at(-1)?.resolve(subscription('new'));
  assert.deepEqual(await next, subscription('new'));
  assert.equal(requests.length, 5);
});
