// An address in front of a server that the test can make fall silent, as when the server is stopped.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './system/free-port.ts';

export type Relay = AsyncDisposable & {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export async function startRelay(url: string): Promise<Relay> {
  const { port: to } = new URL(url);
  const port = await freePort();
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const ahead = connect(Number(to), '127.0.0.1');
    for (const [one, other] of [
      [from, ahead],
      [ahead, from],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const start = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server, 'close');
  };
  await start();
  return { url: `http://127.0.0.1:${port}`, start, stop, [Symbol.asyncDispose]: stop };
}
