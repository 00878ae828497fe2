// Ports for programs that must be told theirs, and for receivers that come back where they were.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Above those that `fetch` and browsers refuse to call, and below those that systems give out by themselves. */
const ports = { from: 10_100, to: 30_000 };

/** Nobody listens there, and no other test is told the same while this process lives. */
export async function freePort(): Promise<number> {
  const port = randomInt(ports.from, ports.to);
  const isOurs = (await hold(port)) && (await isUnused(port));
  return isOurs ? port : freePort();
}

/** As long as this process lives, by UDP: by TCP it stays free for who is told of it. */
async function hold(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  socket.bind(port, '127.0.0.1');
  return once(socket, 'listening').then(
    () => true,
    () => false,
  );
}

async function isUnused(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    await new Promise((closed) => server.close(closed));
    return true;
  } catch {
    return false;
  }
}
