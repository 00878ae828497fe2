import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Room, type Slot } from './room.ts';

test('a loud line leaves room for the others, in places and in bytes', () => {
  const room = new Room({ slots: 10, bytes: 1_000 });
  const fill = (line: string, bytes: number) => {
    let count = 0;
    while (room.enter(line, bytes)) count += 1;
    return count;
  };
  assert.equal(fill('many', 1), 5);
  assert.equal(fill('large', 300), 2);
  assert.equal(fill('calm', 10), 2);
  assert.equal(fill('large', 0), 0);
  assert.equal(room.bytes, 625);
});

test('a place grows while there is room, and gives back all that it holds', () => {
  const room = new Room({ slots: 10, bytes: 100 });
  const [place, other] = [room.enter('a', 10), room.enter('b', 45)];
  assert.deepEqual([place?.resize(55), place?.resize(56), room.bytes], [true, false, 100]);
  other?.[Symbol.dispose]();
  place?.resize(20);
  assert.equal(room.bytes, 20);
  place?.[Symbol.dispose]();
  place?.[Symbol.dispose]();
  assert.deepEqual([room.bytes, place?.resize(1), room.bytes], [0, false, 0]);
});

test('whatever comes and goes, the room is never exceeded and is empty in the end', () => {
  const step = fc.record({
    line: fc.constantFrom('a', 'b', 'c'),
    bytes: fc.integer({ min: 0, max: 60 }),
    leaves: fc.nat({ max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const room = new Room({ slots: 8, bytes: 100 });
      const places: Slot[] = [];
      for (const { line, bytes, leaves } of steps) {
        const place = room.enter(line, bytes);
        if (place) places.push(place);
        places[leaves]?.resize(bytes);
        if (leaves % 2 === 0) for (const left of places.splice(leaves, 1)) left[Symbol.dispose]();
        assert.ok(places.length <= 8 && room.bytes <= 100);
      }
      for (const place of places) place[Symbol.dispose]();
      assert.equal(room.bytes, 0);
      assert.ok(room.enter('d', 100));
    }),
  );
});
