// What must hold of groups once everything is decided and sent: read from the database and from the mails
// that arrived, against what was sent and accepted.
import assert from 'node:assert/strict';
import type { Sql } from '../../src/storage/database/database.ts';
import type { ReceivedMail } from '../system/notice-servers.ts';
import type { GroupLoad, SentAlert } from './groups.ts';

export type GroupsReport = {
  readonly groups: number;
  readonly alerts: number;
  readonly incidents: number;
  readonly joined: number;
  readonly splits: number;
  readonly sentAgain: number;
  readonly pages: number;
};

type Checked = {
  readonly sql: Sql;
  readonly mails: readonly ReceivedMail[];
  readonly load: GroupLoad;
  readonly integrationId: string;
};

export async function checkGroups(checked: Checked): Promise<GroupsReport> {
  const { load } = checked;
  const holders = await holdersOf(checked);
  for (const { alerts } of load.groups) for (const alert of alerts) checkHolders(alert, holders);
  const joined = await checkDecided(checked);
  const pages = await checkPages(checked);
  return {
    groups: load.groups.length,
    alerts: load.groups.flatMap(({ alerts }) => alerts).length,
    incidents: pages.length,
    joined,
    splits: load.splits,
    sentAgain: load.sentAgain,
    pages: pages.reduce((sum, { sent_keys }) => sum + sent_keys.length, 0),
  };
}

type Holder = {
  readonly key: string;
  readonly number: number;
  readonly is_open: boolean;
  readonly state: string;
};

/** The incidents that a key was ever in, as each of their alerts or as their only one. */
async function holdersOf({ sql, integrationId }: Checked): Promise<Map<string, Holder[]>> {
  const rows = await sql<Holder[]>`
    select a.dedup_key as key, i.number, i.status <> 'resolved' as is_open, a.state
    from incident_alerts a
    join incidents i on i.organization_id = a.organization_id and i.id = a.incident_id
    where a.integration_id = ${integrationId}
    union all
    select i.dedup_key, i.number, i.status <> 'resolved',
      case when i.status = 'resolved' then 'resolved' else 'firing' end
    from incidents i
    where i.source_integration_id = ${integrationId} and not exists (
      select from incident_alerts a
      where a.organization_id = i.organization_id and a.incident_id = i.id)`;
  return Map.groupBy(rows, ({ key }) => key);
}

function checkHolders({ name, state, splitFrom }: SentAlert, holders: Map<string, Holder[]>) {
  const all = holders.get(name) ?? [];
  const what = `${name}, ${state}: ${JSON.stringify(all)}`;
  const open = all.filter(({ is_open }) => is_open);
  assert.ok(open.length <= 1, `in one open incident: ${what}`);
  const firing = open.filter((one) => one.state === 'firing');
  assert.equal(firing.length, state === 'firing' ? 1 : 0, `as it was sent last: ${what}`);
  for (const { number } of all) assert.ok(!splitFrom.has(number), `it left ${number}: ${what}`);
}

/** Each alert of each accepted event has an outcome. Answers how many joined. */
async function checkDecided({ sql, load, integrationId }: Checked): Promise<number> {
  type Row = {
    readonly id: string;
    readonly alerts: readonly { readonly outcome: string; readonly incident_id: string | null }[];
  };
  const rows = await sql<Row[]>`
    select id, alerts from events
    where integration_id = ${integrationId} and decided_at is not null`;
  const decided = new Map(rows.map(({ id, alerts }) => [id, alerts]));
  for (const [id, count] of load.events)
    assert.equal(decided.get(id)?.length, count, `all alerts of the event ${id} are decided`);
  const outcomes = rows.flatMap(({ alerts }) => alerts);
  for (const { outcome, incident_id } of outcomes) {
    assert.ok(known.has(outcome), outcome);
    // An end that came twice has nothing to end.
    if (outcome !== 'ignored') assert.ok(incident_id, outcome);
  }
  return outcomes.filter(({ outcome }) => outcome === 'grouped').length;
}

const known = new Set(['opened', 'grouped', 'suppressed', 'resolved', 'ignored']);

type Paged = {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly cycle: number;
  /** When the first alert came that is worse than the others. */
  readonly worse_at: Temporal.Instant | null;
  /** Of its pages. */
  readonly last_at: Temporal.Instant | null;
  readonly cycles: readonly number[];
  readonly keys: readonly string[];
  readonly sent_keys: readonly string[];
  readonly cut_off: number;
  readonly pending: number;
};

/** Each cycle has a page, and what was sent has arrived, with no more copies than kills explain. */
async function checkPages({ sql, mails, load, integrationId }: Checked): Promise<readonly Paged[]> {
  const rows = await sql<Paged[]>`
    select i.id, i.number, i.status, (i.escalation->>'cycle')::integer as cycle, (
        select min(a.first_at) from incident_alerts a
        where a.organization_id = i.organization_id and a.incident_id = i.id
          and a.severity = 'sev1'
      ) as worse_at, p.*
    from incidents i
    cross join lateral (
      select max(o.created_at) as last_at,
        array_agg(distinct o.cycle) as cycles,
        array_agg(o.key) as keys,
        coalesce(array_agg(o.key) filter (where o.state = 'sent'), '{}') as sent_keys,
        count(*) filter (where o.state = 'pending')::integer as pending,
        coalesce(sum((
          select count(*) from attempts t
          where t.organization_id = o.organization_id and t.key = o.key and t.outcome is null
        )), 0)::integer as cut_off
      from outbox o
      where o.organization_id = i.organization_id and o.incident_id = i.id and o.kind = 'page'
    ) p
    where i.source_integration_id = ${integrationId}`;
  const left = new Set(
    load.groups.flatMap(({ alerts }) => alerts.flatMap(({ splitFrom }) => [...splitFrom])),
  );
  for (const one of rows) {
    const what = JSON.stringify(one);
    for (let cycle = 0; cycle <= one.cycle; cycle += 1)
      assert.ok(one.cycles.includes(cycle), `cycle ${cycle} has a page: ${what}`);
    assert.equal(one.pending, 0, `nothing waits: ${what}`);
    // Whatever was worse than what the pages showed paged. They may have shown what was split off.
    if (one.worse_at !== null && !left.has(one.number))
      assert.ok(
        one.last_at !== null && one.last_at.epochMilliseconds >= one.worse_at.epochMilliseconds,
        `what is worse has a page: ${what}`,
      );
    const arrived = mails.map(({ notice }) => notice).filter((key) => one.keys.includes(key));
    const distinct = new Set(arrived);
    for (const key of one.sent_keys) assert.ok(distinct.has(key), `${key} has arrived: ${what}`);
    assert.ok(arrived.length - distinct.size <= one.cut_off, `${arrived.length} mails: ${what}`);
    if (one.status === 'triggered') assert.ok(distinct.size > 0, `somebody was paged: ${what}`);
  }
  return rows;
}
