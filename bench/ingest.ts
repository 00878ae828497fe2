// Events that open nothing, as fast as they are accepted durably and decided.
import { event, only } from './events.ts';
import { load } from './load.ts';
import { costOf } from './processes.ts';
import { type Report, rate, share, times } from './report.ts';
import type { Bench } from './world.ts';

const connections = 64;

type IngestParams = {
  readonly bench: Pick<Bench, 'pid' | 'port'>;
  readonly path: string;
  readonly bare: number;
};

export async function measureIngest(
  { bench: { pid, port }, path, bare }: IngestParams,
  report: Report,
): Promise<void> {
  let n = 0;
  const next = () => {
    n += 1;
    return event(path, { title: 'Over', status: 'resolve', dedup_key: `k${n}` });
  };
  await load({ port, connections, seconds: 4, next });
  const run = () => load({ port, connections, seconds: 8, next });
  const result = await costOf(pid, run);
  only('202', result);
  const beside = `${share(result.perSecond, bare)} of bare HTTP; ${times(result)}; ${result.cost}`;
  report('events accepted durably and decided (nothing to page)', rate(result.perSecond), beside);
}
