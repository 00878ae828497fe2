// Two Alertmanagers of one cluster, which get alerts as from Prometheus: each of them by itself.
import {
  type Alertmanager,
  type Labels,
  type Manner,
  startAlertmanager,
} from '../system/alertmanager-process.ts';
import { eventually } from '../system/eventually.ts';
import type { Tool } from './pager.ts';

export type Pair = AsyncDisposable &
  Tool & {
    readonly peers: readonly [Alertmanager, Alertmanager];
    /** At both, by their names, from the given instant on. */
    begins(at: Temporal.Instant, ...names: readonly string[]): Promise<void>;
    ends(at: Temporal.Instant, ...names: readonly string[]): Promise<void>;
  };

/** Each waits for the other before it sends, as in any cluster, but not for 15 seconds. */
const clusterWords = [
  '--cluster.listen-address=127.0.0.1:0',
  '--cluster.peer-timeout=1s',
  '--cluster.gossip-interval=50ms',
  '--cluster.pushpull-interval=1s',
];

export async function startPair(
  webhookUrl: string,
  { groupBy = [] }: Pick<Manner, 'groupBy'> = {},
): Promise<Pair> {
  await using stack = new AsyncDisposableStack();
  const first = stack.use(await startAlertmanager(webhookUrl, { clusterWords, groupBy }));
  const address = await eventually('the first is there', async () => (await first.cluster())[0]);
  const joining = [...clusterWords, `--cluster.peer=${address}`];
  const second = stack.use(await startAlertmanager(webhookUrl, { clusterWords: joining, groupBy }));
  const peers = [first, second] as const;
  await eventually('the two are a cluster', async () => {
    const known = await Promise.all(peers.map((peer) => peer.cluster()));
    return known.every(({ length }) => length === 2);
  });
  const all = stack.move();
  return {
    peers,
    begins: (at, ...names) => sendToAll(peers, names, (peer, name) => begin(peer, name, at)),
    ends: (at, ...names) => sendToAll(peers, names, (peer, name) => end(peer, name, at)),
    /** What either of them has. */
    async broken() {
      const alerts = (await Promise.all(peers.map((peer) => peer.alerts()))).flat();
      const byKey = new Map(alerts.map(({ fingerprint, labels }) => [fingerprint, labels]));
      return [...byKey].map(([key, labels]) => ({ key, name: labels['alertname'] ?? '' }));
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const labelsOf = (name: string): Labels => ({ alertname: name, instance: 'db-1' });

export const begin = (peer: Alertmanager, name: string, at: Temporal.Instant): Promise<void> =>
  peer.raise(labelsOf(name), { summary: `${name} on db-1` }, at);

export const end = (peer: Alertmanager, name: string, at: Temporal.Instant): Promise<void> =>
  peer.resolve(labelsOf(name), at);

async function sendToAll(
  peers: readonly Alertmanager[],
  names: readonly string[],
  one: (peer: Alertmanager, name: string) => Promise<void>,
): Promise<void> {
  await Promise.all(peers.flatMap((peer) => names.map((name) => one(peer, name))));
}
