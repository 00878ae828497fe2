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
  raise(labels: Labels, annotations: Labels): Promise<void>;
  resolve(labels: Labels): Promise<void>;
};

export const isInstalled = (): Promise<boolean> =>
  access(BINARY).then(
    () => true,
    () => false,
  );

/** The configurations of a receiver, by their kind: `webhook_configs` and others. */
export type Destinations = Readonly<Record<string, readonly object[]>>;

/** By the address of a webhook, or otherwise; without any it tells nobody. */
export async function startAlertmanager(
  destinations: string | Destinations | null,
): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'pager-alertmanager-'));
  const file = join(folder, 'alertmanager.yml');
  // JSON is YAML too.
  await writeFile(file, JSON.stringify(configFor(destinations)));
  const port = await freePort();
  const listen = `127.0.0.1:${port}`;
  const child = spawn(
    BINARY,
    [
      `--config.file=${file}`,
      `--storage.path=${folder}`,
      `--web.listen-address=${listen}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const isReady = () =>
    request(`http://${listen}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually('Alertmanager is ready', isReady);
  const send = async (alert: object) => {
    const { status } = await postJson(`http://${listen}/api/v2/alerts`, [alert]);
    if (status !== 200) throw new Error(`Alertmanager answered ${status}`);
  };
  return {
    port,
    pid: child.pid ?? 0,
    raise: (labels, annotations) => send({ labels, annotations }),
    resolve: (labels) => send({ labels, endsAt: systemClock.now().toString() }),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const configFor = (destinations: string | Destinations | null) => ({
  route: { receiver: 'pager', group_wait: '50ms', group_interval: '1s', repeat_interval: '1h' },
  receivers: [{ name: 'pager', ...configsOf(destinations) }],
});

const configsOf = (destinations: string | Destinations | null): Destinations =>
  typeof destinations === 'string'
    ? { webhook_configs: [{ url: destinations, send_resolved: true }] }
    : (destinations ?? {});
