// The server inside the test, on a clock that the test moves on; all else is real.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { silentLog } from '../../src/engine/log.ts';
import { startServer } from '../../src/server.ts';
import { type TestServer, testDatabase } from '../database.ts';
import { type Api, createApiClient } from './api-client.ts';
import { freePort } from './receivers.ts';
import type { Settings } from './server-process.ts';

export type InProcess = AsyncDisposable & {
  readonly url: string;
  readonly api: Api;
  /** Moves the server's time on. */
  pass(duration: { readonly minutes: number }): void;
};

export const inProcessKey = `pgr_${'0123456789'.repeat(4)}`;

export async function startInProcess(on: TestServer, settings: Settings): Promise<InProcess> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase({ server: on, migrations: 'none' }));
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-system-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const listen = `127.0.0.1:${await freePort()}`;
  const url = `http://${listen}`;
  const read = readConfig(
    {
      PAGER_DATA_DIR: dataDir,
      PAGER_DATABASE_URL: database.url,
      PAGER_LISTEN: listen,
      PAGER_PUBLIC_URL: url,
      PAGER_EMAIL_LISTEN: '127.0.0.1:0',
      PAGER_BOOTSTRAP_EMAIL: 'owner@example.test',
      PAGER_BOOTSTRAP_API_KEY: inProcessKey,
      ...settings,
    },
    false,
  );
  if (!read.ok) throw new Error(read.problems.join('; '));
  let ahead = Temporal.Duration.from({ minutes: 0 });
  const clock = { now: () => systemClock.now().add(ahead) };
  stack.use(await startServer({ config: read.config, log: silentLog, clock, print() {} }));
  const all = stack.move();
  return {
    url,
    api: createApiClient(url, inProcessKey),
    pass(duration) {
      ahead = ahead.add(duration);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
