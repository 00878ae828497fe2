import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LookupSlots, type Requester } from './lookup-slots.ts';

const never = new AbortController().signal;
const requester = (organizationId: string, kind: Requester['kind']): Requester => ({
  organizationId,
  kind,
});

/** How many of so many get a place at once. */
async function entered(slots: LookupSlots, count: number, requesterOf: (nth: number) => Requester) {
  const occupied: Disposable[] = [];
  for (let nth = 0; nth < count; nth += 1)
    void slots.enter(requesterOf(nth), never).then((slot) => occupied.push(slot));
  await new Promise(setImmediate);
  return occupied;
}

test('one organisation gets its share, and webhooks leave places for pages', async () => {
  const slots = new LookupSlots();
  assert.equal((await entered(slots, 20, () => requester('a', 'webhook'))).length, 8);
  assert.equal((await entered(slots, 20, () => requester('a', 'page'))).length, 8);
  assert.equal((await entered(slots, 100, (nth) => requester(`w${nth}`, 'webhook'))).length, 40);
  assert.equal((await entered(slots, 100, (nth) => requester(`p${nth}`, 'page'))).length, 8);
});

test('whoever waits enters when a place is left, once', async () => {
  const slots = new LookupSlots();
  const [first] = await entered(slots, 8, () => requester('a', 'page'));
  const waiting = await entered(slots, 2, () => requester('a', 'page'));
  assert.equal(waiting.length, 0);
  first?.[Symbol.dispose]();
  first?.[Symbol.dispose]();
  await new Promise(setImmediate);
  assert.equal(waiting.length, 1);
});

test('whoever gives up waiting leaves the place to the next', async () => {
  const slots = new LookupSlots();
  const [first] = await entered(slots, 8, () => requester('a', 'page'));
  const abandoning = new AbortController();
  const abandoned = slots.enter(requester('a', 'page'), abandoning.signal);
  const next = slots.enter(requester('a', 'page'), never);
  abandoning.abort(new Error('late'));
  await assert.rejects(abandoned, /late/);
  first?.[Symbol.dispose]();
  assert.ok(await next);
  await assert.rejects(slots.enter(requester('a', 'page'), abandoning.signal), /late/);
});
