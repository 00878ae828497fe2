// A ledger as it was stored before the migration 0026, and what becomes of it.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { databases, type TestServer, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { silentLog } from '../../engine/log.ts';
import type { Sql } from '../database.ts';
import { listTimeline } from '../incidents/timeline.ts';
import { auditLedger, type Finding } from '../ledger-audit/audit.ts';
import { beginChains } from '../ledger-audit/began.ts';
import { migrate } from '../migrate.ts';
import { claimInstallation } from '../sealed/installation.ts';
import type { Secrets } from '../secrets.ts';
import { chain, type Entry, removalSealOf } from './chain.ts';
import { renameEntryTypes } from './rename-entry-types.ts';
import { parseEscalation } from './stored-incident.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'migrations');
const clock = systemClock;
const ids = createIds(clock);
const at = Temporal.Instant.from('2026-03-02T09:00:00Z');
const types = ['opened', 'delayed', 'late', 'step_fired', 'noted', 'acknowledged', 'resolved'];
const newTypes = types.with(1, 'paging_delayed').with(2, 'step_late').with(3, 'step_ran');
const story = newTypes.with(4, 'unchanged');

type Old = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly organizationId: string;
  readonly incidentIds: readonly string[];
};

async function migrateBefore(sql: Sql): Promise<void> {
  const older = await mkdtemp(join(tmpdir(), 'pager-migrations-'));
  try {
    await cp(folder, older, { recursive: true });
    for (const name of await readdir(older)) if (name >= '0026') await rm(join(older, name));
    await migrate({ sql, folder: older, clock, log: silentLog });
  } finally {
    await rm(older, { recursive: true });
  }
}

const migrateAll = (sql: Sql) => migrate({ sql, folder, clock, log: silentLog });

/** Three incidents of seven entries, chained; the first two entries of the last are removed. */
async function storeOldLedger(sql: Sql): Promise<Old> {
  const secrets = await claimInstallation(sql, 'k'.repeat(40));
  await beginChains(sql, secrets, clock.now());
  const { organizationId, teams } = await seedOrganization(sql);
  const incidentIds = [1, 2, 3].map(() => ids.next());
  const teamId = teams['ops'] ?? '';
  for (const [index, id] of incidentIds.entries()) {
    await storeIncident(sql, { organizationId, teamId, id, number: index + 1 });
    await storeTimeline({ sql, secrets }, { organizationId, id, isRemoved: index === 2 });
  }
  await sql`
    insert into counters (organization_id, kind, last) values (${organizationId}, 'incident', 3)`;
  return { sql, secrets, organizationId, incidentIds };
}

type Of = { readonly organizationId: string; readonly id: string };

async function storeIncident(
  sql: Sql,
  { organizationId, teamId, id, number }: Of & { readonly teamId: string; readonly number: number },
): Promise<void> {
  const escalation = {
    ...{ v: 1, policyName: 'Ops', delayMinutes: 1, repeats: false, ackTimeoutMinutes: null },
    ...{ autoResolve: null, cycle: 0, nextStep: 1, repeatsLeft: 0, pagedInCycle: true },
    ...{ stepAt: null, heldMs: 1_500, ackTimeoutAt: null, resolveAt: null, expiresAt: null },
    ...{ recentTriggers: [], storm: null, prioritySetByPerson: false, severitySetByPerson: false },
    ...{ suppressedAt: [], repeatedAt: [], appliedRules: [] },
    ...(number > 1 && { stormToldAt: number > 2 ? `${at}` : null }),
  };
  await sql`
    insert into incidents ${sql({
      ...{ organization_id: organizationId, id, number, title: 'disk', status: 'resolved' },
      ...{ team_id: teamId, service_id: id, integration_id: id, source_integration_id: id },
      ...{ escalation_policy_id: id, dedup_key: 'disk', links: '[]', responder_ids: '[]' },
      ...{ suppressed_count: 0, repeat_count: 0, created_at: at, updated_at: at },
      ...{ resolved_at: at, resolved_by_timer: false, steps: '[]' },
      escalation: sql.json(escalation),
    })}`;
}

async function storeTimeline(
  { sql, secrets }: Pick<Old, 'sql' | 'secrets'>,
  { organizationId: organization_id, id: incident_id, isRemoved }: Of & { isRemoved: boolean },
): Promise<void> {
  const on = { organization_id, incident_id };
  const entries = types.map(
    (type, index): Entry => ({
      ...{ ...on, id: ids.next(), at: at.add({ minutes: index }), type, text: `It is ${type}` },
      ...{ actor: null, details: { step: index } },
    }),
  );
  const chained = chain(entries, [], secrets.mac);
  for (const { text: says, sequence: place, details, actor, ...entry } of chained.entries)
    if (!isRemoved || place > 2)
      await sql`
        insert into timeline ${sql({ ...entry, says, place, details: sql.json(details as never) })}`;
  const last = chained.entries[1];
  const removal = { entries: 2, mac: last?.mac ?? '', at };
  const note = {
    ...{ removed_entries: 2, removed_mac: removal.mac, removed_at: at },
    removal_seal: removalSealOf(on, removal, secrets.mac),
  };
  for (const head of chained.heads)
    await sql`insert into timeline_heads ${sql({ ...head, ...(isRemoved && note) })}`;
}

async function findingsOf({ sql, secrets }: Old): Promise<Finding[]> {
  const findings: Finding[] = [];
  await auditLedger({ sql, secrets }, (finding) => findings.push(finding));
  return findings;
}

const timelinesOf = ({ sql, organizationId, incidentIds }: Old) =>
  Promise.all(
    incidentIds.map(async (incidentId) => {
      const rows = await listTimeline(
        sql,
        { organizationId, incidentId },
        { limit: 9, after: null },
      );
      return rows.map(({ type, text }) => `${type}: ${text}`);
    }),
  );

const reads = story.map((type, index) => `${type}: It is ${types[index]}`);

async function withOldLedger(server: TestServer, work: (old: Old) => Promise<void>) {
  await using database = await testDatabase({ server, migrations: 'none' });
  await migrateBefore(database.sql);
  await work(await storeOldLedger(database.sql));
}

for (const server of await databases()) {
  describe(server.name, () => {
    test('timelines read on, their chains are whole, and the audit log says what changed', () =>
      withOldLedger(server, async (old) => {
        const { sql } = old;
        await migrateAll(sql);
        assert.deepEqual(await findingsOf(old), []);
        await renameEntryTypes({ ...old, ids, clock });
        await renameEntryTypes({ ...old, ids, clock });
        assert.deepEqual(await timelinesOf(old), [reads, reads, reads.slice(2)]);
        assert.deepEqual(await findingsOf(old), []);
        const logged = await sql`select action, after from audit_log`;
        assert.deepEqual(
          logged.map(({ action, after }) => [action, after.timeline_entry_types.step_fired]),
          [['rename_entry_types', 'step_ran']],
        );
      }));

    test('what incidents keep of their escalation is under its new names', () =>
      withOldLedger(server, async ({ sql }) => {
        await migrateAll(sql);
        const rows = await sql`select escalation from incidents order by number`;
        const read = rows.map(({ escalation }) => parseEscalation(escalation));
        assert.deepEqual(
          read.map((one) => [one.stepRemainingMs, one.stormNotifiedAt, 'heldMs' in one]),
          [
            [1_500, null, false],
            [1_500, null, false],
            [1_500, at, false],
          ],
        );
      }));

    test('a start that is killed between two timelines is finished by the next', () =>
      withOldLedger(server, async (old) => {
        await migrateAll(old.sql);
        let left = 20;
        const mac = (text: string) => {
          left -= 1;
          if (left < 0) throw new Error('killed');
          return old.secrets.mac(text);
        };
        const dying = { ...old, secrets: { ...old.secrets, mac }, ids, clock };
        await assert.rejects(renameEntryTypes(dying, 1), /killed/);
        const [first, second] = await timelinesOf(old);
        assert.deepEqual([first, second?.[3]], [reads, 'step_fired: It is step_fired']);
        assert.deepEqual(await findingsOf(old), []);
        await renameEntryTypes({ ...old, ids, clock }, 1);
        assert.deepEqual(await timelinesOf(old), [reads, reads, reads.slice(2)]);
        assert.deepEqual(await findingsOf(old), []);
        assert.equal((await old.sql`select from audit_log`).length, 1);
      }));

    test('what somebody changed before is found after', () =>
      withOldLedger(server, async (old) => {
        const { sql } = old;
        const [one = '', two = '', three = ''] = old.incidentIds;
        await sql`
          update timeline set says = 'Nobody was asleep' where incident_id = ${one} and place = 2`;
        await sql`delete from timeline where incident_id = ${two} and place > 5`;
        await sql`update timeline_heads set seal = 'x' where incident_id = ${three}`;
        await sql`delete from timeline where incident_id = ${three} and place = 4`;
        await migrateAll(sql);
        const before = await findingsOf(old);
        assert.equal(before.length, 4);
        await renameEntryTypes({ ...old, ids, clock });
        assert.deepEqual(await findingsOf(old), before);
      }));
  });
}
