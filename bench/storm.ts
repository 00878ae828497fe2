// Ten thousand new incidents in ten seconds, all paged.
import type { Sql } from 'postgres';
import { event, newTitles, only } from './events.ts';
import { load } from './load.ts';
import { until } from './page-delays.ts';
import { type Tell, times } from './told.ts';
import type { Receivers } from './world.ts';

const connections = 64;
const lastPageSeconds = 120;

type Asked = {
  readonly port: number;
  readonly paths: readonly string[];
  readonly sql: Sql;
  readonly receiver: Receivers;
};

export async function measureStorm(asked: Asked, tell: Tell): Promise<void> {
  const { port, paths, sql, receiver } = asked;
  receiver.came.clear();
  const title = newTitles(2_000_000);
  let n = 0;
  const next = () => {
    n += 1;
    return event(paths[n % paths.length] ?? '', { title: title() });
  };
  const begins = performance.now();
  const options = { port, connections, seconds: 10, next, perSecond: 1_000 };
  const result = only('202', await load(options));
  await until(() => receiver.came.size >= result.requests, lastPageSeconds);
  const took = (performance.now() - begins) / 1_000;
  const twice = [...receiver.came.values()].filter((one) => one.length > 1).length;
  const [opened] = await sql`
    select count(*)::int as n from incidents where title ~ '^Load 2[0-9]{6}$'`;
  const paged = `${opened?.['n']} incidents, ${receiver.came.size} paged, ${twice} twice`;
  const beside = `${paged}; last page after ${took.toFixed(1)} s`;
  tell(`a storm of ${result.requests} new incidents in 10 s`, times(result), beside);
}
