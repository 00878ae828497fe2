// The composition root: starts a server's parts in order, and stops them in the opposite one.
import { listenOn } from './cannot-start.ts';
import { mailChannel } from './resources/channels.ts';
import { addressesOf, addressesText, type Listening } from './server/addresses.ts';
import { startChannelHealth } from './server/channel-health.ts';
import { closeHttpServer } from './server/close-http.ts';
import { startConnectionChecks } from './server/connection-check.ts';
import { openServerContext, type ServerContext, type Start } from './server/context.ts';
import { startEngine } from './server/engine.ts';
import { firstStart } from './server/first-start.ts';
import { createHttpServer } from './server/http.ts';
import { startListening } from './server/listening.ts';
import { startMailListener } from './server/mail-listener.ts';
import { isConnectedAnywhere } from './storage/connections/connections.ts';

export type Server = AsyncDisposable & {
  readonly port: number;
  readonly mailPort: number;
  /** When it has begun to stop, and listens no more. */
  readonly closed: Promise<void>;
};

/** Resolves when it accepts events; disposing it finishes what was accepted first. */
export async function startServer(start: Start): Promise<Server> {
  await using starting = new AsyncDisposableStack();
  const world = await openServerContext(start, starting);
  await firstStart(world, start.print);
  const engine = await startEngine(world, starting);
  startListening(world, engine, starting);
  startConnectionChecks(world, engine, starting);
  startChannelHealth(world, engine, starting);
  const closing = new AbortController();
  const stopping = AbortSignal.any([closing.signal, ...(start.signal ? [start.signal] : [])]);
  const app = await createHttpServer(world, engine, stopping);
  const mail = await startMailListener(world, engine);
  const closed = Promise.withResolvers<void>();
  starting.defer(async () => {
    closing.abort();
    await Promise.all([closeHttpServer(app), mail[Symbol.asyncDispose]()]).finally(closed.resolve);
    await engine.intake.drained();
  });
  const { listen, mailListener } = world.config;
  await start.takeOver?.();
  await listenOn({ setting: 'PAGER_LISTEN', ...listen }, () => app.listen({ ...listen }));
  const address = app.addresses()[0];
  const port = typeof address === 'object' ? address.port : listen.port;
  await reportReady(world, start.print, {
    http: { ...listen, port },
    mail: { ...mailListener, port: mail.port },
  });
  const running = starting.move();
  return {
    port,
    mailPort: mail.port,
    closed: closed.promise,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function reportReady(
  { config, log, pools }: ServerContext,
  print: Start['print'],
  listening: Listening,
): Promise<void> {
  const isMailConnected = await isConnectedAnywhere(pools.engine, mailChannel);
  const addresses = addressesOf(config, listening, isMailConnected);
  if (config.logFormat === 'text') print(addressesText(addresses));
  else log.info(addresses, 'Pager is ready');
}
