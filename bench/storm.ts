// Ten thousand new incidents in ten seconds, all paged.
import type { Sql } from 'postgres';
import { event, newTitles, only } from './events.ts';
import { load } from './load.ts';
import { until } from './page-delays.ts';
import { type Report, times } from './report.ts';
import type { PageServer } from './world.ts';

const connections = 64;
const lastPageSeconds = 120;

type StormParams = {
  readonly port: number;
  readonly paths: readonly string[];
  readonly sql: Sql;
  readonly pageServer: PageServer;
};

export async function measureStorm(params: StormParams, report: Report): Promise<void> {
  const { port, paths, sql, pageServer } = params;
  pageServer.came.clear();
  const title = newTitles(2_000_000);
  let n = 0;
  const next = () => {
    n += 1;
    return event(paths[n % paths.length] ?? '', { title: title() });
  };
  const begins = performance.now();
  const options = { port, connections, seconds: 10, next, perSecond: 1_000 };
  const result = only('202', await load(options));
  await until(() => pageServer.came.size >= result.requests, lastPageSeconds);
  const took = (performance.now() - begins) / 1_000;
  const twice = [...pageServer.came.values()].filter((one) => one.length > 1).length;
  const [opened] = await sql`
    select count(*)::int as n from incidents where title ~ '^Load 2[0-9]{6}$'`;
  const paged = `${opened?.['n']} incidents, ${pageServer.came.size} paged, ${twice} twice`;
  const beside = `${paged}; last page after ${took.toFixed(1)} s`;
  report(`a storm of ${result.requests} new incidents in 10 s`, times(result), beside);
}
