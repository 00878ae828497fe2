import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Room, type Slot } from './room.ts';

test('a busy key leaves room for the others, in slots and in bytes', () => {
  const room = new Room({ slots: 10, bytes: 1_000 });
  const fill = (key: string, bytes: number) => {
    let count = 0;
    while (room.enter(key, bytes)) count += 1;
    return count;
  };
  assert.equal(fill('many', 1), 5);
  assert.equal(fill('large', 300), 2);
  assert.equal(fill('calm', 10), 2);
  assert.equal(fill('large', 0), 0);
  assert.equal(room.bytes, 625);
});

test('a slot grows while there is room, and releases all of it', () => {
  const room = new Room({ slots: 10, bytes: 100 });
  const [slot, other] = [room.enter('a', 10), room.enter('b', 45)];
  assert.deepEqual([slot?.resize(55), slot?.resize(56), room.bytes], [true, false, 100]);
  other?.[Symbol.dispose]();
  slot?.resize(20);
  assert.equal(room.bytes, 20);
  slot?.[Symbol.dispose]();
  slot?.[Symbol.dispose]();
  assert.deepEqual([room.bytes, slot?.resize(1), room.bytes], [0, false, 0]);
});

test('the room is never exceeded, and is empty when all slots are released', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    bytes: fc.integer({ min: 0, max: 60 }),
    leaves: fc.nat({ max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const room = new Room({ slots: 8, bytes: 100 });
      const slots: Slot[] = [];
      for (const { key, bytes, leaves } of steps) {
        const slot = room.enter(key, bytes);
        if (slot) slots.push(slot);
        slots[leaves]?.resize(bytes);
        if (leaves % 2 === 0) for (const left of slots.splice(leaves, 1)) left[Symbol.dispose]();
        assert.ok(slots.length <= 8 && room.bytes <= 100);
      }
      for (const slot of slots) slot[Symbol.dispose]();
      assert.equal(room.bytes, 0);
      assert.ok(room.enter('d', 100));
    }),
  );
});
