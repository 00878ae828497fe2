// What was kept long enough is removed, and only that; the audit tells it from tampering.
import assert from 'node:assert/strict';
import { whyPaged } from '../../src/incidents/why/why.ts';
import type { Retention } from '../../src/resources/retention.ts';
import { findIncident } from '../../src/storage/incidents/incidents.ts';
import { readStory } from '../../src/storage/incidents/story.ts';
import { listTimeline } from '../../src/storage/incidents/timeline.ts';
import { createAuditor } from '../../src/storage/ledger-audit/audit.ts';
import { json } from '../../src/storage/records/rows.ts';
import { removalsOf, removedBefore } from '../../src/storage/retention/removals.ts';
import { createRetention } from '../../src/storage/retention/retention.ts';
import { seed } from '../seed.ts';
import { seedLedger } from '../seeded-ledger.ts';
import { Luck } from '../simulation/luck.ts';
import { type Pager, story } from './story.ts';

type RetentionOptions = { readonly retention?: Retention; readonly rows?: number };
const long = { outbox_days: 30, timelines_days: 30, audit_log_days: 30 } as const;

/** Removes all that may go, so many days from now; answers how many by kind. */
async function removedAfter(
  pager: Pager,
  days: number,
  { retention = {}, rows = 2 }: RetentionOptions,
) {
  const { sql, clock } = pager;
  await sql`update organizations set retention = ${json(sql, retention)}`;
  const remover = createRetention({ ...pager, eventsDays: null }, rows);
  const now = clock.now().add({ hours: 24 * days });
  const removed: Record<string, number> = {};
  for (;;) {
    const done = await remover.run(now);
    if (done.kind && done.removed > 0)
      removed[done.kind] = (removed[done.kind] ?? 0) + done.removed;
    if (done.isAll) return removed;
  }
}

const countOf = async ({ sql }: Pager, table: string, number: number) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from ${sql(table)}
    where incident_id = (select id from incidents where number = ${number})`;
  return row?.count ?? 0;
};

async function whyAda({ sql, scope: owner, users }: Pager, number: number): Promise<string> {
  const scope = { organizationId: owner.organizationId, teamIds: null };
  const incident = await findIncident(sql, scope, { counter: number });
  assert.ok(incident);
  const ada = { id: users['ada'] ?? '', name: 'Ada' };
  return whyPaged(await readStory(sql, incident, ada)).answer;
}

story('nothing is removed of an organisation that says nothing, for 400 days', async (pager) => {
  await seedLedger(pager);
  assert.deepEqual(await removedAfter(pager, 399, {}), {});
  const { outbox = 0, ...others } = await removedAfter(pager, 401, {});
  assert.ok(outbox > 0);
  assert.deepEqual(others, {});
});

story('what is of an open incident stays, whatever its age', async (pager) => {
  await seedLedger(pager);
  const before = await countOf(pager, 'timeline', 3);
  const pages = await countOf(pager, 'outbox', 3);
  await removedAfter(pager, 1_000, { retention: long });
  assert.equal(await countOf(pager, 'timeline', 3), before);
  assert.equal(await countOf(pager, 'outbox', 3), pages);
  // Acknowledged is open, too; what is over is gone.
  assert.notEqual(await countOf(pager, 'timeline', 1), 0);
  assert.equal(await countOf(pager, 'timeline', 2), 0);
  assert.equal(await countOf(pager, 'outbox', 2), 0);
});

story(
  'pages of a merged incident stay for the all-clear of the one that goes on',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk' });
    await pager.work();
    const other = await pager.integration({ steps: [pager.step('lin')] });
    await pager.trigger(other, { title: 'cpu' });
    await pager.work();
    await pager.does(1, { type: 'merge', intoId: await pager.idOf(2) });
    await pager.work();
    assert.deepEqual(await removedAfter(pager, 1_000, { retention: long }), {});
    pager.heard();
    await pager.does(2, { type: 'resolve' });
    await pager.work();
    assert.deepEqual(pager.heard(), ['09:00 ada: all_clear cpu', '09:00 lin: all_clear cpu']);
    await removedAfter(pager, 1_000, { retention: long });
    assert.equal(await countOf(pager, 'outbox', 1), 0);
  },
);

story('what is left says what is gone', async (pager) => {
  const { sql } = pager;
  await seedLedger(pager);
  const { organizationId } = pager.scope;
  const of = { organizationId, incidentId: await pager.idOf(2) };
  const entries = await countOf(pager, 'timeline', 2);
  assert.match(await whyAda(pager, 2), /^Ada was paged by e-mail/);
  assert.equal(await removedBefore(sql, organizationId, 'timelines'), null);
  await removedAfter(pager, 31, { retention: long });
  const now = pager.clock.now().add({ hours: 24 * 31 });
  assert.equal((await listTimeline(sql, of, { limit: 10, after: null })).length, 0);
  assert.deepEqual(await removalsOf(sql, of), { timeline: { entries, at: now }, noticesAt: now });
  assert.match(
    await whyAda(pager, 2),
    /^It is no longer known whether Ada was paged: the notices of INC-2 were deleted/,
  );
  for (const kind of ['timelines', 'outbox'] as const) {
    const until = await removedBefore(sql, organizationId, kind);
    assert.ok(until?.equals(pager.clock.now().add({ hours: 24 })), kind);
  }
});

story('what is noted after a removal follows what was removed', async (pager) => {
  await seedLedger(pager);
  await removedAfter(pager, 31, { retention: long });
  const { organizationId: organization_id } = pager.scope;
  const incident_id = await pager.idOf(2);
  const note = { type: 'note', text: 'Late', actor: null, details: null };
  const none = { opened: [], changed: [], intents: [], allClear: [] };
  const [server] = pager.servers;
  await server?.ledger.transact((tx) =>
    tx.save({ ...none, entries: [{ ...note, organization_id, incident_id }] }, pager.clock.now()),
  );
  assert.deepEqual(await pager.timeline(2), ['note']);
  assert.deepEqual(await pager.findings(), []);
  assert.deepEqual(await removedAfter(pager, 32, { retention: long }), { timelines: 1 });
});

story('a timeline that somebody changed is not removed', async (pager) => {
  const { sql } = pager;
  await seedLedger(pager);
  const incident_id = await pager.idOf(2);
  const change = (text: string) =>
    sql`update timeline set text = ${text} where incident_id = ${incident_id} and sequence = 2
      returning text`;
  const [{ text } = { text: '' }] = await sql`
    select text from timeline where incident_id = ${incident_id} and sequence = 2`;
  await change('Nobody was paged');
  // The first entry may have gone before: it was whole.
  for (const rows of [100, 1]) await removedAfter(pager, 31, { retention: long, rows });
  assert.notEqual(await countOf(pager, 'timeline', 2), 0);
  assert.equal((await pager.findings()).length, 1);
  await change(text);
});

story('the audit log loses its oldest entries, and goes on counting', async (pager) => {
  const { sql, scope } = pager;
  const entry = { organization_id: scope.organizationId, action: 'update', kind: 'team' };
  for (const [days, id] of [
    [40, 'a'],
    [35, 'b'],
    [1, 'c'],
  ] as const)
    await sql`insert into audit_log ${sql({
      ...entry,
      id: id.repeat(24),
      record_id: id.repeat(24),
      actor: json(sql, {}),
      at: scope.now.subtract({ hours: 24 * days }),
    })}`;
  assert.deepEqual(await removedAfter(pager, 0, { retention: long }), { audit_log: 2 });
  const rows = await sql`select sequence from audit_log`;
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    [3],
  );
});

story(
  'a warning of the monthly limit is given once a month, however short notices are kept',
  async (pager) => {
    const { sql, scope } = pager;
    const now = scope.now;
    const notice = {
      organization_id: scope.organizationId,
      kind: 'alert_usage',
      channel: 'email',
      recipient_key: 'email x',
      notice: json(sql, {}),
      cycle: 0,
      step: 0,
      rank: 6,
      state: 'cancelled',
      reason: 'none',
      attempts: 0,
      created_at: now,
      finished_at: now,
      key: 'usage/2026-03/5/80/email/x',
    };
    await sql`insert into outbox ${sql(notice)}`;
    assert.deepEqual(await removedAfter(pager, 31, { retention: long }), {});
    assert.deepEqual(await removedAfter(pager, 63, { retention: long }), { outbox: 1 });
  },
);

story('organisations have their turn one after another, a few rows at a time', async (pager) => {
  const { sql } = pager;
  for (const _ of [1, 2]) {
    const { organizationId } = pager.scope;
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await sql`insert into audit_log ${sql({
        organization_id: organizationId,
        action: 'update',
        kind: 'team',
        at: pager.clock.now(),
        id: id.repeat(24),
        record_id: id.repeat(24),
        actor: json(sql, {}),
      })}`;
    await pager.open();
  }
  await sql`update organizations set retention = ${json(sql, long)}`;
  const remover = createRetention({ ...pager, eventsDays: null }, 2);
  const counts: string[] = [];
  for (let isAll = false; !isAll; ) {
    isAll = (await remover.run(pager.clock.now().add({ hours: 24 * 31 }))).isAll;
    const rows = await sql<{ count: number }[]>`
      select count(*) from audit_log group by organization_id order by organization_id`;
    const count = rows.map((row) => row.count).join(' ');
    if (counts.at(-1) !== count) counts.push(count);
  }
  assert.deepEqual(counts, ['5 5', '3 5', '3 3', '1 3', '1 1', '1', '']);
});

story('a kind that cannot be removed keeps no other from its turn', async (pager) => {
  await seedLedger(pager);
  const { sql } = pager;
  await sql`update organizations set retention = ${json(sql, long)}`;
  await sql`alter table audit_log rename to elsewhere`;
  const remover = createRetention({ ...pager, eventsDays: null });
  const now = pager.clock.now().add({ hours: 24 * 31 });
  let failures = 0;
  for (let isAll = false; !isAll; )
    isAll = await remover.run(now).then(
      (done) => done.isAll,
      () => {
        failures += 1;
        return false;
      },
    );
  assert.equal(failures, 1);
  assert.equal(await countOf(pager, 'timeline', 2), 0);
  assert.equal(await countOf(pager, 'outbox', 2), 0);
});

for (const number of [1, 2, 3])
  story(
    `whatever is removed, the audit finds nothing but what was tampered with (${number})`,
    async (pager) => {
      const luck = new Luck(seed * 100 + number);
      await livesOf(pager, luck);
      const { sql } = pager;
      for (let days = 20; days < 100; days += 1 + luck.below(40)) {
        const within = () => 30 + luck.below(40);
        const retention = {
          ...(luck.chance(0.8) && { timelines_days: within() }),
          ...(luck.chance(0.8) && { outbox_days: 7 + luck.below(60) }),
          ...(luck.chance(0.5) && { events_days: 1 + luck.below(60) }),
        };
        await removedAfter(pager, days, { retention, rows: 1 + luck.below(7) });
        assert.deepEqual(
          await pager.findings(),
          [],
          `after ${days} days of ${JSON.stringify(retention)}`,
        );
        const auditor = createAuditor(pager, 1 + luck.below(5));
        for (let runs = 0; runs < 10; runs += 1)
          assert.deepEqual((await auditor.run()).findings, []);
        await assertOpenKeepAll(pager);
      }
      const left = await sql<{ incident_id: string; sequence: number }[]>`
      select incident_id, sequence from timeline order by incident_id, sequence`;
      const one = luck.of(left);
      const isIt = sql`incident_id = ${one.incident_id} and sequence = ${one.sequence}`;
      const [taken = {}] = await sql`delete from timeline where ${isIt} returning *`;
      assert.notEqual((await pager.findings()).length, 0);
      await sql`insert into timeline ${sql({ ...taken, ...jsonOf(sql, taken) })}`;
    },
  );

const jsonOf = (sql: Pager['sql'], row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    ['actor', 'details'].map((name) => [name, row[name] === null ? null : json(sql, row[name])]),
  );

story('of an organisation whose days cannot be read nothing goes', async (pager) => {
  const { sql } = pager;
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'nothing is open', status: 'resolve' });
  await sql`update organizations set retention = '{"v": 2}'`;
  const remover = createRetention({ ...pager, faults: pager.faults, eventsDays: 1 });
  const now = pager.clock.now().add({ hours: 24 * 31 });
  while (!(await remover.run(now)).isAll);
  assert.deepEqual(pager.failed, ['record']);
  assert.equal((await sql`select from events`).length, 1);
  await sql`update organizations set retention = '{"events_days": 30}'`;
  while (!(await remover.run(now)).isAll);
  assert.equal((await sql`select from events`).length, 0);
});

/** Some incidents, some of which end, are merged or come back. */
async function livesOf(pager: Pager, luck: Luck): Promise<void> {
  const on = await pager.integration({ steps: [pager.step('ada', 2), pager.step('lin')] });
  let opened = 0;
  for (let minute = 1; minute < 20; minute += 1) {
    const title = luck.of(['a', 'b', 'c', 'd']);
    await pager.trigger(on, { title, ...(luck.chance(0.3) && { status: 'resolve' }) });
    await pager.at(`09:${String(minute).padStart(2, '0')}`);
    opened = (await pager.incidents()).length;
    if (opened === 0) continue;
    const number = 1 + luck.below(opened);
    const type = luck.of(['acknowledge', 'resolve', 'reopen', 'unacknowledge', 'merge'] as const);
    const intoId = await pager.idOf(1 + luck.below(opened));
    await pager.does(number, { type, ...(type === 'merge' && { intoId }) });
  }
  assert.ok(opened > 3);
}

/** Each open incident has its whole timeline, and all pages of which its timeline tells. */
async function assertOpenKeepAll({ sql }: Pager): Promise<void> {
  const cut = await sql`
    select i.number from incidents i
    join timeline_heads h on h.organization_id = i.organization_id and h.incident_id = i.id
    where i.status <> 'resolved' and (h.removed_entries is not null
      or h.notices_removed_at is not null
      or h.entries <> (select count(*) from timeline t where t.incident_id = i.id))`;
  assert.deepEqual([...cut], []);
}
