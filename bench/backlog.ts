// One organization's event behind a hundred thousand stored ones of another.

import { randomBytes } from 'node:crypto';
import { systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import { silentLog } from '../src/engine/log.ts';
import type { StoredEvent } from '../src/engine/ports/events.ts';
import { openDatabase, type Sql } from '../src/storage/database/database.ts';
import { createLedger } from '../src/storage/ledger/ledger.ts';
import { cacheFor } from '../test/configuration.ts';
import { pushed } from '../test/http-event.ts';
import { seedIntegration } from '../test/monitoring.ts';
import { noFaults as faults } from '../test/no-faults.ts';
import { buildSecrets } from '../test/secrets.ts';
import { seedOrganization } from '../test/world.ts';
import type { Report } from './report.ts';
import type { Bench } from './world.ts';

const loud = 100_000;
const atOnce = 5_000;
/** So many alerts have one key: one opens an incident, the others are counted onto it. */
const repeats = 50;

export async function measureBacklog(bench: Bench, report: Report): Promise<void> {
  await using database = await openDatabase({ url: bench.databaseUrl, log: silentLog });
  const { sql } = database;
  const secrets = buildSecrets(randomBytes(32).toString('hex'));
  const ids = createIds(systemClock);
  const ledger = createLedger({ sql, ids, secrets, configurations: cacheFor(), faults });
  // Made first, so that it comes first in the order of ids.
  const [first, second] = [await seedQuietIntegration(sql), await seedQuietIntegration(sql)];
  await ledger.transact(async (tx) => {
    for (let from = 0; from < loud; from += atOnce) {
      const events = Array.from({ length: atOnce }, (_, at) => eventOf(first, from + at, ids));
      await tx.insertEvents(events.map((event) => ({ event, decision: null })));
    }
  });
  // The server has begun to work them off.
  await until(() => decidedOf(sql, first));
  const event = eventOf(second, loud, ids);
  await ledger.transact((tx) => tx.insertEvents([{ event, decision: null }]));
  const begins = performance.now();
  await until(() => decidedOf(sql, second));
  const one = performance.now() - begins;
  await until(async () => ((await ledger.hasBacklog()) ? [] : ['none']));
  const all = (performance.now() - begins) / 1_000;
  const stored = loud.toLocaleString('en');
  const what = `one event decided behind ${stored} of another organization`;
  report(what, `${one.toFixed(0)} ms`, `all after ${all.toFixed(1)} s`);
}

type IntegrationRef = Pick<StoredEvent, 'organization_id' | 'integration_id'>;

/** Whom it pages is a day away. */
async function seedQuietIntegration(sql: Sql): Promise<IntegrationRef> {
  const now = systemClock.now();
  const { organizationId, teams } = await seedOrganization(sql);
  const scope = { organizationId, teamId: teams['ops'] ?? '', now };
  const steps = [{ targets: [] }];
  const { id } = await seedIntegration(sql, scope, { steps, delayMinutes: 1_440 });
  return { organization_id: organizationId, integration_id: id };
}

const eventOf = (
  integration: IntegrationRef,
  n: number,
  ids: ReturnType<typeof createIds>,
): StoredEvent => ({
  ...integration,
  id: ids.next(),
  received_at: systemClock.now(),
  ...pushed,
  body: Buffer.from(JSON.stringify({ title: `Waiting ${Math.floor(n / repeats)}` })),
});

const decidedOf = (sql: Sql, { organization_id }: IntegrationRef) => sql`
  select from events where organization_id = ${organization_id} and decided_at is not null limit 1`;

async function until(query: () => Promise<readonly unknown[]>): Promise<void> {
  const end = performance.now() + 600_000;
  while ((await query()).length === 0) {
    if (performance.now() > end) throw new Error('it took more than ten minutes');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
