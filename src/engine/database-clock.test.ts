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
  let slept = 0;
  const read = (): MachineTime => ({
    wall: noon + passed + wallAhead,
    steady: 500_000 + passed - slept,
    up: 7_000 + passed,
  });
  /** An answer on whose way so much time passed. */
  const reading = (there = 0, back = 0) => {
    const before = read();
    passed += there;
    const database = noon + passed + databaseAhead;
    passed += back;
    return { database, before, after: read() };
  };
  const clock = new DatabaseClock({ read, steady: () => read().steady }, reading());
  return {
    clock,
    reading,
    pass: (ms: number) => {
      passed += ms;
    },
    /** The machine sleeps, and some of its clocks stop. */
    sleep: (ms: number) => {
      passed += ms;
      slept += ms;
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

  test('follows the database at once by less than a slow answer explains', () => {
    const { clock, setDatabase, now, reading } = world();
    setDatabase(-5_000);
    assert.equal(clock.take(reading()), 'agrees');
    assert.equal(now(), -5_000);
  });

  test('is right again at the first reading after its machine slept', () => {
    const { clock, sleep, now, reading, database } = world();
    sleep(hour);
    assert.equal(now(), 0);
    assert.equal(clock.take(reading()), 'agrees');
    assert.equal(now(), database());
  });

  for (const ms of [-90_000, 90_000, -600_000, 2 * hour])
    test(`goes on as before when the database's is set by ${ms / 1_000} s, until that is settled`, () => {
      const { clock, setDatabase, pass, now, reading, database } = world();
      setDatabase(ms);
      assert.equal(clock.take(reading()), 'doubtful');
      pass(499);
      assert.equal(clock.take(reading()), 'doubtful', 'too soon to be seen a second time');
      pass(1);
      assert.equal(clock.take(reading()), 'jumped');
      assert.equal(now(), 500);
      clock.settle(reading());
      assert.equal(now(), database());
      pass(1_000);
      assert.equal(clock.take(reading()), 'agrees');
      assert.equal(now(), database());
    });

  test('sees another jump that was read while the waits were moved by the first', () => {
    const { clock, setDatabase, pass, now, reading, database } = world();
    setDatabase(hour);
    clock.take(reading());
    pass(1_000);
    const moving = reading();
    assert.equal(clock.take(moving), 'jumped');
    setDatabase(-hour);
    clock.take(reading());
    clock.settle(moving);
    assert.equal(now(), database() + hour);
    clock.take(reading());
    pass(1_000);
    assert.equal(clock.take(reading()), 'jumped');
  });

  test('does not jump if the second reading shows another jump, or none', () => {
    const { clock, setDatabase, pass, reading } = world();
    setDatabase(hour);
    assert.equal(clock.take(reading()), 'doubtful');
    setDatabase(hour);
    pass(1_000);
    assert.equal(clock.take(reading()), 'doubtful');
    setDatabase(-2 * hour);
    pass(1_000);
    assert.equal(clock.take(reading()), 'agrees');
  });

  test('is not held up for long by a clock that jumps each time', () => {
    const { clock, setDatabase, pass, reading } = world();
    const seen: string[] = [];
    for (let second = 0; second <= 10; second += 1) {
      setDatabase(hour);
      seen.push(clock.take(reading()));
      pass(1_000);
    }
    assert.deepEqual(seen, [...Array<string>(10).fill('doubtful'), 'jumped']);
  });

  test('sees a jump from before it was made', () => {
    const { reading, pass, database } = world();
    let steady = 0;
    const machine = { read: () => ({ wall: 0, steady, up: 0 }), steady: () => steady };
    const first = reading();
    const at = { wall: 0, steady: 0, up: 0 };
    const clock = new DatabaseClock(machine, { ...first, before: at, after: at }, -hour);
    const again = () => {
      pass(1_000);
      steady += 1_000;
      const now = { wall: 0, steady, up: steady };
      return clock.take({ database: noon + database(), before: now, after: now });
    };
    assert.deepEqual([again(), again()], ['doubtful', 'jumped']);
    assert.equal(clock.now().epochMilliseconds, noon + database());
  });

  test('is moved by no answer, however long it took', () => {
    const { clock, now, reading, database } = world();
    for (const [there, back] of [
      [0, 4_000],
      [4_000, 0],
      [20_000, 20_000],
      [30, 1],
    ] as const) {
      assert.equal(clock.take(reading(there, back)), 'agrees');
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
