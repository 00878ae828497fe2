import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../log.ts';
import { Refusals } from './refusals.ts';
import { RefusedSpells, type Refusing } from './refused-spells.ts';

const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');
const of = { organizationId: 'org', integrationId: 'checks' };

/** What a server stores, and when; `elsewhere`: another server took an event. */
function begin() {
  const stored: string[] = [];
  const world = { now: noon, elsewhere: false, isAway: false };
  const pass = (minutes: number) => {
    world.now = world.now.add({ seconds: minutes * 60 });
  };
  const at = (instant: Temporal.Instant) => `${instant}`.slice(11, 16);
  const spells = new RefusedSpells({
    clock: { now: () => world.now },
    log: silentLog,
    async record(refusing: readonly Refusing[]) {
      if (world.isAway) throw new Error('the database is away');
      stored.push(...refusing.map(({ from, to }) => `${at(from)}-${at(to)}`));
      return new Set(world.elsewhere ? refusing.map((one) => one.integrationId) : []);
    },
  });
  const dueIn = () => spells.dueAt?.since(world.now).total('seconds') ?? null;
  return { world, spells, stored, pass, dueIn };
}

test('while it lasts a spell is stored once a minute, and its end at once', async () => {
  const { spells, stored, pass, dueIn } = begin();
  assert.equal(dueIn(), null);
  spells.refuse(of);
  assert.equal(dueIn(), 0);
  await spells.store();
  assert.equal(dueIn(), 60);
  pass(1);
  await spells.store();
  pass(1);
  spells.taken('checks');
  spells.taken('another');
  assert.ok((dueIn() ?? 1) <= 0);
  pass(1);
  await spells.store();
  assert.deepEqual(stored, ['12:00-12:00', '12:00-12:01', '12:00-12:02']);
  assert.equal(dueIn(), null);
});

test('after an event that another server took, the next refusal begins another spell', async () => {
  const { world, spells, stored, pass, dueIn } = begin();
  spells.refuse(of);
  pass(1);
  world.elsewhere = true;
  await spells.store();
  assert.equal(dueIn(), null);
  world.elsewhere = false;
  pass(60);
  spells.refuse(of);
  pass(10);
  await spells.store();
  assert.deepEqual(stored, ['12:00-12:01', '13:01-13:11']);
});

test('what could not be stored is stored later, not again and again', async () => {
  const { world, spells, stored, pass, dueIn } = begin();
  world.isAway = true;
  spells.refuse(of);
  await spells.store();
  assert.equal(dueIn(), 60);
  spells.taken('checks');
  assert.equal(dueIn(), 1);
  pass(1);
  world.isAway = false;
  await spells.store();
  assert.deepEqual(stored, ['12:00-12:00']);
});

test('what has not been refused for a day is forgotten', async () => {
  const { spells, pass, dueIn } = begin();
  spells.refuse(of);
  pass(23 * 60);
  await spells.store();
  assert.equal(dueIn(), 60);
  pass(60);
  await spells.store();
  assert.equal(dueIn(), null);
});

test('the answer to a request that is refused does not wait until spells are stored', async () => {
  const logged: string[] = [];
  const refusals = new Refusals({
    clock: { now: () => noon },
    log: silentLog,
    record: async ({ refused }) => logged.push(`${refused?.times} × ${refused?.status}`),
    recordDeaf: () => new Promise(() => {}),
  });
  const refused = { ...of, slug: 'webhook', integrationName: 'Checks', source: 'http' } as const;
  const note = (status: number) => refusals.note({ ...refused, status, reason: '', isLost: false });
  await note(429);
  await note(400);
  assert.deepEqual(logged, ['1 × 400']);
});
