import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets as secrets } from '../../test/api.ts';
import { cacheFor } from '../../test/configuration.ts';
import { anyDatabase, testDatabase } from '../../test/database.ts';
import { noFaults as faults } from '../../test/no-faults.ts';
import { startRecordsApi } from '../../test/records-api.ts';
import { withPager } from '../../test/stories/story.ts';
import { eventually } from '../../test/system/eventually.ts';
import { seedOrganization } from '../../test/world.ts';
import { systemClock } from '../engine/clock.ts';
import { createIds } from '../engine/ids.ts';
import { silentLog } from '../engine/log.ts';
import { startLoop } from '../engine/loop.ts';
import { createMetrics } from '../metrics.ts';
import type { Sql } from '../storage/database/database.ts';
import { createIdempotentAnswers } from '../storage/records/idempotent-answers.ts';
import { chores } from './housekeeping.ts';

const clock = systemClock;
const metrics = createMetrics({
  eventsWaiting: () => 0,
  eventBytes: () => 0,
  eventStreams: () => 0,
  now: () => clock.now(),
  noticesInFlight: () => 0,
  editsInFlight: () => 0,
  pools: () => [],
  clockAhead: () => 0,
});

const partsFor = (sql: Sql) => ({
  sql,
  secrets,
  clock,
  metrics,
  faults,
  ids: createIds(clock),
  configurations: cacheFor(),
  config: { eventRetentionDays: 90, databaseUrl: 'postgres://elsewhere', dataDir: '' },
  answers: createIdempotentAnswers(sql, secrets),
  log: silentLog,
});

test('a chore that fails is counted by its name, and the others are done', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  await seedExpiredSession(sql);
  await sql`drop table idempotent_answers`;
  const failing: string[] = [];
  const log = {
    ...silentLog,
    error: (fields: object) => void ('loop' in fields && failing.push(String(fields.loop))),
  };
  {
    await using loops = new AsyncDisposableStack();
    for (const [name, chore] of chores({ ...partsFor(sql), log, metrics }))
      loops.use(startLoop({ name, ...chore, clock, log, failed: () => metrics.loopFailed(name) }));
    await eventually('the failure is counted', async () =>
      (await metrics.text()).includes('pager_loop_failures_total{loop="idempotent_answers"} 1'),
    );
    await eventually('the expired session is forgotten', async () => {
      const sessions = await sql`select from auth_sessions`;
      return sessions.length === 0;
    });
  }
  assert.deepEqual([...new Set(failing)], ['idempotent_answers']);
});

test('tables that have grown are analyzed', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  await sql`create table grown (text text) with (autovacuum_enabled = false)`;
  await sql`insert into grown select repeat('x', 1000) from generate_series(1, 1000)`;
  await chores(partsFor(sql)).get('statistics')?.work();
  const [grown] = await sql`select reltuples as rows from pg_class where relname = 'grown'`;
  assert.deepEqual({ ...grown }, { rows: 1_000 });
});

test('tokens from before their first characters were stored are completed', async () => {
  await using at = await startRecordsApi();
  const { sql } = at;
  await at.integration(await at.make('services', { name: 's' }), await at.policy());
  await sql`delete from integration_short_tokens`;
  await chores(partsFor(sql)).get('short_tokens')?.work();
  assert.equal((await sql`select from integration_short_tokens`).length, 1);
});

test('events go after the days that the server keeps them', () =>
  withPager(async (pager) => {
    const { sql } = pager;
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'nothing is open', status: 'resolve' });
    const eventsAfter = async (days: number) => {
      const now = pager.clock.now().add({ hours: 24 * days });
      const retention = chores({ ...partsFor(sql), clock: { now: () => now } }).get('retention');
      // A turn for each kind, until nothing is left.
      for (let turn = 0; turn < 10; turn += 1) await retention?.work();
      return (await sql`select from events`).length;
    };
    assert.deepEqual([await eventsAfter(89), await eventsAfter(91)], [1, 0]);
  }));

async function seedExpiredSession(sql: Sql): Promise<void> {
  const now = clock.now();
  const made = { created_at: now, updated_at: now };
  const { users } = await seedOrganization(sql, { users: [{ name: 'ada' }] });
  const user = { id: users['ada'] ?? '', name: 'Ada', email: 'ada@example.test', ...made };
  await sql`insert into auth_users ${sql({ ...user, email_verified: true })}`;
  const session = { id: 's'.repeat(24), user_id: user.id, token: 't', ...made };
  await sql`insert into auth_sessions ${sql({ ...session, expires_at: now.subtract({ hours: 1 }) })}`;
}
