// Debian's Alertmanager as a child process, told to send everything to one webhook.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/engine/clock.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const BINARY = '/usr/bin/prometheus-alertmanager';

export type Labels = Readonly<Record<string, string>>;
export type Alertmanager = AsyncDisposable & {
  readonly pid: number;
  readonly port: number;
  /** From the given instant on, or from now. */
  raise(labels: Labels, annotations: Labels, startsAt?: Temporal.Instant): Promise<void>;
  resolve(labels: Labels, endsAt?: Temporal.Instant): Promise<void>;
  /** What it says is not over. */
  alerts(): Promise<readonly { readonly fingerprint: string; readonly labels: Labels }[]>;
  /** The addresses of those of its cluster, once it has found them. */
  cluster(): Promise<readonly string[]>;
  /** From now on it does nothing, as on a machine that hangs: what it is told, it hears later. */
  freeze(): void;
  thaw(): void;
};

export const isInstalled = (): Promise<boolean> =>
  access(BINARY).then(
    () => true,
    () => false,
  );

/** The configurations of a receiver, by their kind: `webhook_configs` and others. */
export type Destinations = Readonly<Record<string, readonly object[]>>;

export type Manner = {
  /** In place of being alone. */
  readonly clusterWords?: readonly string[];
  /** Of all alerts in one, if there are none. */
  readonly groupBy?: readonly string[];
};

/** By the address of a webhook, or otherwise; without any it tells nobody. */
export async function startAlertmanager(
  destinations: string | Destinations | null,
  { clusterWords = ['--cluster.listen-address='], groupBy = [] }: Manner = {},
): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'pager-alertmanager-'));
  const file = join(folder, 'alertmanager.yml');
  // JSON is YAML too.
  await writeFile(file, JSON.stringify(configFor(destinations, groupBy)));
  const port = await freePort();
  const listen = `127.0.0.1:${port}`;
  const child = spawn(
    BINARY,
    [
      `--config.file=${file}`,
      `--storage.path=${folder}`,
      `--web.listen-address=${listen}`,
      ...clusterWords,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // It complains of each attempt while its receiver is stopped.
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk;
  });
  const isReady = () =>
    request(`http://${listen}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(() => `Alertmanager is ready: ${log}`, isReady);
  const send = async (alert: object) => {
    const { status } = await postJson(`http://${listen}/api/v2/alerts`, [alert]);
    if (status !== 200) throw new Error(`Alertmanager answered ${status}`);
  };
  return {
    port,
    pid: child.pid ?? 0,
    raise: (labels, annotations, startsAt) =>
      send({ labels, annotations, ...(startsAt && { startsAt: startsAt.toString() }) }),
    resolve: (labels, endsAt = systemClock.now()) => send({ labels, endsAt: endsAt.toString() }),
    async alerts() {
      const { body } = await request(`http://${listen}/api/v2/alerts`);
      return body;
    },
    async cluster() {
      const { body } = await request(`http://${listen}/api/v2/status`);
      const peers: { address: string }[] = body.cluster.peers ?? [];
      return body.cluster.status === 'ready' ? peers.map(({ address }) => address) : [];
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const configFor = (destinations: string | Destinations | null, groupBy: readonly string[]) => ({
  route: {
    receiver: 'pager',
    group_by: groupBy,
    group_wait: '50ms',
    group_interval: '1s',
    repeat_interval: '1h',
  },
  receivers: [{ name: 'pager', ...configsOf(destinations) }],
});

const configsOf = (destinations: string | Destinations | null): Destinations =>
  typeof destinations === 'string'
    ? { webhook_configs: [{ url: destinations, send_resolved: true }] }
    : (destinations ?? {});
