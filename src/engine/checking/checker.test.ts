import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import { type CheckClaim, Checker, type DueCheck, nextCheckAt } from './checker.ts';

const idOf = (end: string) => end.padStart(24, '0');
const dueOf = (vendor: string, end: string): DueCheck => ({
  organization_id: idOf('1'),
  id: idOf(end),
  vendor,
  claimedUntil: noon,
});

type Vendors = { readonly due: DueCheck[]; readonly check: (due: DueCheck) => Promise<boolean> };

function checkerOf({ due, check }: Vendors) {
  const rooms: CheckClaim['room'][] = [];
  const putOff: string[] = [];
  const failures: string[] = [];
  const checker = new Checker({
    clock: { now: () => noon },
    async claim({ room }) {
      rooms.push(room);
      return due.splice(0);
    },
    check,
    putOff: async ({ id }, until) => void putOff.push(`${id.slice(-1)} ${until}`),
    failed: ({ id }, error) => void failures.push(`${id.slice(-1)} ${String(error)}`),
  });
  return { checker, rooms, putOff, failures };
}

test('a vendor that does not answer delays no other one, and takes room of its own alone', async () => {
  const answers = Promise.withResolvers<boolean>();
  const due = [dueOf('slow', '1'), dueOf('slow', '2'), dueOf('quick', '3')];
  const { checker, rooms, putOff } = checkerOf({
    due,
    check: async ({ vendor }) => (vendor === 'slow' ? answers.promise : true),
  });
  await checker.begin();
  await checker.begin();
  assert.deepEqual(putOff, [`3 ${nextCheckAt(idOf('3'), 60, noon)}`]);
  assert.deepEqual([rooms.at(-1)?.each, rooms.at(-1)?.of.get('slow')], [8, 6]);
  answers.resolve(true);
  await checker[Symbol.asyncDispose]();
  assert.equal(putOff.length, 3);
});

test('what fails is checked again soon, and a check that throws when its claim ends', async () => {
  const due = [dueOf('a', '1'), dueOf('a', '2')];
  const { checker, putOff, failures } = checkerOf({
    due,
    async check({ id }) {
      if (id.endsWith('2')) throw new Error('no database');
      return false;
    },
  });
  await checker.begin();
  await checker[Symbol.asyncDispose]();
  assert.deepEqual(putOff, [`1 ${nextCheckAt(idOf('1'), 2, noon)}`]);
  assert.deepEqual(failures, ['2 Error: no database']);
});

test('the next check is within the hour, at the moment of the connection', () => {
  const hour = { hours: 1 } as const;
  for (let nth = 0; nth < 200; nth += 1) {
    const id = randomBytes(12).toString('hex');
    const next = nextCheckAt(id, 60, noon);
    assert.ok(Temporal.Instant.compare(next, noon) > 0);
    assert.ok(Temporal.Instant.compare(next, noon.add(hour)) <= 0);
    assert.equal(`${nextCheckAt(id, 60, next)}`, `${next.add(hour)}`);
    assert.equal(`${nextCheckAt(id, 60, next.subtract({ seconds: 1 }))}`, `${next}`);
  }
});

test('checks are spread over the hour', () => {
  const minutes = new Set<number>();
  for (let nth = 0; nth < 600; nth += 1) {
    const next = nextCheckAt(randomBytes(12).toString('hex'), 60, noon);
    minutes.add(Math.floor(noon.until(next).total('minutes')));
  }
  assert.ok(minutes.size > 50);
});
