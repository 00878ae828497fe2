// What the server needs when idle, and what its database can do at most.
import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from 'postgres';
import { filler } from './events.ts';
import { rate, type Tell } from './told.ts';
import type { Bench } from './world.ts';

const settleMs = 5_000;

export async function measureIdle(bench: Bench, tell: Tell): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  tell('memory when idle, database included (PSS)', `${memory(bench.pid).toFixed(0)} MB`);
}

export async function measureDatabase(sql: Sql, tell: Tell): Promise<void> {
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
