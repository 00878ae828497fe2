import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { startLossyHost } from '../../../test/system/database-relay.ts';
import { silentLog } from '../../engine/log.ts';
import { selfSigned } from '../../terraform/protocol/certificate.ts';
import { DatabaseUnavailable, openDatabase } from './database.ts';
import { type Place, socketsTo } from './sockets.ts';

type Manner = 'TLS' | 'no TLS' | 'more than an answer';

test('a database is reached by TLS in each of its modes, and checked where that is requested', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using secure = await startTlsRelay(database.url, 'TLS');
  await using plain = await startTlsRelay(database.url, 'no TLS');
  await using early = await startTlsRelay(database.url, 'more than an answer');
  const outcomes = {
    [secure.with('sslmode=disable')]: 'reached in the clear',
    [secure.with('sslmode=prefer')]: 'reached by TLS',
    [secure.with('sslmode=require')]: 'reached by TLS',
    [secure.with('sslnegotiation=direct&sslmode=require')]: 'reached by TLS',
    [secure.with('sslmode=verify-full')]: /TLS failed: self-signed certificate/,
    [plain.with('sslmode=prefer')]: 'reached in the clear',
    [plain.with('sslmode=require')]: /TLS failed: the database does not offer it/,
    [early.with('sslmode=require')]: /TLS failed: the database does not offer it/,
  };
  for (const [url, expected] of Object.entries(outcomes)) {
    const opening = openDatabase({ url, log: silentLog });
    if (typeof expected !== 'string') {
      await assert.rejects(opening, (error) => {
        assert.ok(error instanceof DatabaseUnavailable && error.isRefusal);
        return expected.test(error.message);
      });
      continue;
    }
    await using opened = await opening;
    assert.equal((await opened.sql`select 1`).length, 1);
    const relay = url.includes(`:${plain.port}`) ? plain : secure;
    assert.equal(`reached ${relay.last()}`, expected, url);
  }
});

test('the first of several hosts that takes a connection is used', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  // Its port is the one of both addresses, and nobody listens at the first.
  await using host = await startLossyHost(database.url, 0, '127.0.0.2');
  const named = new URL(host.url);
  const several = `${named.protocol}//${named.username}@localhost:${host.port}${named.pathname}`;
  await using opened = await openDatabase({
    url: `${several}?host=127.0.0.1,127.0.0.2`,
    log: silentLog,
  });
  assert.equal((await opened.sql`select 1`).length, 1);
});

test('the next connection begins at the host that took the last one', async () => {
  const hosts = await Promise.all([startHost('127.0.0.1'), startHost('127.0.0.2')]);
  const [first, second] = hosts;
  assert.ok(first && second);
  const { port } = first;
  await first.close();
  const address = {
    host: ['127.0.0.1', '127.0.0.2'],
    port: [port, second.port],
    path: false as const,
    ssl: false,
    sslnegotiation: null,
    target_session_attrs: null,
  };
  const used: string[] = [];
  const opened = (_socket: Socket, { host }: Place) => void used.push(host);
  const open = socketsTo({ address, connectSeconds: 5, opened });
  (await open()).destroy();
  await using back = await startHost('127.0.0.1', port);
  assert.equal(back.port, port);
  (await open()).destroy();
  await second.close();
  (await open()).destroy();
  assert.deepEqual(used, ['127.0.0.2', '127.0.0.2', '127.0.0.1']);
});

/** It takes connections, and says nothing. */
async function startHost(host: string, port = 0) {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume());
  await once(server.listen(port, host), 'listening');
  const close = async () => {
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, close, [Symbol.asyncDispose]: close };
}

test('a database that goes away during the TLS handshake does not refuse the server', async () => {
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        socket.write('S');
        socket.once('data', () => socket.resetAndDestroy());
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (const query of ['sslmode=require', 'sslmode=require&sslnegotiation=direct']) {
    const opening = openDatabase({
      url: `postgres://pager@127.0.0.1:${port}/pager?${query}`,
      log: silentLog,
    });
    await assert.rejects(
      opening,
      (error) => error instanceof DatabaseUnavailable && !error.isRefusal,
    );
  }
  server.close();
});

/** In front of a PostgreSQL that has no TLS. */
async function startTlsRelay(to: string, manner: Manner) {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await startLossyHost(to));
  const { key, pem: cert } = selfSigned(Date.now());
  const sockets = new Set<Socket>();
  let last = '';
  const relay = (socket: Socket, by: string, first?: Buffer) => {
    last = by;
    const ahead = connect(host.port, '127.0.0.1').on('error', () => undefined);
    sockets.add(ahead);
    if (first) ahead.write(first);
    socket.pipe(ahead).pipe(socket);
  };
  const options = { key, cert, ALPNProtocols: ['postgresql'] };
  const tls = createTlsServer(options, (socket) => {
    relay(
      socket.on('error', () => undefined),
      'by TLS',
    );
  });
  await once(tls.listen(0, '127.0.0.1'), 'listening');
  const secured = (socket: Socket, first?: Buffer) => {
    const ahead = connect((tls.address() as AddressInfo).port, '127.0.0.1');
    sockets.add(ahead.on('error', () => undefined));
    if (first) ahead.write(first);
    socket.pipe(ahead).pipe(socket);
  };
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', (first: Buffer) => {
      const isRequest = first.length === 8;
      // The first byte of a TLS handshake.
      if (first[0] === 22) return secured(socket, first);
      if (!isRequest) return relay(socket, 'in the clear', first);
      if (manner !== 'no TLS') {
        socket.write(manner === 'TLS' ? 'S' : 'Select');
        return secured(socket);
      }
      socket.write('N');
      socket.once('data', (next: Buffer) => relay(socket, 'in the clear', next));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(async () => {
    for (const one of [server, tls]) one.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const disposing = stack.move();
  return {
    port,
    last: () => last,
    with(query: string) {
      const url = new URL(host.url);
      url.host = `127.0.0.1:${port}`;
      url.search = query;
      return url.href;
    },
    [Symbol.asyncDispose]: () => disposing.disposeAsync(),
  };
}
