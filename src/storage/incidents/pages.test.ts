// Lists of pages: everybody sees what they may, every list is right, and none reads more than its
// share of the table.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import { silentLog } from '../../engine/log.ts';
import { openDatabase, type Sql } from '../database/database.ts';
import { nightsIn } from './nights.ts';
import { reportPages } from './page-reports.ts';
import { countPages, listPages, type PageCursor, type PageFilters } from './pages.ts';

const COUNT = 100_000;
const [organizationId, team, rareTeam, ada, rare] = ['a', 'b', 'c', 'd', 'e'].map((one) =>
  one.repeat(24),
) as [string, string, string, string, string];
const start = Temporal.Instant.from('2026-01-01T00:00:00Z');
const minutes = (count: number) => start.add({ minutes: count });
const everything = { userId: null, teamIds: null };

/** A notice a minute, ten to an incident; of five, three are pages. */
async function insert(sql: Sql): Promise<void> {
  await sql`
    insert into incidents (organization_id, id, number, title, status, team_id, service_id,
      integration_id, source_integration_id, escalation_policy_id, dedup_key, links, responder_ids,
      suppressed_count, repeat_count, created_at, updated_at, resolved_by_timer, steps, escalation)
    select ${organizationId}, lpad(to_hex(i), 24, '0'), i, 'Slow ' || i, 'triggered',
      case when i % 500 = 3 then ${rareTeam} else ${team} end, ${team}, ${team}, ${team}, ${team},
      'key ' || i, '[]', '[]', 0, 0, ${start}, ${start}, false, '[]', '{}'
    from generate_series(1, ${COUNT / 10}) i`;
  await sql`
    insert into outbox (organization_id, key, incident_id, kind, channel, recipient_key, notice,
      cycle, step, user_id, rank, state, attempts, created_at)
    select ${organizationId}, 'notice ' || i, lpad(to_hex(i / 10 + 1), 24, '0'),
      case when i % 5 < 3 then 'page' when i % 5 = 3 then 'webhook' else 'all_clear' end,
      case when i % 20000 = 7 then 'sms' when i % 3 = 0 then 'slack' else 'email' end, 'to ' || i % 9,
      json_build_object('address', 'ada@example.test', 'recipient', 'Ada'), 0, i % 3,
      case when i % 3 = 0 then null when i % 20000 = 11 then ${rare}
        when i % 2 = 0 then ${ada} else lpad(to_hex(i % 20 + 1), 24, 'f') end, 1,
      case when i % 10000 = 1 then 'failed' else 'sent' end, 1,
      ${start}::timestamptz + i * interval '1 min'
    from generate_series(0, ${COUNT - 1}) i`;
  await sql`analyze outbox`;
}

const stack = new AsyncDisposableStack();
// Ends before the database server does, whose own hook comes with the first database.
after(() => stack.disposeAsync());
let sql: Sql;
before(async () => {
  const database = stack.use(await testDatabase({ server: await anyDatabase() }));
  await insert(database.sql);
  // As the API reads.
  const options = { url: database.url, log: silentLog, isForReports: true, maxConnections: 1 };
  sql = stack.use(await openDatabase(options)).sql;
});

type Narrowing = Partial<PageFilters>;
const filters = (narrowing: Narrowing): PageFilters => ({
  organizationId,
  reader: everything,
  ...narrowing,
});
const list = (
  tx: Parameters<typeof listPages>[0],
  narrowing: Narrowing,
  before: PageCursor | null,
) => listPages(tx, { ...filters(narrowing), limit: 200, before });

async function keysOf(narrowing: Narrowing): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let before: PageCursor | null = null; ; ) {
    const { rows, next } = await list(sql, narrowing, before);
    keys.push(...rows.map(({ key }) => key));
    if (next === null) return keys;
    before = next;
  }
}

const keysWhere = async (condition: string) => {
  const rows = await sql<{ key: string }[]>`
    select key from outbox where kind = 'page' and ${sql.unsafe(condition)}
    order by created_at desc, key desc`;
  return rows.map(({ key }) => key);
};

const touched = (work: (tx: Parameters<typeof listPages>[0]) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    const before = await pagesRead(tx, 'outbox');
    await work(tx);
    return (await pagesRead(tx, 'outbox')) - before;
  });

const ofRareTeam = `incident_id in (select id from incidents where team_id = '${rareTeam}')`;
const onePage = 100;

test('pages are all that somebody may read, the newest first, and none reads the whole table', async (t) => {
  const [row] = await sql<{ pages: number }[]>`
    select pg_relation_size('outbox')::integer / 8192 as pages`;
  const pages = row?.pages ?? Number.NaN;
  const searched = pages / 2;
  const manager = { userId: rare, teamIds: [rareTeam] };
  const lists: readonly (readonly [number, Narrowing, string])[] = [
    [onePage, { from: minutes(70_000), to: minutes(70_300) }, 'created_at >= $from'],
    [onePage, { reader: { userId: rare, teamIds: [] } }, `user_id = '${rare}'`],
    [onePage, { userId: rare }, `user_id = '${rare}'`],
    [onePage, { incident: { counter: 77 } }, `incident_id = lpad(to_hex(77), 24, '0')`],
    [onePage, { incident: { id: '4d'.padStart(24, '0') } }, `incident_id = lpad('4d', 24, '0')`],
    [searched, { reader: { userId: null, teamIds: [rareTeam] } }, ofRareTeam],
    [searched, { reader: manager }, `(user_id = '${rare}' or ${ofRareTeam})`],
    [onePage, { reader: manager, userId: rare }, `user_id = '${rare}'`],
    [searched, { channel: 'sms' }, `channel = 'sms'`],
    [searched, { states: ['failed', 'pending'] }, `state = 'failed'`],
  ];
  for (const [most, narrowing, text] of lists) {
    const condition = text.replace(
      'created_at >= $from',
      `created_at >= '${minutes(70_000)}' and created_at < '${minutes(70_300)}'`,
    );
    const wanted = await keysWhere(condition);
    assert.ok(wanted.length > 0, condition);
    assert.deepEqual(await keysOf(narrowing), wanted, condition);
    const read = await touched((tx) => list(tx, narrowing, null));
    t.diagnostic(`${read} of ${pages} pages: ${condition}`);
    assert.ok(read <= most, `${read} of ${pages}: ${condition}`);
  }
  const read = await touched((tx) => list(tx, {}, null));
  assert.ok(read <= onePage, `${read} of ${pages}: the first`);
});

test('who may read nothing reads nothing, and the teams of another organization are no way in', async () => {
  for (const narrowing of [
    { reader: { userId: null, teamIds: [] } },
    { reader: { userId: ada, teamIds: [] }, userId: rare },
    { organizationId: 'f'.repeat(24) },
    { organizationId: 'f'.repeat(24), reader: { userId: null, teamIds: [team] } },
  ])
    assert.deepEqual(await keysOf(narrowing), [], JSON.stringify(narrowing));
});

test('a list that goes on while pages arrive has no gap and no repeat', async () => {
  const interval = { from: minutes(99_700) };
  const wanted = await keysWhere(`created_at >= '${minutes(99_700)}'`);
  const first = await listPages(sql, { ...filters(interval), limit: 50, before: null });
  await sql`
    insert into outbox (organization_id, key, incident_id, kind, channel, recipient_key, notice,
      cycle, step, rank, state, attempts, created_at)
    select ${organizationId}, 'new ' || i, lpad('1', 24, '0'), 'page', 'email', 'to', '{}', 0, 0, 1,
      'sent', 1, ${minutes(COUNT + 1)} from generate_series(1, 3) i`;
  const seen = first.rows.map(({ key }) => key);
  for (let before = first.next; before !== null; ) {
    const { rows, next } = await listPages(sql, { ...filters(interval), limit: 50, before });
    seen.push(...rows.map(({ key }) => key));
    before = next;
  }
  await sql`delete from outbox where key like 'new %'`;
  assert.deepEqual(seen, wanted);
});

test('pages are counted by day and state, of those that somebody may read', async () => {
  const [first, second, end] = [50_400, 51_840, 53_280].map(minutes) as [
    Temporal.Instant,
    Temporal.Instant,
    Temporal.Instant,
  ];
  const interval = { from: first, to: end };
  const counted = async (narrowing: Narrowing) => {
    const of = await countPages(sql, filters({ ...interval, ...narrowing }), [first, second]);
    assert.equal(of.since, null);
    return of.counts.map(({ day, state, count }) => `${day} ${state} ${count}`).sort();
  };
  const expected = async (condition: string) => {
    const rows = await sql<{ day: number; state: string; count: number }[]>`
      select (created_at >= ${second})::integer as day, state, count(*)::integer as count
      from outbox where kind = 'page' and created_at >= ${first} and created_at < ${end}
        and ${sql.unsafe(condition)} group by 1, 2`;
    return rows.map(({ day, state, count }) => `${day} ${state} ${count}`).sort();
  };
  assert.deepEqual(await counted({}), await expected('true'));
  const manager = { userId: rare, teamIds: [rareTeam] };
  assert.deepEqual(
    await counted({ reader: manager }),
    await expected(`(user_id = '${rare}' or ${ofRareTeam})`),
  );
  assert.deepEqual(await counted({ channel: 'telegram' }), []);
});

test('of more pages than are counted, the newest are, and it says since when', async () => {
  const { counts, since } = await countPages(sql, filters({}), [start]);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  assert.equal(total, 50_000);
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from outbox where kind = 'page' and created_at >= ${since}`;
  assert.equal(row?.count, total);
});

test('figures of more pages than are counted are of the newest, and say since when', async () => {
  await sql`
    insert into organizations (id, name, timezone, version, created_at, updated_at)
    values (${organizationId}, 'Acme', 'Asia/Kathmandu', 1, ${start}, ${start})`;
  await sql`
    insert into users (organization_id, id, first_name, last_name, email, role, active, version,
      created_at, updated_at)
    values (${organizationId}, ${ada}, 'Ada', 'Example', 'ada@example.test', 'responder', true, 1,
      ${start}, ${start})`;
  const period = { from: start, to: minutes(COUNT) };
  const nights = await nightsIn(sql, organizationId, period);
  const { people, channels, since } = await reportPages(sql, filters(period), nights);
  const sent = await keysWhere(
    `user_id = '${ada}' and state = 'sent' and created_at >= '${since}'`,
  );
  const atNight = await keysWhere(
    `user_id = '${ada}' and state = 'sent' and created_at >= '${since}'
      and extract(hour from created_at at time zone 'Asia/Kathmandu') not between 7 and 21`,
  );
  assert.ok(atNight.length > 0);
  assert.deepEqual(people, [
    {
      user_id: ada,
      first_name: 'Ada',
      last_name: 'Example',
      pages: sent.length,
      night: atNight.length,
    },
  ]);
  const total = channels.reduce((sum, { sent, failed }) => sum + sent + failed, 0);
  assert.equal(total, 50_000);
});
