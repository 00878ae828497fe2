import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitGuesses } from './guesses.ts';

/** Answers nothing until it is told to. */
function buildLookup() {
  let now = Temporal.Instant.from('2026-01-01T00:00:00Z');
  const asked: string[] = [];
  let open = Promise.withResolvers<void>();
  let atOnce = 0;
  let mostAtOnce = 0;
  const ask = async (secret: string) => {
    asked.push(secret);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await open.promise;
    atOnce -= 1;
    return secret.startsWith('right') ? secret : null;
  };
  return {
    look: limitGuesses(ask, { clock: { now: () => now } }),
    asked,
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
  const { look, asked, mostAtOnce, open, nextSecond } = buildLookup();
  const storm = guessesOf(500).map((guess) => look(guess, '192.0.2.1'));
  open();
  const answers = await Promise.all(storm);
  assert.equal(answers.filter((answer) => answer === 'too_many').length, 500 - asked.length);
  assert.ok(asked.length >= 20 && asked.length <= 21, `${asked.length}`);
  assert.equal(mostAtOnce(), 2);
  assert.equal(await look('right', '192.0.2.1'), 'too_many');
  assert.equal(await look('right', '192.0.2.2'), 'right', 'another address is not held up');
  nextSecond();
  assert.equal(await look('right too', '192.0.2.1'), 'right too');
});

test('what was right once is asked for whatever the address guesses', async () => {
  const { look, asked, open, close } = buildLookup();
  open();
  await look('right', '192.0.2.1');
  await Promise.all(guessesOf(30).map((guess) => look(guess, '192.0.2.1')));
  close();
  const storm = guessesOf(30).map((guess) => look(guess, '192.0.2.2'));
  const before = asked.length;
  const known = look('right', '192.0.2.1');
  assert.equal(asked.length, before + 1, 'it waits for nobody');
  open();
  assert.equal(await known, 'right');
  await Promise.all(storm);
});

test('strangers beyond a thousand in line are refused at once', async () => {
  const { look, open } = buildLookup();
  const line = Array.from({ length: 1_002 }, (_, each) => look('right', `192.0.2.1/${each}`));
  assert.equal(await look('right', '192.0.2.2'), 'too_many');
  open();
  assert.deepEqual(new Set(await Promise.all(line)), new Set(['right']));
});
