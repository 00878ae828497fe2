// `pagerctl serve`: the server, until a signal ends it.
import { CannotStart } from '../cannot-start.ts';
import type { Config } from '../config.ts';
import { runningLimits } from '../limits/running.ts';
import { createLog } from '../log.ts';
import { serve } from '../server/serve.ts';
import { asUnavailable, DatabaseUnavailable } from '../storage/database/unavailable.ts';
import { type CommandOutput, unexpectedArgument } from './command.ts';

export const usage = `pagerctl serve

Settings come from the environment: see docs/operating.md.

Exit code 0: it was stopped by a signal; 1: it could not start, or it failed; 2: the arguments are invalid.
`;

/** Ends the process itself: calls to slow recipients would keep it alive. */
export async function serveCommand(
  args: readonly string[],
  config: Config,
  { writeError }: CommandOutput,
): Promise<number> {
  const unexpected = unexpectedArgument(args);
  if (unexpected === null) return process.exit(await serveUntilStopped(config));
  writeError(`${unexpected}\n\n${usage}`);
  return 2;
}

async function serveUntilStopped(config: Config): Promise<0 | 1> {
  const log = createLog(config);
  const stop = new AbortController();
  const hurry = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => (stop.signal.aborted ? hurry : stop).abort(signal);
  // SIGHUP: its terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('unhandledRejection', (error) => {
    // Postgres.js 3.4 reads the types of arrays on each new connection, and handles no failure of that.
    const isLost = asUnavailable(error) instanceof DatabaseUnavailable;
    if (isLost) log.info({ err: error }, 'a new connection to the database was lost');
    else log.error({ err: error }, 'unhandled rejection of a promise');
  });
  try {
    await using _server = await serve({
      config,
      log,
      signal: stop.signal,
      hurry: hurry.signal,
      print: (text) => process.stdout.write(`${text}\n`),
      failed(error) {
        log.fatal({ err: error }, 'Pager failed and stops now');
        process.exit(1);
      },
    });
    log.info({ signal: stop.signal.reason }, 'stopping: accepted work is finished first');
    setTimeout(() => {
      log.error('stopping took too long: ending now; no accepted work is lost');
      process.exit(1);
    }, runningLimits.stopTime).unref();
  } catch (error) {
    if (error instanceof CannotStart) log.fatal(`Pager cannot start: ${error.message}`);
    else log.fatal({ err: error }, 'Pager cannot start');
    return 1;
  }
  return 0;
}
