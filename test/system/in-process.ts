// The server inside the test, on a clock that the test moves on; all else is real.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditCommand } from '../../src/commands/audit.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { type Machine, systemClock } from '../../src/engine/clock.ts';
import { type Log, silentLog } from '../../src/engine/log.ts';
import { startServer } from '../../src/server.ts';
import type { Sql } from '../../src/storage/database/database.ts';
import { type TestDatabase, type TestServer, testDatabase } from '../database.ts';
import { type Api, createApiClient } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { withMailServer } from './mail-sink.ts';
import type { Settings } from './server-process.ts';

export type InProcess = AsyncDisposable & {
  readonly url: string;
  /** For commands that are run beside it. */
  readonly config: Config;
  readonly sql: Sql;
  readonly api: Api;
  /** Resolves once nothing is being sent or changed at a vendor, nor about to be. */
  calm(): Promise<void>;
  /**
   * Moves the server's time on once it is calm: the lease of what is being sent would be over. The
   * server is there all the while.
   */
  pass(duration: { readonly minutes: number }): Promise<void>;
};

export const inProcessKey = `pgr_${'0123456789'.repeat(4)}`;

/** What no setting says. */
type Limits = {
  readonly apiMillisecondsMax?: number;
  /** On the clock of the database, beside the clocks of this machine: the test moves no time on. */
  readonly machine?: Machine;
  readonly host?: string;
  readonly boot?: string;
  readonly log?: Log;
};

/** On a database that several share, or on one of its own. */
export async function startInProcess(
  on: TestServer | TestDatabase,
  settings: Settings,
  limits: Limits = {},
): Promise<InProcess> {
  await using stack = new AsyncDisposableStack();
  const database = 'sql' in on ? on : stack.use(await testDatabase({ server: on }));
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-system-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const listen = settings['PAGER_LISTEN'] ?? `127.0.0.1:${await freePort()}`;
  const url = `http://${listen}`;
  const mailing = await withMailServer(settings, stack);
  const read = readConfig({
    PAGER_DATA_DIR: dataDir,
    PAGER_DATABASE_URL: database.url,
    PAGER_LISTEN: listen,
    PAGER_PUBLIC_URL: url,
    PAGER_EMAIL_LISTEN: '127.0.0.1:0',
    PAGER_BOOTSTRAP_EMAIL: 'owner@example.test',
    PAGER_BOOTSTRAP_API_KEY: inProcessKey,
    ...mailing,
  });
  if (!read.ok) throw new Error(read.problems.join('; '));
  const { config } = read;
  stack.defer(() => assertSound(config));
  let ahead = Temporal.Duration.from({ minutes: 0 });
  const clock = { now: () => systemClock.now().add(ahead) };
  const failed = (error: Error) => {
    throw error;
  };
  const shown = { log: silentLog, print() {}, failed };
  const timed = limits.machine === undefined ? { clock } : {};
  stack.use(await startServer({ config, ...shown, ...timed, ...limits }));
  const calm = async () => {
    await eventually('nothing is being sent', () => isCalm(database.sql, clock.now()));
  };
  const all = stack.move();
  return {
    url,
    config,
    sql: database.sql,
    api: createApiClient(url, inProcessKey),
    calm,
    async pass(duration) {
      await calm();
      const next = ahead.add(duration);
      await database.sql`update presence set last_at = ${systemClock.now().add(next)}`;
      ahead = next;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** What `pagerctl audit` finds once the server has stopped: nothing. */
async function assertSound(config: Config): Promise<void> {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  assert.equal(await auditCommand([], config, { write, writeError: write }), 0, output);
}

/** What is due so soon may be begun before the answer of `isCalm` is here. */
const MARGIN = { seconds: 2 };

/** Whether nothing is due, and nothing is under way. */
async function isCalm(sql: Sql, now: Temporal.Instant): Promise<boolean> {
  const soon = now.add(MARGIN);
  const busy = await sql`
    (select from outbox o
      where state = 'pending' and (wake_at <= ${soon} or exists (
        select from attempts a
        where a.organization_id = o.organization_id and a.key = o.key and a.outcome is null))
      limit 1)
    union all
    (select from posted where wake_at <= ${soon} limit 1)`;
  return busy.length === 0;
}
