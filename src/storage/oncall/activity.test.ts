import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { databases, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { onCallAt } from '../../oncall/on-call.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { type Sql, transact } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import { changeUser } from '../people/users.ts';
import { createRecords } from '../records/records.ts';
import { beginScheduleRules } from './activity.ts';
import { createOverrides } from './overrides.ts';
import { newScheduleRulesApply } from './schedule-rules.ts';
import { readSchedules } from './schedules.ts';

const midnight = Temporal.Instant.from('2026-03-02T00:00:00Z');
const hour = (count: number) => midnight.add({ hours: count });

/** An organization of three, in which things happen at hours after midnight. */
async function setting(sql: Sql) {
  const users = [{ name: 'ada' }, { name: 'bob' }, { name: 'eve' }];
  const world = await seedOrganization(sql, { users });
  const { organizationId } = world;
  const { ada = '', bob = '', eve = '' } = world.users;
  const names = new Map([
    [ada, 'ada'],
    [bob, 'bob'],
    [eve, 'eve'],
  ]);
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
  const fields = (layers: readonly (readonly string[])[]) => ({
    name: 'Rota',
    timezone: 'Etc/UTC',
    layers: layers.map((users) => ({ users, rotation: { length: 1, unit: 'weeks' } })),
  });
  const history = async (id: string) => {
    const query = { organizationId, ids: [id], since: midnight };
    const known = (await readSchedules(sql, query)).get(id);
    assert.ok(known);
    return known.history;
  };
  return {
    sql,
    ada,
    bob,
    eve,
    /** Each layer by its people. */
    make: async (...layers: string[][]) => {
      const teamId = world.teams['ops'] ?? '';
      const write = async () => ({ teamId, fields: fields(layers) });
      return (await records.create(oncallSchedule, actAt(0), write)).id;
    },
    save: (key: string, at: number, ...layers: string[][]) =>
      records.update(oncallSchedule, { key, act: actAt(at), expectedVersion: null }, async () =>
        fields(layers),
      ),
    archive: (key: string, at: number) =>
      records.archive(oncallSchedule, { key, act: actAt(at), expectedVersion: null }),
    restore: (key: string, at: number) =>
      records.restore(oncallSchedule, { key, act: actAt(at), expectedVersion: null }),
    override: (schedule: string, at: number, user_id: string, replaces_user_id?: string) =>
      createOverrides(
        { sql, ids },
        {
          act: actAt(at),
          schedule,
          decide: async () => [
            {
              user_id,
              ...(replaces_user_id !== undefined && { replaces_user_id }),
              start: `${hour(at)}`,
              end: `${hour(at + 12)}`,
            },
          ],
        },
      ),
    setActive: (id: string, at: number, active: boolean) =>
      changeUser(sql, { act: actAt(at), ids, id, change: (before) => ({ ...before, active }) }),
    begin: (at: number) => transact(sql, (tx) => beginScheduleRules(tx, hour(at))),
    async onCall(id: string, at: number) {
      const holder = onCallAt(scheduleAsOf(await history(id)), hour(at));
      return holder && `${names.get(holder.user_id)} by ${holder.layer}`;
    },
    async counted(id: string) {
      const [row] = await sql<{ edits: number; revisions: number; version: number }[]>`
        select c.edits, s.version, (
          select count(*)::int from schedule_revisions r where r.oncall_schedule_id = s.id
        ) as revisions
        from oncall_schedules s join shift_cursors c on c.oncall_schedule_id = s.id
        where s.id = ${id}`;
      return row;
    },
  };
}

for (const server of await databases())
  describe(`who is inactive, on ${server.name}`, () => {
    const withSetting = async (
      work: (at: Awaited<ReturnType<typeof setting>>) => Promise<void>,
    ) => {
      await using database = await testDatabase({ server });
      await work(await setting(database.sql));
    };

    test('an edit of each schedule that names them, without a revision or a version', () =>
      withSetting(async (at) => {
        const both = await at.make([at.bob], [at.ada]);
        const other = await at.make([at.bob]);
        await at.setActive(at.ada, 2, false);
        assert.deepEqual(await at.counted(both), { edits: 2, revisions: 1, version: 1 });
        assert.deepEqual(await at.counted(other), { edits: 1, revisions: 1, version: 1 });
        await at.setActive(at.ada, 4, true);
        assert.deepEqual(await at.counted(both), { edits: 3, revisions: 1, version: 1 });
        const seen = await Promise.all([1, 3, 5].map((hours) => at.onCall(both, hours)));
        assert.deepEqual(seen, ['ada by 1', 'bob by 0', 'ada by 1']);
      }));

    test('a change of anything else of a person is no edit', () =>
      withSetting(async (at) => {
        const id = await at.make([at.ada]);
        await at.setActive(at.ada, 2, true);
        await at.setActive(at.ada, 3, false);
        await at.setActive(at.ada, 4, false);
        assert.deepEqual(await at.counted(id), { edits: 2, revisions: 1, version: 1 });
      }));

    test('only overrides that have not ended name somebody', () =>
      withSetting(async (at) => {
        const [over, current] = [await at.make([at.ada]), await at.make([at.ada])];
        await at.override(over, 1, at.bob);
        await at.override(current, 10, at.bob, at.ada);
        await at.setActive(at.bob, 14, false);
        assert.deepEqual((await at.counted(over))?.edits, 2);
        assert.deepEqual((await at.counted(current))?.edits, 3);
        const seen = await Promise.all([12, 15].map((hours) => at.onCall(current, hours)));
        assert.deepEqual(seen, ['bob by override', 'ada by 0']);
      }));

    test('whoever was inactive before a schedule named them is so from that edit on', () =>
      withSetting(async (at) => {
        const id = await at.make([at.bob]);
        await at.setActive(at.ada, 1, false);
        await at.setActive(at.eve, 1, false);
        await at.save(id, 2, [at.bob], [at.ada]);
        assert.equal(await at.onCall(id, 3), 'bob by 0');
        await at.override(id, 4, at.eve);
        assert.equal(await at.onCall(id, 5), 'bob by 0');
        assert.deepEqual(await at.counted(id), { edits: 3, revisions: 2, version: 2 });
        const made = await at.make([at.ada, at.bob]);
        assert.equal(await at.onCall(made, 1), null);
        await at.setActive(at.ada, 6, true);
        assert.equal(await at.onCall(id, 7), 'ada by 1');
      }));

    test('an archived schedule that is restored knows who left meanwhile', () =>
      withSetting(async (at) => {
        const id = await at.make([at.bob], [at.ada]);
        await at.archive(id, 1);
        await at.setActive(at.ada, 2, false);
        await at.restore(id, 3);
        assert.equal(await at.onCall(id, 4), 'bob by 0');
      }));

    test('whoever leaves while a save names them is on call nowhere', () =>
      withSetting(async (at) => {
        const ids = await Promise.all(Array.from({ length: 8 }, () => at.make([at.bob])));
        await Promise.all([
          ...ids.slice(0, 4).map((id) => at.save(id, 1, [at.bob], [at.ada])),
          at.setActive(at.ada, 1, false),
          ...ids.slice(4).map((id) => at.save(id, 1, [at.bob], [at.ada])),
        ]);
        for (const id of ids) assert.equal(await at.onCall(id, 2), 'bob by 0');
      }));

    test('before the rules of this release nothing is noted, and who is inactive then is so from then on', () =>
      withSetting(async (at) => {
        await at.sql`update schedule_rules set in_force_from = null`;
        assert.equal(await newScheduleRulesApply(at.sql), false);
        const id = await at.make([at.bob], [at.ada]);
        await at.override(id, 1, at.eve);
        await at.setActive(at.ada, 2, false);
        await at.setActive(at.eve, 2, false);
        await at.setActive(at.eve, 3, true);
        await at.setActive(at.eve, 4, false);
        assert.equal(await at.onCall(id, 5), 'eve by override');
        assert.deepEqual(await at.counted(id), { edits: 2, revisions: 1, version: 1 });
        assert.deepEqual(await at.begin(6), { areNew: true, schedules: 1 });
        assert.equal(await newScheduleRulesApply(at.sql), true);
        const seen = await Promise.all([5, 7, 14].map((hours) => at.onCall(id, hours)));
        assert.deepEqual(seen, ['eve by override', 'bob by 0', 'bob by 0']);
        assert.deepEqual(await at.counted(id), { edits: 3, revisions: 1, version: 1 });
      }));

    test('what a server of 0.1.0 changes of people while the rules are in force is noted at the next start', () =>
      withSetting(async (at) => {
        const id = await at.make([at.eve], [at.bob], [at.ada]);
        const other = await at.make([at.ada, at.bob]);
        await at.setActive(at.bob, 1, false);
        // It notes nothing.
        await at.sql`update users set active = not active where id in (${at.ada}, ${at.bob})`;
        assert.equal(await at.onCall(id, 2), 'ada by 2');
        assert.deepEqual(await at.begin(3), { areNew: false, schedules: 2 });
        const seen = await Promise.all([1, 2, 4].map((hours) => at.onCall(id, hours)));
        assert.deepEqual(seen, ['ada by 2', 'ada by 2', 'bob by 1']);
        assert.equal(await at.onCall(other, 4), null);
        const counted = await at.counted(id);
        assert.deepEqual([counted?.revisions, counted?.version], [1, 1]);
        assert.deepEqual(await at.begin(5), { areNew: false, schedules: 0 });
        assert.deepEqual(await at.counted(id), counted);
      }));
  });
