import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Timers } from './timers.ts';

/** Closer together than milliseconds. */
const at = (tick: number) => Temporal.Instant.fromEpochNanoseconds(BigInt(tick) * 100_000n);
const change = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  second: fc.option(fc.nat(20)),
});

test('whoever is due is found in the order of time, whatever was set before', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), fc.nat(20), (changes, now) => {
      const wakes = new Timers();
      const set = new Map<string, number>();
      for (const { key, second } of changes) {
        wakes.set(key, second === null ? null : at(second));
        if (second === null) set.delete(key);
        else set.set(key, second);
        const seconds = [...set.values()];
        const next = seconds.length === 0 ? null : at(Math.min(...seconds));
        assert.equal(wakes.next()?.toString(), next?.toString());
      }
      const due = wakes.due(at(now));
      const times = due.map((key) => set.get(key) ?? -1);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      const expected = [...set].filter(([, second]) => second <= now).map(([key]) => key);
      assert.deepEqual(due.toSorted(), expected.toSorted());
      assert.deepEqual(wakes.due(at(now)).toSorted(), expected.toSorted());
      assert.deepEqual([...wakes.keys()].toSorted(), [...set.keys()].toSorted());
    }),
  );
});
