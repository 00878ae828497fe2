import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { seedIntegration } from '../../../test/monitoring.ts';
import { seedOrganization } from '../../../test/world.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { removeEnds } from './alert-ends.ts';

for (const server of await databases())
  describe(`ends of deduplication keys, ${server.name}`, () => {
    test('of an integration that has too many, the oldest are forgotten', async () => {
      await using database = await testDatabase({ server });
      const { sql } = database;
      const now = Temporal.Now.instant();
      const { organizationId, teams } = await seedOrganization(sql, {
        teams: ['ops'],
        users: [],
        clock: { now: () => now },
      });
      const scope = { organizationId, teamId: teams['ops'] ?? '', now };
      const [full, usual] = [
        await seedIntegration(sql, scope, { steps: [] }),
        await seedIntegration(sql, scope, { steps: [] }),
      ];
      /** Four at each instant, so that the limit lies among those of one. */
      const remember = (integration: string, ends: number) => sql`
        insert into alert_ends (organization_id, integration_id, dedup_key, reported_by, ended_at,
          taken_at)
        select ${organizationId}, ${integration}, 'key ' || to_char(n, 'FM000000'), 'mail', ${now},
          ${now}::timestamptz + n / 4 * interval '1 second'
        from generate_series(1, ${ends}::integer) n`;
      await remember(full.id, incidentsLimits.ends + 2_000);
      await remember(usual.id, incidentsLimits.ends);
      assert.equal(await removeEnds(sql, now), 2_000);
      const left = await sql<{ integration_id: string; count: number; oldest: string }[]>`
        select integration_id, count(*), min(dedup_key) as oldest from alert_ends
        group by integration_id`;
      const byIntegration = new Map(
        left.map((row) => [row.integration_id, [row.count, row.oldest]]),
      );
      assert.deepEqual(byIntegration.get(full.id), [incidentsLimits.ends, 'key 002001']);
      assert.deepEqual(byIntegration.get(usual.id), [incidentsLimits.ends, 'key 000001']);
      assert.equal(await removeEnds(sql, now), 0);
      assert.equal(
        await removeEnds(sql, now.add({ hours: incidentsLimits.endHours + 24 })),
        20_000,
      );
    });
  });
