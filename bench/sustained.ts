// A steady stream: one event in fifty opens an incident and pages, the others repeat open ones.
import type { Sql } from 'postgres';
import { event, only } from './events.ts';
import { load } from './load.ts';
import { until } from './page-delays.ts';
import { ms, type Report, rate, times } from './report.ts';

const every = 50;
const perSecond = 5_000;

type SustainedParams = {
  readonly port: number;
  readonly path: string;
  readonly sql: Sql;
  readonly connections: number;
};

export async function measureSustained(params: SustainedParams, report: Report): Promise<void> {
  const { port, path, sql, connections } = params;
  // Incidents of their own for each number of connections.
  let n = connections * 1_000_000;
  const next = () => {
    n += 1;
    return event(path, { title: `Load ${Math.floor(n / every)}` });
  };
  const result = only('202', await load({ port, connections, seconds: 10, next, perSecond }));
  const begins = performance.now();
  const isDecided = async () => {
    const [left] = await sql`select count(*)::int as n from events where decided_at is null`;
    return left?.['n'] === 0;
  };
  await until(isDecided, 60);
  report(
    `asked for 5,000 events/s for 10 s, 2 % open incidents, ${connections} connections`,
    rate(result.perSecond),
    `${times(result)}; all decided ${ms(performance.now() - begins)} after the last`,
  );
}
