// Debian's Prometheus as a child process, with one rule, and Pager or others as its Alertmanagers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const BINARY = '/usr/bin/prometheus';

export type Prometheus = AsyncDisposable & {
  /** Whether its rule holds, from now on. */
  set(holds: boolean): Promise<void>;
  /** From now on it does nothing, as on a machine that hangs. */
  freeze(): void;
  thaw(): void;
};

export const isInstalled = (): Promise<boolean> =>
  access(BINARY).then(
    () => true,
    () => false,
  );

/** `ways`: how it reaches what it takes for Alertmanagers: `path_prefix`, `authorization`. */
export async function startPrometheus(
  targets: readonly string[],
  ways: readonly object[],
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'pager-prometheus-'));
  const rules = join(folder, 'rules.yml');
  const file = join(folder, 'prometheus.yml');
  const alertmanagers = ways.map((way) => ({ ...way, static_configs: [{ targets }] }));
  // JSON is YAML too.
  const config = {
    global: { evaluation_interval: '1s' },
    rule_files: [rules],
    alerting: { alertmanagers },
  };
  await writeFile(file, JSON.stringify(config));
  await writeFile(rules, rulesOf(false));
  const listen = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    BINARY,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${listen}`,
      '--web.enable-lifecycle',
      // It learns of its Alertmanagers some seconds after it is ready, and drops what it sends before.
      '--rules.alert.resend-delay=1s',
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await eventually('Prometheus is ready', () =>
    request(`http://${listen}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return {
    async set(holds) {
      await writeFile(rules, rulesOf(holds));
      const { status } = await request(`http://${listen}/-/reload`, { method: 'POST' });
      if (status !== 200) throw new Error(`Prometheus answered ${status}`);
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

const rulesOf = (holds: boolean): string =>
  JSON.stringify({
    groups: [
      {
        name: 'pager',
        rules: [
          {
            alert: 'DiskFull',
            expr: `vector(1) == ${holds ? 1 : 0}`,
            labels: { severity: 'critical' },
            annotations: { summary: 'The disk of db-1 is full' },
          },
        ],
      },
    ],
  });
