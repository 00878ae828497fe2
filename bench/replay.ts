// A replay of events that each open an incident: with the saved rules, and with a proposed grouping.
import { event, newTitles, only } from './events.ts';
import { load } from './load.ts';
import type { Report } from './report.ts';
import { hookFor, startBench, startPageServer } from './world.ts';

const events = 44_000;
const clusters = 50;

export async function measureReplay(report: Report): Promise<void> {
  await using bench = await startBench();
  await using pageServer = await startPageServer();
  const path = await hookFor(bench, pageServer.url, { delay_minutes: 1_440 });
  const title = newTitles(3_000_000);
  let n = 0;
  const next = () => {
    n += 1;
    return event(path, { title: title(), body: { cluster: `c${n % clusters}` } });
  };
  const { port } = bench;
  only('202', await load({ port, connections: 64, seconds: 120, next, requests: events }));
  const { data } = await bench.api('GET /integrations');
  const [{ id: integration_id }] = data as [{ id: string }];
  const grouping = { integration_id, by: ['details.cluster'] };
  const seconds: number[] = [];
  for (const proposed of [{ rules: [] }, { grouping }]) {
    const began = performance.now();
    const answer = await bench.api('POST /alert-rules/replay', { days: 1, ...proposed });
    seconds.push((performance.now() - began) / 1_000);
    const { read } = answer['events'] as { readonly read: number };
    if (read !== events) throw new Error(`${read} of ${events} events were replayed`);
  }
  const [ruled = 0, grouped = 0] = seconds;
  const beside = `${ruled.toFixed(1)} s with the saved rules`;
  report(`a replay of ${events} events with a grouping`, `${grouped.toFixed(1)} s`, beside);
}
