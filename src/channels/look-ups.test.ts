import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asker, LookUps } from './look-ups.ts';

const never = new AbortController().signal;
const asker = (organizationId: string, kind: Asker['kind']): Asker => ({ organizationId, kind });

/** How many of so many get a place at once. */
async function entered(places: LookUps, count: number, askerOf: (nth: number) => Asker) {
  const held: Disposable[] = [];
  for (let nth = 0; nth < count; nth += 1)
    void places.enter(askerOf(nth), never).then((place) => held.push(place));
  await new Promise(setImmediate);
  return held;
}

test('one organisation gets its share, and webhooks leave places for pages', async () => {
  const places = new LookUps();
  assert.equal((await entered(places, 20, () => asker('a', 'webhook'))).length, 8);
  assert.equal((await entered(places, 20, () => asker('a', 'page'))).length, 8);
  assert.equal((await entered(places, 100, (nth) => asker(`w${nth}`, 'webhook'))).length, 40);
  assert.equal((await entered(places, 100, (nth) => asker(`p${nth}`, 'page'))).length, 8);
});

test('whoever waits enters when a place is left, once', async () => {
  const places = new LookUps();
  const [first] = await entered(places, 8, () => asker('a', 'page'));
  const waiting = await entered(places, 2, () => asker('a', 'page'));
  assert.equal(waiting.length, 0);
  first?.[Symbol.dispose]();
  first?.[Symbol.dispose]();
  await new Promise(setImmediate);
  assert.equal(waiting.length, 1);
});

test('whoever gives up waiting leaves the place to the next', async () => {
  const places = new LookUps();
  const [first] = await entered(places, 8, () => asker('a', 'page'));
  const giving = new AbortController();
  const given = places.enter(asker('a', 'page'), giving.signal);
  const next = places.enter(asker('a', 'page'), never);
  giving.abort(new Error('late'));
  await assert.rejects(given, /late/);
  first?.[Symbol.dispose]();
  assert.ok(await next);
  await assert.rejects(places.enter(asker('a', 'page'), giving.signal), /late/);
});
