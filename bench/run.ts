// npm run bench: what docs/performance.md shows, measured on this machine in one run, beside what
// the machine itself can do. Figures of different runs are not comparable; their ratios are.
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { measureBacklog } from './backlog.ts';
import { type Loaded, load, quantile, request } from './load.ts';
import { measureOncall } from './oncall.ts';
import { measureRuledIngest } from './ruled-ingest.ts';
import { measureRules } from './rules.ts';
import { measureShifts } from './shifts.ts';
import { measureTerraform } from './terraform.ts';
import { measurePlans } from './terraform-plans.ts';
import { type Bench, hookFor, startBench, startReceiver } from './world.ts';

const connections = 64;
const barePort = 18_999;
const rows: string[][] = [];

function tell(what: string, figure: string, beside = ''): void {
  rows.push([what, figure, beside]);
  process.stdout.write(`${what.padEnd(58)} ${figure.padEnd(34)} ${beside}\n`);
}

const ms = (value: number) => `${value.toFixed(1)} ms`;
const rate = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
const times = ({ p50, p99 }: Loaded) => `p50 ${ms(p50)}, p99 ${ms(p99)}`;

function serveBare(): void {
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => response.end('{"ok":true}'));
  });
  server.listen(barePort, '127.0.0.1');
}

async function bareHttp(): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), ['bare']);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const next = () => event('/x', { title: 'Load 1' });
  const run = (seconds: number) => load({ port: barePort, connections, seconds, next });
  await run(2);
  const result = await run(4);
  child.kill();
  tell('bare HTTP, nothing kept', rate(result.perSecond), times(result));
  return result.perSecond;
}

const filler = 'x'.repeat(200);
const event = (path: string, fields: object) =>
  request(path, JSON.stringify({ severity: 'critical', body: { text: filler }, ...fields }));

function connectTo(bench: Bench) {
  const host = new URL(bench.databaseUrl).searchParams.get('host') ?? '';
  return postgres('postgres://pager@localhost/pager', { host, max: 4, onnotice() {} });
}
type Sql = ReturnType<typeof connectTo>;

async function databaseLimits(sql: Sql): Promise<void> {
  await sql`create table bench_rows (id bigserial primary key, body text)`;
  const one = () => sql`insert into bench_rows (body) values (${filler})`;
  tell('synced commits of one row, one after another', rate(await often(2, one)));
  const many = JSON.stringify(Array.from({ length: 500 }, () => ({ body: filler })));
  const batch = () => sql`
    insert into bench_rows (body)
    select body from json_to_recordset(${many}::text::json) as r(body text)`;
  const [a = 0, b = 0] = await Promise.all([often(2, batch), often(2, batch)]);
  tell('synced commits of 500 rows, two lanes, in rows', rate((a + b) * 500));
  await sql`drop table bench_rows`;
}

async function often(seconds: number, work: () => Promise<unknown>): Promise<number> {
  const begins = performance.now();
  let count = 0;
  while (performance.now() - begins < seconds * 1_000) {
    await work();
    count += 1;
  }
  return (count * 1_000) / (performance.now() - begins);
}

async function ingest(bench: Bench, path: string, bare: number): Promise<void> {
  let n = 0;
  const next = () => {
    n += 1;
    return event(path, { title: 'Over', status: 'resolve', dedup_key: `k${n}` });
  };
  const run = (seconds: number) => load({ port: bench.port, connections, seconds, next });
  await run(4);
  const result = await run(8);
  only202(result);
  const ratio = `${((result.perSecond / bare) * 100).toFixed(0)} % of bare HTTP, ${times(result)}`;
  tell('events accepted durably and decided (nothing to page)', rate(result.perSecond), ratio);
}

function only202(result: Loaded): void {
  const others = Object.entries(result.statuses).filter(([status]) => status !== '202');
  if (others.length > 0) throw new Error(`answers other than 202: ${JSON.stringify(others)}`);
}

/** One event in `every` opens an incident and pages; the others repeat open ones. */
async function sustained(
  bench: Bench,
  path: string,
  given: { readonly sql: Sql; readonly connections: number },
): Promise<void> {
  const { sql, connections } = given;
  const every = 50;
  // Incidents of their own for each number of connections.
  let n = connections * 1_000_000;
  const next = () => {
    n += 1;
    return event(path, { title: `Load ${Math.floor(n / every)}` });
  };
  const perSecond = 5_000;
  const result = await load({ port: bench.port, connections, seconds: 10, next, perSecond });
  only202(result);
  const begins = performance.now();
  let [left] = await sql`select count(*)::int as n from events where decided_at is null`;
  while (left?.['n'] > 0 && performance.now() - begins < 60_000)
    [left] = await sql`select count(*)::int as n from events where decided_at is null`;
  const after = performance.now() - begins;
  const what = `${times(result)}; all decided ${ms(after)} after the last`;
  const asked = `asked for 5,000 events/s for 10 s, 2 % open incidents, ${connections} connections`;
  tell(asked, rate(result.perSecond), what);
}

type Receivers = Awaited<ReturnType<typeof startReceiver>>;

async function eventToPage(bench: Bench, paths: readonly string[], receiver: Receivers) {
  receiver.came.clear();
  const sentAt = new Map<string, number>();
  let n = 1_000_000;
  const next = () => {
    n += 1;
    const title = `Load ${n}`;
    sentAt.set(title, performance.now());
    return event(paths[n % paths.length] ?? '', { title });
  };
  const run = async (perSecond: number, seconds: number) => {
    sentAt.clear();
    const result = await load({ port: bench.port, connections: 16, seconds, next, perSecond });
    await until(() => [...sentAt.keys()].every((title) => receiver.came.has(title)), 60);
    const took = [...sentAt].map(([title, at]) => (receiver.came.get(title)?.[0] ?? Infinity) - at);
    took.sort((a, b) => a - b);
    return { result, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
  };
  await run(100, 3);
  for (const perSecond of [50, 500]) {
    const { result, p50, p99 } = await run(perSecond, 8);
    const asked = `event sent to page handed over, ${perSecond} new incidents/s`;
    tell(asked, `p50 ${ms(p50)}, p99 ${ms(p99)}`, `${rate(result.perSecond)} came`);
  }
}

async function until(holds: () => boolean, seconds: number): Promise<void> {
  const ends = performance.now() + seconds * 1_000;
  while (!holds() && performance.now() < ends) await new Promise((r) => setTimeout(r, 50));
}

async function storm(
  bench: Bench,
  paths: readonly string[],
  world: { sql: Sql; receiver: Receivers },
) {
  const { receiver, sql } = world;
  receiver.came.clear();
  let n = 2_000_000;
  const next = () => {
    n += 1;
    return event(paths[n % paths.length] ?? '', { title: `Load ${n}` });
  };
  const begins = performance.now();
  const options = { port: bench.port, connections, seconds: 10, next, perSecond: 1_000 };
  const result = await load(options);
  only202(result);
  await until(() => receiver.came.size >= result.requests, 120);
  const took = (performance.now() - begins) / 1_000;
  const twice = [...receiver.came.values()].filter((times) => times.length > 1).length;
  const [opened] = await sql`
    select count(*)::int as n from incidents where title ~ '^Load 2[0-9]{6}$'`;
  const what = `${opened?.['n']} incidents, ${receiver.came.size} paged, ${twice} twice; last page after ${took.toFixed(1)} s`;
  tell(`a storm of ${result.requests} new incidents in 10 s`, `${times(result)}`, what);
}

/** 100,000 incidents wait for their next step; 1,000 of them are due within 20 s. */
async function timers(sql: Sql): Promise<void> {
  const waiting = 100_000;
  const due = 1_000;
  await sql`
    insert into incidents
    select r.* from (select to_jsonb(one) as was from incidents one limit 1) i,
      generate_series(1, ${waiting}::int) g,
      lateral (select to_char((now() + case when g <= ${due}::int
        then interval '15 s' + g * interval '20 ms' else interval '1 day' end) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as t) at,
      lateral jsonb_populate_record(null::incidents, i.was || jsonb_build_object(
        'id', to_char(g, 'FM0000000000') || 'aaaaaaaaaaaaaa', 'number', 10000000 + g,
        'dedup_key', 'timer ' || g, 'title', 'Timer', 'details', at.t, 'status', 'triggered', 'wake_at', at.t,
        'merged_into_id', null, 'acknowledged_at', null, 'resolved_at', null,
        'escalation', (i.was->'escalation') || jsonb_build_object('nextStep', 0, 'stepAt', at.t)
      )) r`;
  await new Promise((resolve) => setTimeout(resolve, 40_000));
  const fired = await sql`
    select extract(epoch from t.at - (i.details #>> '{}')::timestamptz)::float8 * 1000 as late
    from timeline t join incidents i on i.organization_id = t.organization_id
      and i.id = t.incident_id
    where i.title = 'Timer' and t.type = 'step_fired'`;
  const errors = fired.map((row) => Number(row['late'])).sort((a, b) => a - b);
  const figure = `p50 ${ms(quantile(errors, 0.5))}, p99 ${ms(quantile(errors, 0.99))}`;
  tell('timer error with 100,000 waiting escalations', figure, `${errors.length} of ${due} fired`);
}

/** Of the server and its database, each shared page counted in parts. */
function memory(pid: number): number {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const childrenOf = Map.groupBy(all, parentOf);
  const withChildren = (one: number): readonly number[] => [
    one,
    ...(childrenOf.get(one) ?? []).flatMap(withChildren),
  ];
  return withChildren(pid).reduce((sum, one) => sum + pssOf(one), 0) / 1_024;
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
};
const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);
const pssOf = (pid: number) =>
  Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

async function main(): Promise<void> {
  measureOncall(tell);
  measureRules(tell);
  await measureTerraform(tell);
  await measurePlans(tell);
  const bare = await bareHttp();
  await using bench = await startBench();
  await using receiver = await startReceiver();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  tell('memory when idle, database included (PSS)', `${memory(bench.pid).toFixed(0)} MB`);
  const sql = connectTo(bench);
  await databaseLimits(sql);
  const paths: string[] = [];
  for (let index = 0; index < 8; index += 1)
    paths.push(await hookFor(bench, `${receiver.url}?${index}`));
  const [path = ''] = paths;
  await ingest(bench, path, bare);
  await eventToPage(bench, paths, receiver);
  for (const senders of [connections, 256])
    await sustained(bench, path, { sql, connections: senders });
  await measureRuledIngest(bench, tell);
  await measureBacklog(bench, tell);
  await storm(bench, paths, { sql, receiver });
  await timers(sql);
  await measureShifts(bench, sql, tell);
  await sql.end();
}

if (process.argv[2] === 'bare') serveBare();
else await main();
