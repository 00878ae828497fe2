// From sending an event that opens an incident to the arrival of its page.
import { event } from './events.ts';
import { type Loaded, load, quantile } from './load.ts';
import type { PageServer } from './world.ts';

const connections = 16;
const lastPageSeconds = 120;

export type Paging = {
  readonly port: number;
  /** Hooks whose policies page this server, in turn. */
  readonly paths: readonly string[];
  readonly pageServer: PageServer;
  readonly title: () => string;
  readonly perSecond: number;
  readonly seconds: number;
};

export type Delays = Pick<Loaded, 'p50' | 'p99' | 'perSecond'> & {
  /** Until the events themselves were answered. */
  readonly answered: Pick<Loaded, 'p50' | 'p99'>;
  /** Pages that did not come at all. */
  readonly missing: number;
};

export async function pageDelays(paging: Paging): Promise<Delays> {
  const { port, paths, pageServer, title, perSecond, seconds } = paging;
  const sentAt = new Map<string, number>();
  const next = () => {
    const name = title();
    const path = paths[sentAt.size % paths.length] ?? '';
    sentAt.set(name, performance.now());
    return event(path, { title: name });
  };
  const result = await load({ port, connections, seconds, next, perSecond });
  const isThere = (name: string) => pageServer.came.has(name);
  await until(() => [...sentAt.keys()].every(isThere), lastPageSeconds);
  const took = [...sentAt].map(([name, at]) => (pageServer.came.get(name)?.[0] ?? Infinity) - at);
  took.sort((a, b) => a - b);
  return {
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
    perSecond: result.perSecond,
    answered: { p50: result.p50, p99: result.p99 },
    missing: took.filter((one) => one === Infinity).length,
  };
}

export async function until(
  holds: () => boolean | Promise<boolean>,
  seconds: number,
): Promise<boolean> {
  const ends = performance.now() + seconds * 1_000;
  for (;;) {
    if (await holds()) return true;
    if (performance.now() > ends) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
