// What the server needs when idle, and what its database can do at most.
import type { Sql } from 'postgres';
import { filler } from './events.ts';
import { memoryOf } from './processes.ts';
import { type Report, rate } from './report.ts';
import type { Bench } from './world.ts';

const settleMs = 5_000;

export async function measureIdle(bench: Bench, report: Report): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  report('memory when idle, database included (PSS)', `${memoryOf(bench.pid).toFixed(0)} MB`);
}

export async function measureDatabase(sql: Sql, report: Report): Promise<void> {
  await sql`create table bench_rows (id bigserial primary key, body text)`;
  const one = () => sql`insert into bench_rows (body) values (${filler})`;
  report('synced commits of one row, one after another', rate(await often(2, one)));
  const many = JSON.stringify(Array.from({ length: 500 }, () => ({ body: filler })));
  const batch = () => sql`
    insert into bench_rows (body)
    select body from json_to_recordset(${many}::text::json) as r(body text)`;
  const [a = 0, b = 0] = await Promise.all([often(2, batch), often(2, batch)]);
  report('synced commits of 500 rows, two lanes, in rows', rate((a + b) * 500));
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
