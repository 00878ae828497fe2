// A replay of events that each open an incident: with the saved rules, with a proposed grouping of few
// alerts each, and with one of nearly as many as an incident may have.
import { event, newTitles, only } from './events.ts';
import { load } from './load.ts';
import type { Report } from './report.ts';
import { hookFor, startBench, startPageServer } from './world.ts';

const events = 44_000;
const clusters = 4_400;
const regions = 50;

export async function measureReplay(report: Report): Promise<void> {
  await using bench = await startBench();
  await using pageServer = await startPageServer();
  const path = await hookFor(bench, pageServer.url, { delay_minutes: 1_440 });
  const title = newTitles(3_000_000);
  let n = 0;
  const next = () => {
    n += 1;
    return event(path, {
      title: title(),
      body: { cluster: `c${n % clusters}`, region: `r${n % regions}` },
    });
  };
  const { port } = bench;
  only('202', await load({ port, connections: 64, seconds: 120, next, requests: events }));
  const { data } = await bench.api('GET /integrations');
  const all = data as readonly { readonly id: string; readonly webhook_url: string }[];
  const integration_id = all.find(({ webhook_url }) => webhook_url.endsWith(path))?.id;
  const replayed = async (proposed: object, groups = events) => {
    const began = performance.now();
    const answer = await bench.api('POST /alert-rules/replay', { days: 1, ...proposed });
    const seconds = (performance.now() - began) / 1_000;
    const { read } = answer['events'] as { readonly read: number };
    if (read !== events) throw new Error(`${read} of ${events} events were replayed`);
    const joined = (answer['alerts_joined'] as { readonly proposed: number }).proposed;
    if (joined !== events - groups) throw new Error(`${joined} alerts joined`);
    return `${seconds.toFixed(1)} s`;
  };
  const by = (path: string) => ({ grouping: { integration_id, by: [path] } });
  const beside = `${await replayed({ rules: [] })} with the saved rules`;
  for (const [path, groups] of [
    ['details.cluster', clusters],
    ['details.region', regions],
  ] as const)
    report(
      `a replay of ${events} events, grouped by ${events / groups}`,
      await replayed(by(path), groups),
      beside,
    );
}
