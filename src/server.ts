// The composition root: starts a server's parts in order, and stops them in the opposite one.
import { startEngine } from './server/engine.ts';
import { firstStart } from './server/first-start.ts';
import { closeHttpServer, createHttpServer } from './server/http.ts';
import { startMailListener } from './server/mail-listener.ts';
import { openWorld, type Start } from './server/world.ts';

export type Server = AsyncDisposable & {
  readonly port: number;
  readonly mailPort: number;
};

/** Resolves when it accepts events; disposing it finishes what was accepted first. */
export async function startServer(start: Start): Promise<Server> {
  await using starting = new AsyncDisposableStack();
  const world = await openWorld(start, starting);
  await firstStart(world, start.print);
  const engine = await startEngine(world, starting);
  const app = await createHttpServer(world, engine);
  const mail = await startMailListener(world, engine);
  starting.defer(async () => {
    await Promise.all([closeHttpServer(app), mail[Symbol.asyncDispose]()]);
    await engine.intake.drained();
  });
  const { host, port } = world.config.listen;
  await app.listen({ host, port });
  const address = app.addresses()[0];
  world.log.info({ address, mail_port: mail.port }, 'Pager is ready');
  const stopping = starting.move();
  return {
    port: typeof address === 'object' ? address.port : port,
    mailPort: mail.port,
    [Symbol.asyncDispose]: () => stopping.disposeAsync(),
  };
}
