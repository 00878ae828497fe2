import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeEffects } from './change-effects.ts';
import { Waves } from './waves.ts';

/** Waves that report the names of the changes, on a clock of their own. */
function start() {
  let due: (() => void) | null = null;
  let waits = 0;
  const delay = (_ms: number, then: () => void) => {
    waits += 1;
    due = then;
    return () => {
      due = null;
    };
  };
  const waves = new Waves<string>((changes) => changes.map(({ name }) => name), delay);
  const reports: string[][] = [];
  const plan = (effects: ChangeEffects | null, { isReplaced = false, isChange = true } = {}) => {
    let isAnswered = false;
    const answer = waves
      .during(() => waves.reportOf(effects, { isChange, isReplaced }))
      .then((names) => {
        isAnswered = true;
        if (names.length > 0) reports.push([...names]);
      });
    return { answer, isAnswered: () => isAnswered };
  };
  return {
    waves,
    reports,
    plan,
    waits: () => waits,
    isWaiting: () => due !== null,
    read: () => {
      waves.plans();
      return waves.during(() => Promise.resolve());
    },
    /** No more calls arrive. */
    async quiet() {
      await settled();
      const then = due;
      due = null;
      then?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const change = (name: string, more: Partial<ChangeEffects> = {}): ChangeEffects => ({
  kind: 'oncall_schedule',
  name,
  title: `Effects of changing ${name}`,
  path: undefined,
  isCreation: false,
  effects: [{ code: 'shifts_move', message: 'One shift moves.' }],
  schedules: [],
  layers: [],
  unknown: undefined,
  ...more,
});
const lost = { effects: [{ code: 'gap', message: 'Nobody is on call.' }] };

test('all effects are reported with the change that came last, once no more calls arrive', async () => {
  const { read, plan, quiet, reports } = start();
  await read();
  const first = plan(change('a'));
  const none = plan(null);
  await settled();
  assert.equal(first.isAnswered(), false);
  assert.equal(none.isAnswered(), true, 'of what has no effects nothing is held back');
  const last = plan(change('b'));
  await settled();
  assert.equal(first.isAnswered(), true, 'what depends on it goes on');
  assert.equal(last.isAnswered(), false);
  await quiet();
  assert.deepEqual(reports, [['a', 'b']]);
});

test('nothing is reported while a call is under way', async () => {
  const { waves, read, plan, quiet, isWaiting, reports } = start();
  await read();
  plan(change('a'));
  const work = Promise.withResolvers<void>();
  const slow = waves.during(() => work.promise);
  await settled();
  assert.equal(isWaiting(), false);
  work.resolve();
  await slow;
  await quiet();
  assert.deepEqual(reports, [['a']]);
});

test('what depends on the record that was held back is reported after it', async () => {
  const { read, plan, quiet, reports } = start();
  await read();
  for (const name of ['a', 'b']) plan(change(name));
  await quiet();
  for (const name of ['c', 'd']) plan(change(name));
  await quiet();
  assert.deepEqual(reports, [
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('an apply reports nothing that was planned', async () => {
  const { waves, plan, quiet, reports } = start();
  const all = ['a', 'b', 'c'].map((name) => plan(change(name, lost)));
  await settled();
  waves.applies();
  await settled();
  assert.ok(all.every((one) => one.isAnswered()));
  plan(change('d', lost));
  await quiet();
  assert.deepEqual(reports, []);
  assert.equal(waves.isApply, true);
});

test('a plan that reads nothing is known by changes that nobody applies', async () => {
  const { plan, quiet, reports } = start();
  for (const name of ['a', 'b']) plan(change(name));
  await quiet();
  assert.deepEqual(reports, [['a', 'b']]);
});

const alone = [
  { what: 'a creation', one: change('a', { isCreation: true }), isReported: true },
  { what: 'a change that loses coverage', one: change('a', lost), isReported: true },
  { what: 'another change', one: change('a'), isReported: false },
];
for (const { what, one, isReported } of alone)
  test(`the first record, with nothing read before it, is ${isReported ? '' : 'not '}reported if it is ${what}`, async () => {
    const { plan, quiet, reports } = start();
    plan(one);
    await quiet();
    assert.deepEqual(reports, isReported ? [['a']] : []);
  });

test('a change that was not reported is, when it turns out to be planned', async () => {
  const { plan, quiet, reports } = start();
  plan(change('a'));
  await quiet();
  plan(change('b'));
  await quiet();
  assert.deepEqual(reports, [['a', 'b']]);
});

test('a record that is replaced is held back only while no other is, for Terraform plans its creation next', async () => {
  const { read, plan, quiet, reports } = start();
  await read();
  const held = plan(change('a'));
  const replaced = plan(change('b'), { isReplaced: true });
  await settled();
  assert.deepEqual([held.isAnswered(), replaced.isAnswered()], [false, true]);
  await quiet();
  const lone = plan(change('c'), { isReplaced: true });
  await settled();
  assert.equal(lone.isAnswered(), false);
  await quiet();
  assert.deepEqual(reports, [['a', 'b'], ['c']]);
});

test('a Ctrl-C answers at once, and nothing is held back after it', async () => {
  const { waves, read, plan, isWaiting, reports } = start();
  await read();
  const held = plan(change('a'));
  await settled();
  waves.stop();
  await settled();
  const later = plan(change('b'));
  await settled();
  assert.ok(held.isAnswered() && later.isAnswered());
  assert.equal(isWaiting(), false);
  assert.deepEqual(reports, []);
});

test('one record after the other is held back three times, and then again when they come together', async () => {
  const { read, plan, quiet, waits, reports } = start();
  await read();
  const names = Array.from({ length: 100 }, (_, index) => `r${index}`);
  for (const name of names) {
    plan(change(name));
    await quiet();
  }
  assert.deepEqual(
    reports,
    names.map((name) => [name]),
  );
  assert.ok(waits() <= 6, String(waits()));
  for (const name of ['a', 'b', 'c']) plan(change(name));
  await quiet();
  assert.deepEqual(reports.slice(100), [['a'], ['b', 'c']]);
});
