// An address in front of a PostgreSQL whose connections break where a test says, as in a fail-over.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { splitHost } from '../../src/storage/database/database.ts';

export type DatabaseRelay = AsyncDisposable & {
  readonly url: string;
  /** How many connections were made so far. */
  readonly connections: () => number;
};

/** A connection breaks when the client sends what `breaksAt` says, before the database gets it or after. */
export async function startDatabaseRelay(
  to: string,
  breaksAt: (sent: string, connection: number) => boolean | 'once sent',
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
      const breaks = breaksAt(sent.toString('latin1'), connection);
      if (breaks === false) return void ahead.write(sent);
      if (breaks === 'once sent') {
        // The database gets it all, and nobody its answer.
        from.removeAllListeners('close');
        ahead.unpipe(from).resume().end(sent);
      }
      from.destroy();
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

/** In front of a PostgreSQL, like a host that can be lost without a word. */
export type LossyHost = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  /** Open connections of clients. */
  readonly connections: () => number;
  /**
   * Packets are dropped from now on: its sessions end, its clients hear nothing, and new connections get no
   * answer. With `isOnlyOld` those are served, as by whoever has its address now.
   */
  lose(manner?: { readonly isOnlyOld: boolean }): void;
  /** New connections are served again; those from before stay without an answer. */
  replace(): void;
};

export async function startLossyHost(to: string, port = 0, ip = '127.0.0.1'): Promise<LossyHost> {
  const clients = new Set<Socket>();
  const losing = new Set<() => void>();
  let isLost = false;
  const server = createServer((from) => {
    clients.add(from.on('error', () => undefined));
    from.on('close', () => clients.delete(from));
    if (isLost) return void from.resume();
    const ahead = connectTo(to).on('error', () => undefined);
    const lost = () => {
      ahead.unpipe(from).destroy();
      from.unpipe(ahead).resume();
      losing.delete(lost);
    };
    losing.add(lost);
    from.pipe(ahead).pipe(from);
    for (const socket of [from, ahead])
      socket.on('close', () => {
        if (!losing.delete(lost)) return;
        from.destroy();
        ahead.destroy();
      });
  });
  server.listen(port, ip);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const url = new URL(splitHost(to).url);
  url.host = `${ip}:${address.port}`;
  return {
    url: url.href,
    port: address.port,
    connections: () => clients.size,
    lose({ isOnlyOld } = { isOnlyOld: false }) {
      isLost = !isOnlyOld;
      for (const lost of losing) lost();
    },
    replace() {
      isLost = false;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const lost of losing) lost();
      for (const client of clients) client.destroy();
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
