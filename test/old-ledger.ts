// A ledger as it was stored before the migration 0026.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import { silentLog } from '../src/engine/log.ts';
import type { Sql } from '../src/storage/database/database.ts';
import { migrate } from '../src/storage/database/migrate.ts';
import { chain, type Entry, removalSealOf } from '../src/storage/ledger/chain.ts';
import { auditLedger, type Finding } from '../src/storage/ledger-audit/audit.ts';
import { beginChains } from '../src/storage/ledger-audit/began.ts';
import { json } from '../src/storage/records/rows.ts';
import { claimInstallation } from '../src/storage/sealed/installation.ts';
import type { Secrets } from '../src/storage/sealed/secrets.ts';
import { seedOrganization } from './world.ts';

export const migrationsFolder = join(import.meta.dirname, '..', 'migrations');
const clock = systemClock;
const ids = createIds(clock);
const at = Temporal.Instant.from('2026-03-02T09:00:00Z');
export const oldSecretKey = 'k'.repeat(40);
export const oldTypes = [
  ...['opened', 'delayed', 'late', 'step_fired', 'noted', 'nobody_paged', 'resolved'],
];
const reached = { told: [{ user_id: 'ada' }], skipped: [{ user_id: 'told' }] };

export type OldLedger = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly organizationId: string;
  readonly incidentIds: readonly string[];
};

export async function migrateBefore(sql: Sql): Promise<void> {
  const older = await mkdtemp(join(tmpdir(), 'pager-migrations-'));
  try {
    await cp(migrationsFolder, older, { recursive: true });
    for (const name of await readdir(older)) if (name >= '0026') await rm(join(older, name));
    await migrate({ sql, folder: older, clock, log: silentLog });
  } finally {
    await rm(older, { recursive: true });
  }
}

export const migrateAll = (sql: Sql) =>
  migrate({ sql, folder: migrationsFolder, clock, log: silentLog });

/** Incidents of so many entries, chained; the first two entries of the third are removed. */
export async function storeOldLedger(sql: Sql, lengths = [7, 7, 7]): Promise<OldLedger> {
  const secrets = await claimInstallation(sql, oldSecretKey);
  await beginChains(sql, secrets, clock.now());
  const { organizationId, teams } = await seedOrganization(sql);
  const incidentIds = lengths.map(() => ids.next());
  const teamId = teams['ops'] ?? '';
  for (const [index, id] of incidentIds.entries()) {
    await storeIncident(sql, { organizationId, teamId, id, number: index + 1 });
    const length = lengths[index] ?? 0;
    await storeTimeline({ sql, secrets }, { organizationId, id, length, isRemoved: index === 2 });
  }
  await sql`
    insert into counters (organization_id, kind, last)
    values (${organizationId}, 'incident', ${lengths.length})`;
  return { sql, secrets, organizationId, incidentIds };
}

type Of = { readonly organizationId: string; readonly id: string };

async function storeIncident(
  sql: Sql,
  { organizationId, teamId, id, number }: Of & { readonly teamId: string; readonly number: number },
): Promise<void> {
  const escalation = {
    v: 1,
    policyName: 'Ops',
    delayMinutes: 1,
    repeats: false,
    ackTimeoutMinutes: null,
    autoResolve: null,
    cycle: 0,
    nextStep: 1,
    repeatsLeft: 0,
    pagedInCycle: true,
    stepAt: null,
    heldMs: 1_500,
    ackTimeoutAt: null,
    resolveAt: null,
    expiresAt: null,
    recentTriggers: [],
    storm: null,
    prioritySetByPerson: false,
    severitySetByPerson: false,
    suppressedAt: [],
    repeatedAt: [],
    appliedRules: [],
    ...(number > 1 && { stormToldAt: number > 2 ? `${at}` : null }),
  };
  await sql`
    insert into incidents ${sql({
      organization_id: organizationId,
      id,
      number,
      title: 'disk',
      status: 'resolved',
      team_id: teamId,
      service_id: id,
      integration_id: id,
      source_integration_id: id,
      escalation_policy_id: id,
      dedup_key: 'disk',
      links: '[]',
      responder_ids: '[]',
      suppressed_count: 0,
      repeat_count: 0,
      created_at: at,
      updated_at: at,
      resolved_at: at,
      resolved_by_timer: false,
      steps: '[]',
      escalation: sql.json(escalation),
    })}`;
}

type Timeline = Of & { readonly length: number; readonly isRemoved: boolean };

async function storeTimeline(
  { sql, secrets }: Pick<OldLedger, 'sql' | 'secrets'>,
  { organizationId: organization_id, id: incident_id, length, isRemoved }: Timeline,
): Promise<void> {
  const on = { organization_id, incident_id };
  const entries = Array.from({ length }, (_, index): Entry => {
    const type = oldTypes[index % oldTypes.length] ?? '';
    const details = type === 'nobody_paged' ? reached : { step: index };
    const of = { ...on, id: ids.next(), at: at.add({ seconds: index }) };
    return { ...of, type, text: `It is ${type}`, actor: null, details };
  });
  const chained = chain(entries, [], secrets.mac);
  const left = chained.entries.filter(({ sequence }) => !isRemoved || sequence > 2);
  const rows = left.map(({ text: says, sequence: place, ...entry }) => ({ ...entry, says, place }));
  await sql`
    insert into timeline
    select * from json_populate_recordset(null::timeline, ${json(sql, rows)})`;
  const last = chained.entries[1];
  const removal = { entries: 2, mac: last?.mac ?? '', at };
  const note = {
    removed_entries: 2,
    removed_mac: removal.mac,
    removed_at: at,
    removal_seal: removalSealOf(on, removal, secrets.mac),
  };
  for (const head of chained.heads)
    await sql`insert into timeline_heads ${sql({ ...head, ...(isRemoved && note) })}`;
}

export async function findingsOf({ sql, secrets }: OldLedger): Promise<Finding[]> {
  const findings: Finding[] = [];
  await auditLedger({ sql, secrets }, (finding) => findings.push(finding));
  return findings;
}
