// An address in front of a PostgreSQL whose connections break where a test says, as in a fail-over.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { splitHost } from '../../src/storage/database.ts';

export type DatabaseRelay = AsyncDisposable & {
  readonly url: string;
  /** How many connections were made so far. */
  readonly connections: () => number;
};

/** A connection breaks when the client sends what `breaksAt` says. */
export async function startDatabaseRelay(
  to: string,
  breaksAt: (sent: string, connection: number) => boolean,
): Promise<DatabaseRelay> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((from) => {
    const connection = ++connections;
    const ahead = connectTo(to);
    for (const socket of [from, ahead]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        from.destroy();
        ahead.destroy();
      });
    }
    ahead.pipe(from);
    from.on('data', (sent: Buffer) => {
      if (breaksAt(sent.toString(), connection)) from.destroy();
      else ahead.write(sent);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(splitHost(to).url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function connectTo(to: string): Socket {
  const { url, host } = splitHost(to);
  if (host !== undefined) return connect(`${host}/.s.PGSQL.5432`);
  const { hostname, port } = new URL(url);
  return connect(Number(port || 5432), hostname);
}
