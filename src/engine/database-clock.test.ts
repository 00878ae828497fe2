import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MachineTime } from './clock.ts';
import { DatabaseClock } from './database-clock.ts';

const noon = Temporal.Instant.from('2026-03-02T12:00:00Z').epochMilliseconds;
const hour = 3_600_000;

/** A database and a machine, whose clocks the test sets. */
function world(machineAhead = 0) {
  let passed = 0;
  let databaseAhead = 0;
  let wallAhead = machineAhead;
  const read = (): MachineTime => ({ wall: noon + passed + wallAhead, steady: 500_000 + passed });
  /** An answer on whose way so much time passed. */
  const reading = (there = 0, back = 0) => {
    const before = read();
    passed += there;
    const database = noon + passed + databaseAhead;
    passed += back;
    return { database, before, after: read() };
  };
  const clock = new DatabaseClock({ read }, reading());
  return {
    clock,
    reading,
    pass: (ms: number) => {
      passed += ms;
    },
    setDatabase: (ms: number) => {
      databaseAhead += ms;
    },
    setMachine: (ms: number) => {
      wallAhead += ms;
    },
    now: () => clock.now().epochMilliseconds - noon,
    database: () => passed + databaseAhead,
  };
}

describe('the clock of a server', () => {
  for (const ahead of [0, 90_000, -90_000, 2 * hour, -2 * hour])
    test(`is the database's, on a machine that is ${ahead / 1_000} s ahead`, () => {
      const { clock, pass, now, reading } = world(ahead);
      pass(1_500);
      assert.equal(now(), 1_500);
      clock.take(reading());
      assert.equal(now(), 1_500);
      assert.equal(clock.machineAhead, ahead);
    });

  test('does not care how the clock of its machine is set', () => {
    const { clock, pass, setMachine, now, reading } = world();
    setMachine(2 * hour);
    pass(100);
    assert.equal(now(), 100);
    clock.take(reading());
    assert.deepEqual([now(), clock.machineAhead], [100, 2 * hour]);
  });

  test('follows the database when its clock is set', () => {
    const { clock, setDatabase, now, reading } = world();
    setDatabase(-90_000);
    assert.equal(now(), 0);
    clock.take(reading());
    assert.equal(now(), -90_000);
  });

  test('is moved by no answer, however long it took', () => {
    const { clock, now, reading, database } = world();
    for (const [there, back] of [
      [0, 4_000],
      [4_000, 0],
      [30, 1],
    ] as const) {
      clock.take(reading(there, back));
      assert.equal(now(), database());
    }
  });

  test('calls a machine off only as far as the round trip cannot explain it', () => {
    const { clock, reading } = world(6_000);
    clock.take(reading(0, 2_000));
    assert.equal(clock.machineAhead, 6_000);
    clock.take(reading(2_000, 0));
    assert.equal(clock.machineAhead, 4_000);
    clock.take(reading(7_000, 0));
    assert.equal(Math.abs(clock.machineAhead), 0);
  });
});
