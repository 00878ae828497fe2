// What becomes of a ledger that was stored before the migration 0026.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases, type TestServer, testDatabase } from '../../../test/database.ts';
import {
  findingsOf,
  migrateAll,
  migrateBefore,
  type OldLedger,
  oldTypes,
  storeOldLedger,
} from '../../../test/old-ledger.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { silentLog } from '../../engine/log.ts';
import { openDatabase } from '../database/database.ts';
import { listTimeline } from '../incidents/timeline.ts';
import { renameEntries } from './rename-entries.ts';
import { parseEscalation } from './stored-incident.ts';

const clock = systemClock;
const ids = createIds(clock);
const context = { clock, ids, log: silentLog };
const newTypes = oldTypes.with(1, 'paging_delayed').with(2, 'step_late').with(3, 'step_ran');
const story = newTypes.with(4, 'unchanged');
const reads = story.map((type, index) => `${type}: It is ${oldTypes[index]}`);

const readTimelines = ({ sql, organizationId, incidentIds }: OldLedger) =>
  Promise.all(
    incidentIds.map((incidentId) =>
      listTimeline(sql, { organizationId, incidentId }, { limit: 9, after: null }),
    ),
  );

const timelinesOf = async (old: OldLedger) =>
  (await readTimelines(old)).map((rows) => rows.map(({ type, text }) => `${type}: ${text}`));

/** Counts the codes that are made. */
function counted(old: OldLedger, onMac = (_made: number) => {}) {
  let made = 0;
  const mac = (text: string) => {
    made += 1;
    onMac(made);
    return old.secrets.mac(text);
  };
  return { ...old, ...context, secrets: { ...old.secrets, mac }, made: () => made };
}

const oldNames = ({ sql }: OldLedger) => sql`
  select from timeline where type in ('step_fired', 'late', 'delayed', 'noted')
    or details::text like '%"told":%'`;

async function withOldLedger(
  server: TestServer,
  work: (old: OldLedger, url: string) => Promise<void>,
  lengths?: number[],
) {
  await using database = await testDatabase({ server, migrations: 'none' });
  await migrateBefore(database.sql);
  await work(await storeOldLedger(database.sql, lengths), database.url);
}

for (const server of await databases()) {
  describe(server.name, () => {
    test('timelines read on, their chains are whole, and the audit log says what changed', () =>
      withOldLedger(server, async (old) => {
        const { sql } = old;
        await migrateAll(sql);
        assert.deepEqual(await findingsOf(old), []);
        await renameEntries({ ...old, ...context });
        await renameEntries({ ...old, ...context });
        assert.deepEqual(await timelinesOf(old), [reads, reads, reads.slice(2)]);
        assert.deepEqual(await findingsOf(old), []);
        const [first] = await readTimelines(old);
        assert.deepEqual(first?.[5]?.details, {
          notified: [{ user_id: 'ada' }],
          skipped: [{ user_id: 'told' }],
        });
        const logged = await sql`select action, after from audit_log`;
        assert.deepEqual(
          logged.map(({ action, after }) => [
            action,
            after.timeline_entry_types.step_fired,
            after.timeline_entry_details,
          ]),
          [['rename_entry_types', 'step_ran', { told: 'notified' }]],
        );
      }));

    test('what incidents keep of their escalation is under its new names', () =>
      withOldLedger(server, async ({ sql }) => {
        await migrateAll(sql);
        const rows = await sql`select escalation from incidents order by number`;
        const read = rows.map(({ escalation }) => parseEscalation(escalation));
        const at = Temporal.Instant.from('2026-03-02T09:00:00Z');
        assert.deepEqual(
          read.map((one) => [one.stepRemainingMs, one.stormNotifiedAt, 'heldMs' in one]),
          [
            [1_500, null, false],
            [1_500, null, false],
            [1_500, at, false],
          ],
        );
      }));

    test('documents that jsonb cannot take are kept, and stop no migration', () =>
      withOldLedger(server, async ({ sql }) => {
        const odd = [
          '{"v":1,"policyName":"a\\u0000b","heldMs":7,"stormToldAt":null}',
          '{"heldMs":1e999999,"half":"\\ud800"}',
          '{ }',
        ];
        for (const [index, document] of odd.entries())
          await sql`
            update incidents set escalation = ${document}::text::json where number = ${index + 1}`;
        await migrateAll(sql);
        const rows = await sql`select escalation::text from incidents order by number`;
        assert.deepEqual(
          rows.map(({ escalation }) => escalation),
          [
            '{"v":1,"policyName":"a\\u0000b","stepRemainingMs":7,"stormNotifiedAt":null}',
            '{"stormNotifiedAt":null,"stepRemainingMs":1e999999,"half":"\\ud800"}',
            '{ }',
          ],
        );
      }));

    test('so are details, and they stop no renaming', () =>
      withOldLedger(server, async (old) => {
        const [incident_id = ''] = old.incidentIds;
        const odd = '{"told":"a\\u0000b","many":1e999999}';
        await old.sql`
          update timeline set details = ${odd}::text::json
          where incident_id = ${incident_id} and place = 1`;
        await migrateAll(old.sql);
        const before = await findingsOf(old);
        await renameEntries({ ...old, ...context });
        assert.deepEqual(await timelinesOf(old), [reads, reads, reads.slice(2)]);
        const [entry] = await old.sql`
          select details::text from timeline
          where incident_id = ${incident_id} and sequence = 1`;
        assert.equal(entry?.['details'], odd);
        assert.deepEqual(await findingsOf(old), before);
      }));

    test('a start that is killed between two timelines is finished by the next', () =>
      withOldLedger(server, async (old) => {
        await migrateAll(old.sql);
        const dying = counted(old, (made) => {
          if (made > 20) throw new Error('killed');
        });
        await assert.rejects(renameEntries({ ...dying, atOnce: 7 }), /killed/);
        const [first, second] = await timelinesOf(old);
        assert.deepEqual([first, second?.[3]], [reads, 'step_fired: It is step_fired']);
        assert.deepEqual(await findingsOf(old), []);
        await renameEntries({ ...old, ...context, atOnce: 7 });
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
        await renameEntries({ ...old, ...context });
        assert.deepEqual(await findingsOf(old), before);
      }));

    test('entries whose chain has lost its head, and those older than chains, are renamed too', () =>
      withOldLedger(server, async (old) => {
        const { sql } = old;
        const [one = '', two = '', three = ''] = old.incidentIds;
        await sql`delete from timeline_heads where incident_id in (${one}, ${three})`;
        await sql`update timeline set place = place - 7, mac = null where incident_id = ${two}`;
        await sql`delete from timeline_heads where incident_id = ${two}`;
        await migrateAll(sql);
        const before = await findingsOf(old);
        assert.ok(before.length > 0);
        await renameEntries({ ...old, ...context, atOnce: 3 });
        assert.deepEqual(await timelinesOf(old), [reads, reads, reads.slice(2)]);
        assert.deepEqual(await findingsOf(old), before);
      }));

    test('two servers that start at once rename each timeline once', () =>
      withOldLedger(server, async (old, url) => {
        await migrateAll(old.sql);
        await using other = await openDatabase({ url, log: silentLog });
        const parts = counted(old);
        await Promise.all(
          [old.sql, other.sql].map((sql) => renameEntries({ ...parts, sql, atOnce: 2 })),
        );
        // Of 19 entries and 3 heads: that it is as it was written, and then anew.
        assert.equal(parts.made(), 2 * (19 + 3));
        assert.deepEqual(await timelinesOf(old), [reads, reads, reads.slice(2)]);
        assert.deepEqual(await findingsOf(old), []);
        assert.equal((await old.sql`select from audit_log`).length, 1);
      }));

    test('a timeline of tens of thousands is renamed piece by piece, and reported', () => {
      const long = 30_000;
      const atOnce = 1_000;
      const reports: unknown[] = [];
      const log = {
        ...silentLog,
        info: (fields: object, message: string) => reports.push([message, fields]),
      };
      return withOldLedger(
        server,
        async (old) => {
          await migrateAll(old.sql);
          const stop = new AbortController();
          const stopping = counted(old, (made) => {
            if (made === 20_000) stop.abort('SIGTERM');
          });
          const stopped = renameEntries({ ...stopping, signal: stop.signal, atOnce });
          await assert.rejects(stopped, (error) => error === 'SIGTERM');
          assert.ok(stopping.made() <= 20_000 + 2 * atOnce);
          assert.equal((await timelinesOf(old))[1]?.[3], 'step_fired: It is step_fired');
          assert.deepEqual(await findingsOf(old), []);

          await renameEntries({ ...old, ...context, log, atOnce });
          assert.equal((await oldNames(old)).length, 0);
          assert.deepEqual(await findingsOf(old), []);
          assert.deepEqual(reports, [
            ['stored timeline entries are being renamed, before the server listens', {}],
            ['stored timeline entries are still being renamed', { entries: 20_000, timelines: 2 }],
            ['stored timeline entries were renamed', { entries: long + 7, timelines: 2 }],
          ]);
        },
        [7, long],
      );
    });
  });
}
