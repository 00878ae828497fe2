// An address in front of a vendor whose answers take their time, so that some are on their way at each kill.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../system/free-port.ts';

export type SlowRelay = AsyncDisposable & { readonly url: string };

export async function startSlowRelay(url: string, milliseconds: () => number): Promise<SlowRelay> {
  const { port: to, pathname } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const vendor = connect(Number(to), '127.0.0.1');
    client.pipe(vendor);
    void answer(vendor, client);
    for (const [one, other] of [
      [client, vendor],
      [vendor, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
    }
    client.on('close', () => vendor.destroy());
  });

  async function answer(vendor: Socket, client: Socket): Promise<void> {
    try {
      for await (const chunk of vendor) {
        await pause(milliseconds());
        client.write(chunk);
      }
      client.end();
    } catch {
      client.destroy();
    }
  }

  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
