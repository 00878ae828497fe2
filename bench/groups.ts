// A group of 500 alerts in one request: as it comes first, again, and when it ends; grouped into one
// incident, and beside it with an incident for each alert.
import { request as send } from '../test/system/api-client.ts';
import { ms, type Report } from './report.ts';
import { type Bench, hookFor, startBench, startPageServer } from './world.ts';

const size = 500;
const turns = 9;

export async function measureGroups(report: Report): Promise<void> {
  await using bench = await startBench();
  await using pageServer = await startPageServer();
  const delayed = { delay_minutes: 1_440 };
  const [grouped, single] = [
    await hookFor(bench, pageServer.url, delayed, 'alertmanager'),
    await hookFor(bench, pageServer.url, delayed, 'webhook'),
  ];
  const both = { grouped: await timed(bench, grouped), single: await timed(bench, single) };
  for (const part of ['first', 'again', 'ended'] as const) {
    const [one, many] = [both.grouped[part], both.single[part]];
    const beside = `${ms(many)} with an incident for each`;
    report(`a group of ${size} alerts in one request, ${words[part]}`, ms(one), beside);
  }
}

const words = {
  first: 'as it comes first',
  again: 'as it comes again',
  ended: 'when all end',
} as const;
type Part = keyof typeof words;

/** The medians of some groups. */
async function timed({ port }: Bench, path: string): Promise<Readonly<Record<Part, number>>> {
  const all: Record<Part, number[]> = { first: [], again: [], ended: [] };
  for (let turn = 0; turn < turns; turn += 1)
    for (const part of ['first', 'again', 'ended'] as const) {
      const body = groupOf(turn, part === 'ended' ? 'resolved' : 'firing');
      const began = performance.now();
      const { status } = await send(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      all[part].push(performance.now() - began);
      if (status !== 202) throw new Error(`answered ${status}`);
    }
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[turns >> 1] ?? 0;
  return { first: median(all.first), again: median(all.again), ended: median(all.ended) };
}

const groupOf = (turn: number, status: string): string =>
  JSON.stringify({
    version: '4',
    groupKey: `{}:{alertname="Disk ${turn}"}`,
    alerts: Array.from({ length: size }, (_, index) => ({
      status,
      labels: { alertname: `Disk ${turn}`, instance: `db-${index}`, severity: 'critical' },
      annotations: { summary: `Disk full on db-${index}` },
      fingerprint: `${turn}-${index}`,
    })),
  });
