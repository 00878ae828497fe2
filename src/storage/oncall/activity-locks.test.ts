// Writes that touch the same people, schedules and rules wait for each other, and never in a circle.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { databases, testDatabase } from '../../../test/database.ts';
import { eventually } from '../../../test/system/eventually.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { type Sql, transact } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import { changeUser } from '../people/users.ts';
import { createRecords } from '../records/records.ts';
import { beginScheduleRules } from './activity.ts';
import { createOverrides } from './overrides.ts';

const now = Temporal.Instant.from('2026-03-02T00:00:00Z');

/** Two schedules that name Ada, in the order in which their cursors are locked. */
async function setting(sql: Sql) {
  const world = await seedOrganization(sql, { users: [{ name: 'ada' }, { name: 'bob' }] });
  const { organizationId } = world;
  const { ada = '', bob = '' } = world.users;
  const ids = createIds(systemClock);
  const records = createRecords({ sql, secrets: testSecrets, ids });
  const actor = { kind: 'key', id: '0'.repeat(24), name: 'ci' };
  const act: Act = { organizationId, teamIds: null, actor, requestId: null, now };
  const fields = (...users: string[]) => ({
    name: 'Rota',
    timezone: 'Etc/UTC',
    layers: [{ users, rotation: { length: 1, unit: 'weeks' } }],
  });
  const draft = async () => ({ teamId: world.teams['ops'] ?? '', fields: fields(ada, bob) });
  const first = (await records.create(oncallSchedule, act, draft)).id;
  const second = (await records.create(oncallSchedule, act, draft)).id;
  const attempts: string[] = [];
  const setActive = (active: boolean) =>
    changeUser(sql, {
      act,
      ids,
      id: ada,
      change: (before) => {
        attempts.push('activity');
        return { ...before, active };
      },
    });
  const writes = {
    deactivation: () => setActive(false),
    save: () =>
      records.update(oncallSchedule, { key: second, act, expectedVersion: null }, async () => {
        attempts.push('save');
        return fields(bob, ada);
      }),
    override: () =>
      createOverrides(
        { sql, ids },
        {
          act,
          schedule: second,
          decide: async () => {
            attempts.push('override');
            return [{ user_id: ada, start: `${now}`, end: `${now.add({ hours: 1 })}` }];
          },
        },
      ),
    rules: () =>
      transact(sql, (tx) => {
        attempts.push('rules');
        return beginScheduleRules(tx, now);
      }),
  };
  const waiting = async (count: number) => {
    await eventually(`${count} wait`, async () => {
      const rows = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return rows.length >= count;
    });
  };
  return { sql, first, second, attempts, setActive, writes, waiting };
}

type Setting = Awaited<ReturnType<typeof setting>>;
type Write = keyof Setting['writes'];

/** While something else holds a cursor, one write begins and waits, then the other. */
async function cross(at: Setting, writes: readonly [Write, Write], held: string): Promise<void> {
  at.attempts.length = 0;
  const all: Promise<unknown>[] = [];
  await transact(at.sql, async (tx) => {
    await tx`select from shift_cursors where oncall_schedule_id = ${held} for update`;
    for (const write of writes) {
      all.push(at.writes[write]());
      await at.waiting(all.length);
    }
  });
  await Promise.all(all);
  // Whoever is chosen to end a deadlock begins again.
  assert.equal(at.attempts.length, 2, at.attempts.join());
}

for (const server of await databases())
  describe(`locks of activity, on ${server.name}`, () => {
    const pairs: readonly { by: readonly [Write, Write]; holds: 'first' | 'second' }[] = [
      { by: ['deactivation', 'save'], holds: 'first' },
      { by: ['save', 'deactivation'], holds: 'second' },
      { by: ['deactivation', 'override'], holds: 'first' },
      { by: ['override', 'deactivation'], holds: 'second' },
      { by: ['rules', 'save'], holds: 'first' },
      { by: ['save', 'rules'], holds: 'second' },
      { by: ['rules', 'override'], holds: 'first' },
    ];
    for (const { by, holds } of pairs)
      test(`${by[0]}, then ${by[1]}`, async () => {
        await using database = await testDatabase({ server });
        const at = await setting(database.sql);
        if (by.includes('rules')) {
          await at.sql`update schedule_rules set in_force_from = null`;
          await at.setActive(false);
        }
        await cross(at, by, at[holds]);
        const [counted] = await at.sql`
          select deadlocks from pg_stat_database where datname = current_database()`;
        assert.deepEqual({ ...counted }, { deadlocks: 0 });
      });
  });
