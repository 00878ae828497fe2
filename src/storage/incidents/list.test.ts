// Lists of many incidents: every page is right, and none reads more than its share of the table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import { silentLog } from '../../engine/log.ts';
import { openDatabase, type Sql, type Transaction } from '../database/database.ts';
import { offsetsIn } from '../database/local-time.ts';
import { type IncidentList, type IncidentPosition, listIncidents } from './list.ts';
import { reportIncidents } from './reports.ts';

const [organizationId, team, otherTeam, person] = ['a', 'b', 'c', 'd'].map((one) =>
  one.repeat(24),
) as [string, string, string, string];
const scope = { organizationId, teamIds: null };
const start = Temporal.Instant.from('2026-01-01T00:00:00Z');
const minutes = (count: number) => start.add({ minutes: count });

/** One a minute; of each hundred one is open, those of the last thousand all are. */
async function insert(sql: Sql, count: number): Promise<void> {
  await sql`
    insert into incidents (organization_id, id, number, title, status, priority, severity, team_id,
      service_id, integration_id, source_integration_id, escalation_policy_id, dedup_key, links,
      responder_ids, suppressed_count, repeat_count, created_at, updated_at, resolved_at,
      resolved_by_timer, steps, escalation, verdict)
    select ${organizationId}, lpad(to_hex(i), 24, '0'), i, case when i % 5000 = 7 then 'Disk FULL on ' else 'Slow ' end || i,
      case when i % 100 <> 0 and i <= ${count - 1_000} then 'resolved'
        when i % 3 = 0 then 'acknowledged' else 'triggered' end,
      case when i % 7 < 5 then 'p' || i % 7 + 1 end, case when i % 4 < 3 then 'sev' || i % 4 + 1 end,
      case when i % 2 = 0 then ${team} else ${otherTeam} end, ${team}, ${team}, ${team}, ${team},
      'key ' || i, '[]', case when i % 40000 = 9 then json_build_array(${person}::text) else '[]' end,
      0, 0, ${start}::timestamptz + i * interval '1 min', ${start}, case when i % 100 <> 0 and i <= ${count - 1_000}
        then ${start}::timestamptz + (i + 60) * interval '1 min' end,
      false, '[]', case when i % 5000 = 11 then json_build_object('appliedRules',
        json_build_array(${team}::text, ${person}::text)) else '{}' end,
      case when i % 3000 = 1 and i < ${count - 1_000} then 'false_alarm' end
    from generate_series(1, ${count}) i`;
}

/** Of each tenth ten alerts, of which the tenth of every 5,000th incident is of another tool. */
async function insertAlerts(sql: Sql): Promise<void> {
  await sql`
    insert into incident_alerts (organization_id, incident_id, integration_id, dedup_key, title,
      state, is_open, links, first_at, last_at, times, reporting)
    select ${organizationId}, id, case when a = 10 and number % 5000 = 0 then ${otherTeam} else ${team} end,
      'key ' || number || '/' || a, case when a = 10 and number % 5000 = 0 then 'Fan stopped' else 'Slow' end,
      'firing', status <> 'resolved', '[]', ${start}, ${start}, 1, '{"v":1}'
    from incidents, generate_series(1, 10) a where number % 10 = 0`;
  await sql`update incidents set alerts_firing = 10, alerts_total = 10 where number % 10 = 0`;
  await sql`vacuum analyze incidents`;
  await sql`vacuum analyze incident_alerts`;
}

type Narrowing = Partial<IncidentList>;
const list = (narrowing: Narrowing): IncidentList => ({
  limit: 50,
  order: 'number',
  after: null,
  values: {},
  ...narrowing,
});

/** As the API reads. */
const openReports = (url: string) =>
  openDatabase({ url, log: silentLog, isForReports: true, maxConnections: 1 });

/** The numbers on all pages. */
async function all(sql: Sql, narrowing: Narrowing): Promise<readonly number[]> {
  const numbers: number[] = [];
  let after: IncidentPosition | null = null;
  do {
    const page = await listIncidents(sql, scope, list({ ...narrowing, after }));
    numbers.push(...page.incidents.map(({ number }) => number));
    after = page.next;
  } while (after !== null);
  return numbers;
}

const numbersWhere = async (sql: Sql, condition: string, order = 'number desc') => {
  const rows = await sql<{ number: number }[]>`
    select number from incidents where ${sql.unsafe(condition)} order by ${sql.unsafe(order)}`;
  return rows.map(({ number }) => number);
};

const pagesOf = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ pages: number }[]>`
    select pg_relation_size('incidents')::integer / 8192 as pages`;
  return row?.pages ?? Number.NaN;
};

const touched = (sql: Sql, narrowing: Narrowing): Promise<number> =>
  sql.begin(async (tx) => {
    const before = await pagesRead(tx, 'incidents');
    await listIncidents(tx, scope, list(narrowing));
    return (await pagesRead(tx, 'incidents')) - before;
  });

test('pages of a list are all that fit, in its order, and none reads the whole table', async (t) => {
  await using database = await testDatabase({ server: await anyDatabase() });
  await using reports = await openReports(database.url);
  const { sql } = reports;
  await insert(sql, 100_000);
  await sql`analyze incidents`;
  const pages = await pagesOf(sql);
  const open = ['triggered', 'acknowledged'] as const;
  const onePage = 100;
  const searched = pages / 2;
  const lists: readonly [number, Narrowing, string, string?][] = [
    [searched, { text: 'disk full' }, `title like 'Disk%'`],
    [searched, { text: 'KEY 77777' }, `dedup_key = 'key 77777'`],
    [searched, { responderId: person }, `number % 40000 = 9`],
    [
      onePage,
      { values: { team_id: team }, statuses: open },
      `status <> 'resolved' and number % 2 = 0`,
    ],
    [
      onePage,
      { statuses: ['resolved'], from: minutes(70_000), to: minutes(70_100) },
      `status = 'resolved' and number >= 70000 and number < 70100`,
    ],
    [
      searched,
      {
        from: minutes(80_000),
        to: minutes(100_001),
        localTime: {
          offsets: offsetsIn('Etc/UTC', { from: minutes(80_000), to: minutes(100_001) }),
          weekday: 7,
          hour: 3,
        },
      },
      `number >= 80000 and extract(isodow from created_at at time zone 'UTC') = 7
        and extract(hour from created_at at time zone 'UTC') = 3`,
    ],
    [searched, { verdicts: ['false_alarm'] }, `verdict = 'false_alarm'`],
    [searched, { ruleId: person }, `number % 5000 = 11`],
    [searched, { resolvedFrom: minutes(98_900) }, `resolved_at >= '${minutes(98_900)}'`],
    [
      3 * onePage,
      { order: 'urgency', statuses: open, limit: 200 },
      `status <> 'resolved'`,
      `status desc, priority nulls last, severity nulls last, number desc`,
    ],
    [
      3 * onePage,
      { order: 'urgency', statuses: ['triggered'], priorities: ['p1', 'p3'] },
      `status = 'triggered' and priority in ('p1', 'p3')`,
      `priority, severity nulls last, number desc`,
    ],
  ];
  for (const [most, narrowing, condition, order] of lists) {
    const wanted = await numbersWhere(sql, condition, order);
    assert.ok(wanted.length > 0, condition);
    assert.deepEqual(await all(sql, narrowing), wanted, condition);
    const read = await touched(sql, narrowing);
    t.diagnostic(`${read} of ${pages} pages: ${condition}`);
    assert.ok(read <= most, condition);
  }
  // A report reads half of them, by their index.
  const period = { from: start, to: minutes(100_001) };
  const report = await reportIncidents(sql, scope, {
    ...period,
    offsets: offsetsIn('Europe/Berlin', period),
    weeks: [start],
    values: { team_id: team },
  });
  assert.equal(report.since?.toString(), minutes(50_001).toString());
  assert.equal(report.weeks.find(({ week }) => week === null)?.opened, 25_000);
  assert.equal(
    report.hours.reduce((sum, { opened }) => sum + opened, 0),
    25_000,
  );
  assert.deepEqual(
    report.keys.map(({ number }) => number),
    Array.from({ length: 20 }, (_, index) => 100_000 - 2 * index),
  );
});

test('a page by alerts reads those of the incidents that it searches, and no others', async (t) => {
  await using database = await testDatabase({ server: await anyDatabase() });
  await using reports = await openReports(database.url);
  const { sql } = reports;
  await insert(sql, 100_000);
  await insertAlerts(sql);
  const scans = async (tx: Transaction) => {
    const [{ whole = 0, byKey = 0 } = {}] = await tx<{ whole: number; byKey: number }[]>`
      select pg_stat_get_xact_numscans('incident_alerts'::regclass)::integer as whole,
        pg_stat_get_xact_numscans('incident_alerts_pkey'::regclass)::integer as "byKey"`;
    return [whole, byKey] as const;
  };
  const fan = 'number % 5000 = 0';
  const lists: readonly [Narrowing, string][] = [
    [{ text: 'FAN stopped' }, fan],
    [{ text: 'key 95000/7' }, 'number = 95000'],
    [{ alert: { integration_id: otherTeam } }, fan],
    [{ alert: { dedup_key: 'key 90010/3' } }, 'number = 90010'],
    [{ alert: { integration_id: team, dedup_key: 'key 95000/10' } }, 'false'],
    [{ alert: { integration_id: team, dedup_key: 'key 77' } }, 'number = 77'],
  ];
  for (const [narrowing, condition] of lists) {
    const name = JSON.stringify(narrowing);
    assert.deepEqual(await all(sql, narrowing), await numbersWhere(sql, condition), name);
    const scanned = await sql.begin(async (tx) => {
      const before = await scans(tx);
      await listIncidents(tx, scope, list(narrowing));
      return (await scans(tx)).map((count, index) => count - (before[index] ?? 0));
    });
    t.diagnostic(`${scanned[1]} look-ups: ${name}`);
    // A fifth of the incidents is searched for one page, of which a tenth has several alerts.
    assert.deepEqual(scanned, [0, 2_000], name);
  }
});
