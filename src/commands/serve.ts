// `pagerctl serve`: the server, until a signal ends it.
import { CannotStart } from '../cannot-start.ts';
import type { Config } from '../config.ts';
import { runningLimits } from '../limits/running.ts';
import { createLog } from '../log.ts';
import { serve } from '../server/serve.ts';

/** Ends the process: calls whose receivers take their time would keep it from ending by itself. */
export async function serveCommand(_args: readonly string[], config: Config): Promise<never> {
  return process.exit(await serveUntilStopped(config));
}

async function serveUntilStopped(config: Config): Promise<0 | 1> {
  const log = createLog(config);
  const stop = new AbortController();
  // SIGHUP: its terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => stop.abort(signal));
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'a promise was rejected and nobody saw it'),
  );
  try {
    await using _server = await serve({
      config,
      log,
      signal: stop.signal,
      print: (text) => process.stdout.write(`${text}\n`),
      failed(error) {
        log.fatal({ err: error }, 'Pager cannot go on, and stops at once');
        process.exit(1);
      },
    });
    log.info({ signal: stop.signal.reason }, 'stopping: what was accepted is finished first');
    setTimeout(() => {
      log.error('the stop took too long: ending as it is, which loses nothing that was accepted');
      process.exit(1);
    }, runningLimits.stopTime).unref();
  } catch (error) {
    if (error instanceof CannotStart) log.fatal(`Pager cannot start: ${error.message}`);
    else log.fatal({ err: error }, 'Pager cannot start');
    return 1;
  }
  return 0;
}
