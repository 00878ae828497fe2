import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets as secrets } from '../../test/api.ts';
import { cacheFor } from '../../test/configuration.ts';
import { anyDatabase, testDatabase } from '../../test/database.ts';
import { noFaults as faults } from '../../test/no-faults.ts';
import { eventually } from '../../test/system/eventually.ts';
import { seedOrganization } from '../../test/world.ts';
import { systemClock } from '../engine/clock.ts';
import { createIds } from '../engine/ids.ts';
import { silentLog } from '../engine/log.ts';
import { startLoop } from '../engine/loop.ts';
import { createMetrics } from '../metrics.ts';
import type { Sql } from '../storage/database.ts';
import { createIdempotentAnswers } from '../storage/records/idempotent-answers.ts';
import { chores } from './upkeep.ts';

const clock = systemClock;

test('a chore that fails is counted by its name, and the others are done', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  await seedExpiredSession(sql);
  await sql`drop table idempotent_answers`;
  const metrics = createMetrics({
    eventsWaiting: () => 0,
    eventBytes: () => 0,
    noticesInFlight: () => 0,
    pools: () => [],
  });
  const told: string[] = [];
  const log = {
    ...silentLog,
    error: (fields: object) => void ('loop' in fields && told.push(String(fields.loop))),
  };
  {
    await using loops = new AsyncDisposableStack();
    const kept = {
      ...{ sql, secrets, clock, log, metrics, ids: createIds(clock), configurations: cacheFor() },
      faults,
      config: { eventRetentionDays: 90, databaseUrl: database.url, dataDir: '' },
      answers: createIdempotentAnswers(sql, secrets),
    };
    for (const [name, chore] of chores(kept))
      loops.use(startLoop({ name, ...chore, clock, log, failed: () => metrics.loopFailed(name) }));
    await eventually('the failure is counted', async () =>
      (await metrics.text()).includes('pager_loop_failures_total{loop="idempotent_answers"} 1'),
    );
    await eventually('the expired session is forgotten', async () => {
      const sessions = await sql`select from auth_sessions`;
      return sessions.length === 0;
    });
  }
  assert.deepEqual([...new Set(told)], ['idempotent_answers']);
});

async function seedExpiredSession(sql: Sql): Promise<void> {
  const now = clock.now();
  const made = { created_at: now, updated_at: now };
  const { users } = await seedOrganization(sql, { users: [{ name: 'ada' }] });
  const user = { id: users['ada'] ?? '', name: 'Ada', email: 'ada@example.test', ...made };
  await sql`insert into auth_users ${sql({ ...user, email_verified: true })}`;
  const session = { id: 's'.repeat(24), user_id: user.id, token: 't', ...made };
  await sql`insert into auth_sessions ${sql({ ...session, expires_at: now.subtract({ hours: 1 }) })}`;
}
