// A server from its start to its end. While a backup is being restored it puts down its work and
// lets go of the database, answers 503, and starts anew on what is there then: nothing that it held
// in memory is of any use. Until its database is there, it waits in the same way.
import { setTimeout as pause } from 'node:timers/promises';
import { createWaitingApi } from '../api/http/restoring.ts';
import { listenOn } from '../cannot-start.ts';
import type { Config } from '../config.ts';
import { databaseUrl } from '../database-url.ts';
import { systemClock } from '../engine/clock.ts';
import { createIds } from '../engine/ids.ts';
import { type Server, startServer } from '../server.ts';
import { isRestoreRunning } from '../storage/backup/restore-lock.ts';
import { asUnavailable, DatabaseUnavailable, openDatabase } from '../storage/database/database.ts';
import { BeingRestored } from '../storage/sealed/key-lock.ts';
import { closeHttpServer } from './close-http.ts';
import type { Start } from './context.ts';

const POLL_MS = 500;
const ABSENT_POLL_MS = 1_000;

type ServeOptions = Omit<Start, 'restoring' | 'takeOver'> & {
  readonly signal: AbortSignal;
  /** Ends the drain before its time. */
  readonly hurry?: AbortSignal;
};

/**
 * Until the signal has come and the drain is over. What is left to do then, the answer does when it
 * is disposed of.
 */
export async function serve(start: ServeOptions): Promise<AsyncDisposable> {
  const { signal, config, log } = start;
  await using stack = new AsyncDisposableStack();
  let standIn: StandIn | undefined;
  stack.defer(async () => standIn?.[Symbol.asyncDispose]());
  const takeOver = async () => {
    await standIn?.[Symbol.asyncDispose]();
    standIn = undefined;
  };
  const standInFor = async (reason: StandIn['reason']) => {
    if (standIn?.reason === reason) return;
    await takeOver();
    standIn = await startStandIn(config, reason);
  };
  let logged: string | undefined;
  for (;;) {
    const restore = Promise.withResolvers<void>();
    const server = await startIfPossible({ ...start, takeOver, restoring: restore.resolve });
    if (server === 'stopped') return stack.move();
    if (server instanceof DatabaseUnavailable) {
      const { code, message } = server;
      if (message !== logged) log.warn({ code }, `${message}; the server waits for it`);
      logged = message;
      await standInFor('unavailable');
      await pause(ABSENT_POLL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return stack.move();
      continue;
    }
    logged = undefined;
    const wasReady = server !== null && !signal.aborted;
    if (server !== null) await Promise.race([whenAborted(signal), restore.promise]);
    if (server !== null && signal.aborted) {
      stack.use(server);
      if (wasReady) await Promise.race([drain(start), restore.promise]);
      return stack.move();
    }
    log.warn({}, 'a backup is being restored: requests get 503 until it ends');
    const stopping = server?.[Symbol.asyncDispose]();
    await server?.closed;
    await standInFor('restoring');
    await stopping;
    await waitForRestore(start);
    if (signal.aborted) return stack.move();
    log.info({}, 'the restore has ended: starting on the database as it is now');
  }
}

/**
 * Null: it is not for a server to work now. A database that is not there is waited for, one that refuses
 * the server is not: only its operator can change that.
 */
async function startIfPossible(
  start: ServeOptions & Start,
): Promise<Server | 'stopped' | DatabaseUnavailable | null> {
  try {
    return await startServer(start);
  } catch (error) {
    if (error instanceof BeingRestored) return null;
    if (start.signal.aborted && error === start.signal.reason) return 'stopped';
    const reason = asUnavailable(error);
    if (reason instanceof DatabaseUnavailable && !reason.isRefusal) return reason;
    throw error;
  }
}

/** A balancer takes a while to see that a server stops, and sends it requests until then. */
async function drain({ config, log, signal, hurry }: ServeOptions): Promise<void> {
  const { drainSeconds } = config;
  if (drainSeconds === 0) return;
  log.info(
    { signal: signal.reason, drain_seconds: drainSeconds },
    'draining: requests are still served; a second signal ends the drain',
  );
  const options = hurry === undefined ? {} : { signal: hurry };
  await pause(drainSeconds * 1_000, undefined, options).catch(() => undefined);
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) return done();
    signal.addEventListener('abort', () => done(), { once: true });
  });

type StandIn = AsyncDisposable & { readonly reason: Parameters<typeof createWaitingApi>[1] };

async function startStandIn({ listen }: Config, reason: StandIn['reason']): Promise<StandIn> {
  const app = createWaitingApi(createIds(systemClock), reason);
  await listenOn({ setting: 'PAGER_LISTEN', ...listen }, () => app.listen({ ...listen }));
  return { reason, [Symbol.asyncDispose]: () => closeHttpServer(app) };
}

/** A database that does not answer is asked again: whoever restores may be making it. */
async function waitForRestore({ config, log, signal }: ServeOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      await using stack = new AsyncDisposableStack();
      const url = await databaseUrl({ config, log }, stack);
      const session = await openDatabase({
        url,
        log,
        name: 'pager restoring',
        isSingleSession: true,
      });
      const { sql } = stack.use(session);
      while (!signal.aborted && (await isRestoreRunning(sql))) await pause(POLL_MS);
      return;
    } catch (error) {
      log.warn({ err: error }, 'the state of the restore is unknown');
      await pause(POLL_MS);
    }
  }
}
