// What is followed as it grows is in the order of commits, whichever server wrote it and when.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheFor } from '../../../test/configuration.ts';
import { anyDatabase, isAnyoneWaiting, testDatabase } from '../../../test/database.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { seedOrganization } from '../../../test/world.ts';
import type { Clock } from '../../engine/clock.ts';
import { createIds, type Ids } from '../../engine/ids.ts';
import type { Ledger } from '../../engine/ledger.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { listTimeline } from '../incidents/timeline.ts';
import { createLedger } from '../ledger/ledger.ts';
import { audit, listAuditLog } from '../organizations/audit.ts';
import { type Sql, transact } from './database.ts';

const server = await anyDatabase();
const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');
/** Of one server, whose ids are smaller or greater than those of all others in that second. */
const idsOf = (clock: Clock, byte: number) =>
  createIds(clock, (bytes) => new Uint8Array(bytes).fill(byte));

type Write = (beforeCommit: () => Promise<void>) => Promise<void>;

/** The first writes first, and commits after the second if that does not wait for it. */
async function interleaved(
  sql: Sql,
  [first, second]: readonly [Write, Write],
  follow: () => Promise<void>,
): Promise<void> {
  let later: Promise<void> = Promise.resolve();
  await first(async () => {
    let isDone = false;
    later = second(async () => {}).finally(() => {
      isDone = true;
    });
    while (!isDone && !(await isAnyoneWaiting(sql))) await follow();
    await follow();
  });
  await later;
  await follow();
}

test('a reader who follows the audit log misses nothing of what is committed later', async () => {
  await using database = await testDatabase({ server });
  const { sql } = database;
  const { organizationId, caller } = await seedOrganization(sql);
  const { kind, id, name } = caller();
  const act = {
    organizationId,
    teamIds: null,
    actor: { kind, id, name },
    requestId: null,
    now: noon,
  };
  const writes =
    (ids: Ids, record: string): Write =>
    (beforeCommit) =>
      transact(sql, async (tx) => {
        const of = { kind: 'team', id: record, schema: objectOf({}) } as const;
        await audit(tx, ids, { act, action: 'update', ...of });
        await beforeCommit();
      });
  const [a, b, c, d] = ['a'.repeat(24), 'b'.repeat(24), 'c'.repeat(24), 'd'.repeat(24)];
  const clock = { now: () => noon };
  const next = { now: () => noon.add({ seconds: 1 }) };
  const seen: string[] = [];
  let cursor: number | null = null;
  const follow = async () => {
    for (;;) {
      const query = { organizationId, filters: {}, limit: 1, order: 'asc' as const, cursor };
      const [entry] = await listAuditLog(sql, query);
      if (entry === undefined) return;
      seen.push(entry.record_id);
      cursor = entry.sequence;
    }
  };
  await interleaved(sql, [writes(idsOf(clock, 0), a), writes(idsOf(clock, 255), b)], follow);
  await interleaved(sql, [writes(idsOf(next, 255), c), writes(idsOf(next, 0), d)], follow);
  assert.deepEqual(seen, [a, b, c, d]);
});

test('writers of two organisations do not wait for each other', async () => {
  await using database = await testDatabase({ server });
  const { sql } = database;
  const writes: Write = async (beforeCommit) => {
    const { organizationId, caller } = await seedOrganization(sql);
    const act = { organizationId, teamIds: null, actor: caller(), requestId: null, now: noon };
    const of = { kind: 'team', id: organizationId, schema: objectOf({}) } as const;
    await transact(sql, async (tx) => {
      await audit(tx, idsOf({ now: () => noon }, 0), { act, action: 'update', ...of });
      await beforeCommit();
    });
  };
  let waited = false;
  await interleaved(sql, [writes, writes], async () => {
    waited ||= await isAnyoneWaiting(sql);
  });
  assert.equal(waited, false);
});

/** One more server of the story, whose ids have that byte. */
const ledgerOf = ({ sql, secrets, clock }: Pager, byte: number): Ledger =>
  createLedger({ sql, secrets, ids: idsOf(clock, byte), configurations: cacheFor(), faults });

test('a reader who follows a timeline misses nothing, whichever server wrote it', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk' });
    const { organizationId } = pager.scope;
    const of = { organizationId, incidentId: await pager.idOf(1) };
    const seen: string[] = [];
    let after: number | null = null;
    // Entry by entry: an order other than the cursor's would pass some over.
    const follow = async () => {
      for (;;) {
        const [entry] = await listTimeline(pager.sql, of, { limit: 1, after });
        if (entry === undefined) return;
        seen.push(entry.text);
        after = entry.cursor;
      }
    };
    await follow();
    seen.splice(0);
    const writes =
      (text: string, byte: number): Write =>
      (beforeCommit) =>
        ledgerOf(pager, byte).transact(async (tx) => {
          const note = { type: 'note', text, actor: null, details: null };
          const entry = { ...note, organization_id: organizationId, incident_id: of.incidentId };
          const none = { opened: [], changed: [], intents: [], allClear: [] };
          await tx.save({ ...none, entries: [entry] }, pager.clock.now());
          await beforeCommit();
        });
    // The second has the smaller id of the same second.
    await interleaved(pager.sql, [writes('first', 255), writes('second', 128)], follow);
    assert.deepEqual(seen, ['first', 'second']);
    await writes('third', 0)(async () => {});
    const whole = await listTimeline(pager.sql, of, { limit: 100, after: null });
    after = null;
    seen.splice(0);
    await follow();
    assert.deepEqual(
      seen,
      whole.map(({ text }) => text),
    );
  }));
