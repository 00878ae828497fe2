import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { databases, testDatabase } from '../../../test/database.ts';
import { eventually } from '../../../test/system/eventually.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { onCallAt } from '../../oncall/on-call.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { shiftAt } from '../../oncall/shifts.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { type Sql, transact } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import { createRecords } from '../records/records.ts';
import { readSchedulesAround } from './around.ts';
import {
  type CurrentOverride,
  changeOverride,
  createOverrides,
  deleteOverride,
} from './overrides.ts';
import { readSchedules } from './schedules.ts';

const midnight = Temporal.Instant.from('2026-03-02T00:00:00Z');
const hour = (count: number) => midnight.add({ hours: count });

/** A schedule of one organisation, edited at hours after its making. */
async function setting(sql: Sql) {
  const world = await seedOrganization(sql, { users: [{ name: 'ada' }, { name: 'bob' }] });
  const { organizationId } = world;
  const { ada = '', bob = '' } = world.users;
  const ids = createIds(systemClock);
  const records = createRecords({ sql, secrets: testSecrets, ids });
  const actor = { kind: 'key', id: '0'.repeat(24), name: 'ci' };
  const actAt = (at: number): Act => ({
    organizationId,
    teamIds: null,
    actor,
    requestId: null,
    now: hour(at),
  });
  const fields = (user: string) => ({
    name: 'Rota',
    timezone: 'Etc/UTC',
    layers: [{ users: [user], rotation: { length: 1, unit: 'days' } }],
  });
  const made = await records.create(oncallSchedule, actAt(0), async () => ({
    teamId: world.teams['ops'] ?? '',
    fields: fields(ada),
  }));
  const change = (at: number) => ({ key: made.id, act: actAt(at), expectedVersion: null });
  const of = (at: number) => ({ act: actAt(at), schedule: made.id });
  const override = (from: number, to: number) => async () => ({
    user_id: bob,
    start: `${hour(from)}`,
    end: `${hour(to)}`,
  });
  return {
    sql,
    ids,
    organizationId,
    ada,
    bob,
    id: made.id,
    change,
    of,
    override,
    save: (user: string, at: number) =>
      records.update(oncallSchedule, change(at), async () => fields(user)),
    archive: (at: number) => records.archive(oncallSchedule, change(at)),
    standIn: (at: number, from: number, to: number) =>
      createOverrides(
        { sql, ids },
        { ...of(at), decide: async () => [await override(from, to)()] },
      ),
    async read(since: number, organization = organizationId) {
      const query = { organizationId: organization, ids: [made.id], since: hour(since) };
      return (await readSchedules(sql, query)).get(made.id);
    },
    async history(since: number) {
      const known = await this.read(since);
      assert.ok(known);
      return known.history;
    },
    cursor: async () => (await sql`select * from shift_cursors`)[0],
  };
}

type Setting = Awaited<ReturnType<typeof setting>>;
const made = (result: readonly CurrentOverride[] | string) => {
  assert.ok(typeof result === 'object', String(result));
  const [first] = result;
  assert.ok(first);
  return first;
};

const suite: Readonly<Record<string, (at: Setting) => Promise<void>>> = {
  async 'what was in force just before an instant is read, and all that came after'(at) {
    await at.save(at.bob, 10);
    await at.save(at.ada, 20);
    const starts = async (since: number) =>
      (await at.history(since)).revisions.map(({ from }) => from.since(midnight).total('hours'));
    assert.deepEqual(await starts(-1), [0, 10, 20]);
    assert.deepEqual(await starts(10), [0, 10, 20]);
    assert.deepEqual(await starts(11), [10, 20]);
    assert.deepEqual(await starts(21), [20]);
  },

  async 'what an edit changed can be told with it and without it'(at) {
    await at.save(at.bob, 10);
    const { id } = made(await at.standIn(20, 20, 30));
    await deleteOverride(at, { ...at.of(25), id });
    const onCall = async (edit: number, time: number) => {
      const schedule = scheduleAsOf(await at.history(10), edit);
      return onCallAt(schedule, hour(time))?.user_id === at.bob ? 'bob' : 'ada';
    };
    assert.deepEqual([await onCall(1, 10), await onCall(2, 10)], ['ada', 'bob']);
    await at.save(at.ada, 26);
    const late = [await onCall(4, 27), await onCall(3, 27), await onCall(5, 27)];
    assert.deepEqual(late, ['bob', 'bob', 'ada']);
  },

  async 'overrides are read while they or their edits matter'(at) {
    const { id } = made(await at.standIn(1, 10, 20));
    await changeOverride(at, { ...at.of(15), id, decide: at.override(10, 30) });
    const ends = async (since: number) =>
      (await at.history(since)).overrides.map(({ end, ended }) =>
        [end, ended?.at].map((one) => one?.since(midnight).total('hours')),
      );
    const [first, second] = [
      [20, 15],
      [30, undefined],
    ];
    assert.deepEqual(await ends(15), [first, second]);
    assert.deepEqual(await ends(16), [second]);
    assert.deepEqual(await ends(30), []);
  },

  async 'of overrides from one instant the last one wins, whichever server made it'(at) {
    made(await at.standIn(5, 5, 9));
    const behind = createIds({ ...systemClock, now: () => midnight });
    const decide = async () => [{ user_id: at.ada, start: `${hour(5)}`, end: `${hour(9)}` }];
    made(await createOverrides({ ...at, ids: behind }, { ...at.of(4), decide }));
    assert.equal(onCallAt(scheduleAsOf(await at.history(0)), hour(6))?.user_id, at.ada);
  },

  async 'of overrides that are made at once the last one wins, and each is an edit'(at) {
    const decide = async () =>
      [at.bob, at.ada, at.bob, at.ada].map((user_id) => ({
        user_id,
        start: `${hour(5)}`,
        end: `${hour(9)}`,
      }));
    made(await createOverrides(at, { ...at.of(1), decide }));
    const { overrides } = await at.history(0);
    assert.deepEqual(
      overrides.map(({ user_id, edit }) => [user_id, edit]),
      [at.bob, at.ada, at.bob, at.ada].map((user, index) => [user, 2 + index]),
    );
    assert.equal((await at.cursor())?.['edits'], 5);
    assert.equal(onCallAt(scheduleAsOf(await at.history(0)), hour(6))?.user_id, at.ada);
  },

  async 'as much is read as tells when a long shift began, and no more'(at) {
    await at.save(at.bob, 500);
    await at.save(at.ada, 990);
    made(await at.standIn(1_000, 1_000, 24 * 365));
    const around = async (time: number) => {
      const query = { organizationId: at.organizationId, ids: [at.id] };
      const known = (await readSchedulesAround(at.sql, query, hour(time))).get(at.id);
      assert.ok(known);
      return known.history;
    };
    const { revisions } = await around(24 * 300);
    assert.deepEqual(
      revisions.map(({ from }) => `${from}`),
      [`${hour(990)}`],
    );
    const shift = shiftAt(scheduleAsOf(await around(24 * 300)), hour(24 * 300));
    assert.equal(`${shift?.start}`, `${hour(1_000)}`);
  },

  async 'of a shift of more than ten years, ten years are read'(at) {
    made(await at.standIn(1, 18, 22));
    made(await at.standIn(2, 20, 24 * 366 * 13));
    const query = { organizationId: at.organizationId, ids: [at.id] };
    const overrides = async (years: number) => {
      const known = await readSchedulesAround(at.sql, query, hour(24 * 366 * years));
      return known.get(at.id)?.history.overrides.length;
    };
    assert.deepEqual([await overrides(9), await overrides(12)], [2, 1]);
  },

  async 'no organisation reads the schedules of another'(at) {
    assert.equal(await at.read(0, 'f'.repeat(24)), undefined);
  },

  async 'an archived schedule is told with its name'(at) {
    await at.archive(5);
    const known = await at.read(0);
    assert.deepEqual([known?.name, known?.archived, known?.counter], ['Rota', true, 1]);
    const schedule = scheduleAsOf(await at.history(0));
    assert.equal(onCallAt(schedule, hour(5)), null);
    assert.equal(onCallAt(schedule, hour(4))?.user_id, at.ada);
  },

  async 'edits at once are numbered one after another, of the layers and of overrides'(at) {
    await Promise.all([
      at.save(at.bob, 1),
      at.standIn(1, 2, 3),
      at.save(at.ada, 1),
      at.standIn(1, 2, 3),
      at.save(at.bob, 1),
    ]);
    const { revisions, overrides } = await at.history(0);
    const edits = [...revisions, ...overrides].map(({ edit }) => edit);
    const written = revisions.length + overrides.length;
    assert.deepEqual(
      edits.sort((one, other) => one - other),
      Array.from({ length: written }, (_none, index) => index + 1),
    );
    assert.equal(overrides.length, 2);
    const [row] = await at.sql`select layers, anchors from oncall_schedules`;
    const [last] = await at.sql`
      select layers, anchors from schedule_revisions order by number desc limit 1`;
    assert.deepEqual(row, last);
  },

  async 'an edit that fails leaves neither revision nor count'(at) {
    const decide = async () => {
      throw new Error('refused');
    };
    await assert.rejects(createOverrides(at, { ...at.of(1), decide }), /refused/);
    assert.equal((await at.cursor())?.['edits'], 1);
    assert.equal((await at.history(0)).overrides.length, 0);
  },

  async 'an edit takes effect after what was announced, and after the edits before it'(at) {
    await at.sql`update shift_cursors set advanced_to = ${hour(5)}, wake_at = ${hour(24)}`;
    await at.save(at.bob, 4);
    const cursor = await at.cursor();
    assert.deepEqual([`${cursor?.['wake_at']}`, cursor?.['edits']], [`${hour(5)}`, 2]);
    await at.save(at.ada, 8);
    await at.save(at.bob, 7);
    const { revisions } = await at.history(0);
    assert.deepEqual(
      revisions.map(({ from }) => `${from}`),
      [0, 5, 8, 8].map((count) => `${hour(count)}`),
    );
    assert.equal(onCallAt(scheduleAsOf(await at.history(0)), hour(9))?.user_id, at.bob);
  },

  async 'an edit that waits for whoever looks at the schedule is not in their way'(at) {
    const { sql, organizationId, id } = at;
    let saving: Promise<unknown> | undefined;
    await transact(sql, async (tx) => {
      await tx`select from shift_cursors for update`;
      saving = at.save(at.bob, 1);
      await eventually('the edit waits', async () => {
        const waiting = await sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      await tx`set local lock_timeout = 1`;
      const shift = { id: 'a'.repeat(24), oncall_schedule_id: id, user_id: at.ada, source: 's' };
      const span = { start_at: hour(0), end_at: hour(1) };
      await tx`insert into shifts ${tx({ organization_id: organizationId, ...shift, ...span })}`;
    });
    await saving;
    assert.equal((await at.history(0)).revisions.length, 2);
  },

  async 'an edit never puts off a look that is due'(at) {
    await at.sql`update shift_cursors set wake_at = ${hour(3)}`;
    await at.save(at.bob, 4);
    assert.equal(`${(await at.cursor())?.['wake_at']}`, `${hour(3)}`);
  },
};

for (const server of await databases())
  describe(server.name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using database = await testDatabase({ server, maxConnections: 6 });
        await claims(await setting(database.sql));
      });
  });
