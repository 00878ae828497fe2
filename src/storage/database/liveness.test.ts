import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { type LossyHost, startLossyHost } from '../../../test/system/database-relay.ts';
import { eventually } from '../../../test/system/eventually.ts';
import { silentLog } from '../../engine/log.ts';
import {
  type Database,
  DatabaseUnavailable,
  livenessOf,
  openDatabase,
  transact,
} from './database.ts';
import { type Answered, createLiveness } from './liveness.ts';

/** What counts as a second here: a host is lost after a second, and probed for half of that. */
const SECOND_MILLISECONDS = 100;
const secondMilliseconds = SECOND_MILLISECONDS;

type World = AsyncDisposable & {
  readonly host: LossyHost;
  readonly open: (options?: { readonly statementMilliseconds: number }) => Promise<Database>;
};

async function startWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const server = await anyDatabase();
  const { url: to } = stack.use(await testDatabase({ server, migrations: 'none' }));
  const host = stack.use(await startLossyHost(to));
  const { url } = host;
  const liveness = livenessOf({ url, log: silentLog, secondMilliseconds });
  const world = stack.move();
  return {
    host,
    open: (options) =>
      openDatabase({ url, log: silentLog, liveness, connectSeconds: 0.5, ...options }),
    [Symbol.asyncDispose]: () => world.disposeAsync(),
  };
}

test('all connections to a host that is lost in silence are given up, and opened anew', async () => {
  await using world = await startWorld();
  const { host } = world;
  await using engine = await world.open();
  await using idle = await world.open();
  const subscribed = await idle.sql.listen('news', () => undefined);
  assert.equal(host.connections(), 3);
  host.lose();
  await assert.rejects(
    transact(engine.sql, (tx) => tx`select 1`),
    /^DatabaseUnavailable: .*nothing came from the database/,
  );
  host.replace();
  for (const { sql } of [engine, idle])
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }]);
  // Those of before are closed, and the subscription has one of its own again.
  await eventually('the old connections are closed', () => host.connections() === 3);
  assert.ok(subscribed);
});

test('a transaction whose host is lost between two statements is unavailable', async () => {
  await using world = await startWorld();
  await using database = await world.open();
  const losing = transact(database.sql, async (tx) => {
    await tx`create temporary table things (id int)`;
    world.host.lose();
    await tx`insert into things values (1)`;
  });
  await assert.rejects(losing, DatabaseUnavailable);
  world.host.replace();
  assert.deepEqual([...(await database.sql`select 1 as one`)], [{ one: 1 }]);
});

test('a result that stops in the middle is given up, too', async () => {
  await using world = await startWorld();
  await using database = await world.open();
  const reading = transact(database.sql, async (tx) => {
    const rows =
      await tx`copy (select repeat('x', 1000) from generate_series(1, 1000000)) to stdout`.readable();
    let bytes = 0;
    for await (const piece of rows) {
      if (bytes === 0) world.host.lose();
      bytes += (piece as Buffer).length;
    }
    return bytes;
  });
  await assert.rejects(reading, DatabaseUnavailable);
});

test('a slow statement of a database that lives goes on', async () => {
  await using world = await startWorld();
  await using database = await world.open();
  const seconds = (30 * SECOND_MILLISECONDS) / 1_000;
  const [row] = await database.sql<{ done: string }[]>`
    select pg_sleep(${seconds})::text || 'yes' as done`;
  assert.equal(row?.done, 'yes');
});

test('what the database should have ended itself is given up though others are answered', async () => {
  await using world = await startWorld();
  await using database = await world.open({ statementMilliseconds: 1_000 });
  world.host.lose({ isOnlyOld: true });
  await assert.rejects(
    transact(database.sql, (tx) => tx`select 1`),
    DatabaseUnavailable,
  );
});

test('a statement is given up when another server is met at its address', async () => {
  await using silent = await startSilentServer();
  const servers = ['first', 'second'];
  const probed: string[] = [];
  const liveness = createLiveness({
    log: silentLog,
    secondMilliseconds,
    async probe() {
      const server = servers[probed.length] ?? 'second';
      probed.push(server);
      return { server };
    },
  });
  const socket = silent.connect();
  const failing = once(socket, 'error');
  liveness.follow(socket, { place: silent.place, patience: 1_000 });
  socket.write('a question');
  const [error] = await failing;
  assert.equal(error.code, 'CONNECTION_SILENT');
  assert.deepEqual(probed, servers);
});

test('where nobody takes a connection it is probed once a second, until the silence was long enough', async () => {
  await using silent = await startSilentServer();
  let probed = 0;
  const liveness = createLiveness({
    log: silentLog,
    secondMilliseconds,
    async probe() {
      probed += 1;
      return null;
    },
  });
  const socket = silent.connect();
  const failing = once(socket, 'error');
  liveness.follow(socket, { place: silent.place, patience: 1_000 });
  const began = performance.now();
  socket.write('a question');
  await failing;
  assert.ok(performance.now() - began >= 9 * SECOND_MILLISECONDS);
  assert.ok(probed >= 4 && probed <= 6, `it was probed ${probed} times`);
});

test('a server that refuses to talk lives, and nothing is probed of an idle one', async () => {
  await using silent = await startSilentServer();
  let probed = 0;
  const liveness = createLiveness({
    log: silentLog,
    secondMilliseconds,
    async probe(): Promise<Answered> {
      probed += 1;
      return { server: null };
    },
  });
  const [busy, idle] = [silent.connect(), silent.connect()];
  for (const socket of [busy, idle])
    liveness.follow(socket, { place: silent.place, patience: 1_000 });
  busy.write('a question');
  await eventually('it was probed three times', () => probed >= 3);
  assert.deepEqual([busy.destroyed, idle.destroyed], [false, false]);
  busy.destroy();
  await once(busy, 'close');
  const before = probed;
  await new Promise((done) => setTimeout(done, 20 * SECOND_MILLISECONDS));
  assert.ok(probed <= before + 1);
});

test('an idle connection is not probed because of a notification', async () => {
  await using world = await startWorld();
  let probed = 0;
  const liveness = createLiveness({
    log: silentLog,
    secondMilliseconds,
    async probe(): Promise<Answered> {
      probed += 1;
      return { server: null };
    },
  });
  await using other = await world.open();
  await using idle = await openDatabase({ url: world.host.url, log: silentLog, liveness });
  const { promise: heard, resolve } = Promise.withResolvers<string>();
  await idle.sql.listen('news', resolve);
  await other.sql`select pg_notify('news', 'today')`;
  assert.equal(await heard, 'today');
  await other.sql`select pg_sleep(${(20 * SECOND_MILLISECONDS) / 1_000})`;
  assert.equal(probed, 0);
});

test('after a restart of the server its slow statements go on', async () => {
  await using silent = await startSilentServer();
  const { place } = silent;
  let probed = 0;
  const liveness = createLiveness({
    log: silentLog,
    secondMilliseconds,
    async probe(): Promise<Answered> {
      probed += 1;
      return { server: 'restarted' };
    },
  });
  const first = silent.connect();
  liveness.follow(first, { place, patience: 1_000 });
  liveness.met(place, 'first');
  first.destroy();
  await once(first, 'close');
  const socket = silent.connect();
  liveness.follow(socket, { place, patience: 1_000 });
  socket.write('a question');
  await eventually('it was probed three times', () => probed >= 3);
  assert.equal(socket.destroyed, false);
});

test('of statements that are sent together, the later ones are awaited too', async () => {
  await using server = await startSilentServer();
  const liveness = createLiveness({
    log: silentLog,
    secondMilliseconds,
    probe: async () => ({ server: null }),
  });
  const socket = server.connect();
  liveness.follow(socket, { place: server.place, patience: 10 });
  const failing = once(socket, 'error');
  socket.write(Buffer.from([0, 0, 0, 4]));
  const ready = Buffer.from('Z\0\0\0\x05I', 'latin1');
  await server.send(ready);
  socket.write(Buffer.from('S\0\0\0\x04S\0\0\0\x04', 'latin1'));
  await server.send(ready);
  const [error] = await failing;
  assert.equal(error.code, 'CONNECTION_SILENT');
});

/** It takes connections, and says nothing by itself. */
async function startSilentServer() {
  const sockets = new Set<Socket>();
  const { promise: accepted, resolve } = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    resolve(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    place: { host: '127.0.0.1', port },
    /** By the first connection. */
    async send(bytes: Buffer) {
      const socket = await accepted;
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.write(bytes, () => resolve());
      await promise;
    },
    connect() {
      const socket = connect(port, '127.0.0.1');
      sockets.add(socket);
      return socket;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
