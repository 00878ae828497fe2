// What it costs to find that nothing may be claimed beside 100,000 notices, and to find the one
// page that may: on a database of its own, so that no server sends them meanwhile.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import type { Ledger } from '../src/engine/ledger.ts';
import { silentLog } from '../src/engine/log.ts';
import type { ClaimRequest } from '../src/engine/ports/sending.ts';
import { startBundledPostgres } from '../src/storage/bundled/postgres-server.ts';
import { openDatabase, type Sql } from '../src/storage/database/database.ts';
import { migrate } from '../src/storage/database/migrate.ts';
import { createLedger } from '../src/storage/ledger/ledger.ts';
import { createSealer, createSecrets, randomKeys } from '../src/storage/sealed/secrets.ts';
import { cacheFor } from '../test/configuration.ts';
import { noFaults as faults } from '../test/no-faults.ts';
import { quantile } from './load.ts';
import { type Report, times } from './report.ts';

const waiting = 100_000;
const claims = 300;
const folder = fileURLToPath(new URL('../migrations/', import.meta.url));
const now = Temporal.Instant.from('2026-03-02T12:00:00Z');
const minute = { minutes: 1 } as const;

export async function measureClaims(report: Report): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-bench-claims-'));
  try {
    await using postgres = await startBundledPostgres({ dataDir, log: silentLog });
    await using database = await openDatabase({ url: postgres.url, log: silentLog });
    await migrate({ sql: database.sql, folder, clock: systemClock, log: silentLog });
    await measure(database.sql, report);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(sql: Sql, report: Report): Promise<void> {
  const ids = createIds(systemClock);
  const secrets = createSecrets(createSealer('s'.repeat(32)), randomKeys());
  const ledger = createLedger({ sql, ids, secrets, configurations: cacheFor(), faults });
  const busy = ['email busy'];
  await park(sql, now);
  report(
    'an empty claim beside 100,000 notices to a busy recipient',
    await timed(ledger, { busy }),
  );
  await sql`update outbox set wake_at = ${now.add(minute)}`;
  report('an empty claim beside 100,000 that wait to be tried again', await timed(ledger, {}));
  await sql`delete from outbox`;
  await park(sql, now.add(minute), 10_000);
  report('the same, of 10,000 receivers', await timed(ledger, {}));
}

const park = (sql: Sql, wakeAt: Temporal.Instant, recipients = 1) => sql`
  insert into outbox (organization_id, key, kind, channel, recipient_key, notice, cycle, step, rank,
    state, attempts, created_at, wake_at)
  select ${'0'.repeat(24)}, 'page ' || i, 'page', 'email',
    case when ${recipients}::int = 1 then 'email busy' else 'email ' || i % ${recipients}::int end,
    '{}', 0, 0, 0, 'pending', 0, ${now}, ${wakeAt}
  from generate_series(1, ${waiting}::int) i`;

async function timed(ledger: Ledger, options: Partial<ClaimRequest>): Promise<string> {
  const request = { now, leaseUntil: now.add(minute), limit: 128, busy: [], perRecipient: 4 };
  const took: number[] = [];
  for (let count = 0; count < claims; count += 1) {
    const begins = performance.now();
    const claimed = await ledger.transact((tx) => tx.claim({ ...request, ...options }, () => null));
    took.push(performance.now() - begins);
    if (claimed.length > 0) throw new Error('something was claimed');
  }
  took.sort((a, b) => a - b);
  return times({ p50: quantile(took, 0.5), p99: quantile(took, 0.99) });
}
