import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMisses, limitGuesses } from './guesses.ts';

/** Answers nothing until it is told to. */
function buildLookup() {
  let now = Temporal.Instant.from('2026-01-01T00:00:00Z');
  const secrets: string[] = [];
  let open = Promise.withResolvers<void>();
  let atOnce = 0;
  let mostAtOnce = 0;
  const find = async (secret: string) => {
    secrets.push(secret);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await open.promise;
    atOnce -= 1;
    return secret.startsWith('right') ? secret : null;
  };
  return {
    lookup: limitGuesses(find, { clock: { now: () => now } }),
    secrets,
    mostAtOnce: () => mostAtOnce,
    open: () => open.resolve(),
    close() {
      open = Promise.withResolvers();
    },
    nextSecond() {
      now = now.add({ seconds: 1 });
    },
  };
}

const guessesOf = (count: number) => Array.from({ length: count }, (_, each) => `wrong ${each}`);

test('a storm of guesses asks twenty times a second, two at once', async () => {
  const { lookup, secrets, mostAtOnce, open, nextSecond } = buildLookup();
  const storm = guessesOf(500).map((guess) => lookup(guess, '192.0.2.1'));
  open();
  const answers = await Promise.all(storm);
  assert.equal(answers.filter((answer) => answer === 'too_many').length, 500 - secrets.length);
  assert.ok(secrets.length >= 20 && secrets.length <= 21, `${secrets.length}`);
  assert.equal(mostAtOnce(), 2);
  assert.equal(await lookup('right', '192.0.2.1'), 'too_many');
  assert.equal(await lookup('right', '192.0.2.2'), 'right', 'another address is not held up');
  nextSecond();
  assert.equal(await lookup('right too', '192.0.2.1'), 'right too');
});

test('wrong secrets of two look-ups that share a count are counted together', async () => {
  const clock = { now: () => Temporal.Instant.from('2026-01-01T00:00:00Z') };
  const misses = createMisses(clock);
  const none = async () => null;
  const lookups = [limitGuesses(none, { clock, misses }), limitGuesses(none, { clock, misses })];
  for (const guess of guessesOf(10))
    for (const lookup of lookups) assert.equal(await lookup(guess, '192.0.2.1'), null);
  for (const lookup of lookups) assert.equal(await lookup('one more', '192.0.2.1'), 'too_many');
  assert.equal(await lookups[0]?.('one more', '192.0.2.2'), null);
});

test('what was right once is asked for whatever the address guesses', async () => {
  const { lookup, secrets, open, close } = buildLookup();
  open();
  await lookup('right', '192.0.2.1');
  await Promise.all(guessesOf(30).map((guess) => lookup(guess, '192.0.2.1')));
  close();
  const storm = guessesOf(30).map((guess) => lookup(guess, '192.0.2.2'));
  const before = secrets.length;
  const known = lookup('right', '192.0.2.1');
  assert.equal(secrets.length, before + 1, 'it waits for nobody');
  open();
  assert.equal(await known, 'right');
  await Promise.all(storm);
});

test('strangers beyond a thousand in line are refused at once', async () => {
  const { lookup, open } = buildLookup();
  const line = Array.from({ length: 1_002 }, (_, each) => lookup('right', `192.0.2.1/${each}`));
  assert.equal(await lookup('right', '192.0.2.2'), 'too_many');
  open();
  assert.deepEqual(new Set(await Promise.all(line)), new Set(['right']));
});

test('a secret that is right no longer is answered, and counts as a wrong one', async () => {
  const clock = { now: () => Temporal.Instant.from('2026-01-01T00:00:00Z') };
  let state = 'right';
  const isRight = (value: string) => value === 'right';
  const lookup = limitGuesses(async () => state, { clock, isRight, perSecond: 2 });
  for (let count = 1; count <= 3; count += 1) assert.equal(await lookup('it', 'a'), 'right');
  state = 'ended';
  for (let count = 1; count <= 2; count += 1) assert.equal(await lookup('it', 'a'), 'ended');
  assert.equal(await lookup('it', 'a'), 'too_many');
});
