// Servers are killed under load, again and again; what they promised must be true afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../src/engine/log.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { testDatabase } from '../database.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { type Load, startLoad } from './load.ts';
import { startMailServer } from './notice-servers.ts';
import { drained, keepsItsPromises } from './promises.ts';
import {
  bundledUrl,
  createInstallation,
  type Installation,
  killIfThere,
  mailTo,
  type ServerProcess,
  type Settings,
} from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const KILLS = 2;
const KILLS_SHARED = 2;
/** Mail takes so long that pages wait, and some are under way at each kill. */
const SLOW_MILLISECONDS = 80;

test('kills lose nothing of the bundled database, with its server or without', async () => {
  await using world = await startWorld({});
  let server = await world.installation.start();
  await using load = await loadOn([server]);
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Each kill comes at another point of the load.
    await load.more(10 + kill * 7);
    const postmaster = kill % 2 === 1 ? await world.installation.postmasterPid() : null;
    if (postmaster !== null) killIfThere(postmaster, 'SIGKILL');
    await server.kill();
    server = await world.installation.start();
  }
  await load.more(10);
  await load[Symbol.asyncDispose]();
  await server.kill();
  await settled(world, load, bundledUrl(world.installation.dataDir));
});

test('the bundled PostgreSQL of a killed server ends by itself, and serves the next start', async () => {
  await using world = await startWorld({});
  const server = await world.installation.start();
  await using load = await loadOn([server]);
  await load.more(10);
  await load[Symbol.asyncDispose]();
  assert.notEqual(await world.installation.postmasterPid(), null);
  await server.kill();
  await eventually('PostgreSQL has ended', async () => {
    return (await world.installation.postmasterPid()) === null;
  });
  await settled(world, load, bundledUrl(world.installation.dataDir));
});

test('kills lose nothing of a given database', async () => {
  await using database = await emptyDatabase();
  await using world = await startWorld({ PAGER_DATABASE_URL: database.url });
  let server = await world.installation.start();
  await using load = await loadOn([server]);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await load.more(10 + kill * 7);
    await server.kill();
    server = await world.installation.start();
  }
  await load.more(10);
  await load[Symbol.asyncDispose]();
  await server.kill();
  await settled(world, load, database.url);
});

test('two servers on one database lose and repeat nothing when they are killed in turn', async () => {
  await using database = await emptyDatabase();
  await using world = await startWorld({ PAGER_DATABASE_URL: database.url });
  const { installation } = world;
  const second: Settings = {
    PAGER_LISTEN: `127.0.0.1:${await freePort()}`,
    PAGER_EMAIL_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  const first = await installation.start();
  const servers = [first, await installation.start(second)];
  await using load = await loadOn(servers);
  for (let kill = 0; kill < KILLS_SHARED; kill += 1) {
    await load.more(10 + kill * 7);
    const index = kill % 2;
    await servers[index]?.kill();
    servers[index] = await installation.start(index === 0 ? {} : second);
  }
  await load.more(10);
  await load[Symbol.asyncDispose]();
  await Promise.all(servers.map((server) => server.kill()));
  await settled(world, load, database.url);
});

test('a server that is told to stop under load finishes what it accepted and ends with 0', async () => {
  await using world = await startWorld({});
  const server = await world.installation.start();
  await using load = await loadOn([server]);
  await load.more(60);
  assert.equal(await server.stop(), 0, server.output());
  assert.equal(await world.installation.postmasterPid(), null, 'PostgreSQL is stopped too');
  await load[Symbol.asyncDispose]();
  const again = await world.installation.start();
  await using database = await openDatabase({
    url: bundledUrl(world.installation.dataDir),
    log: silentLog,
  });
  const [left] = await database.sql<{ count: number }[]>`
    select count(*) from attempts
    where outcome is null
      and claimed_at < ${Temporal.Instant.fromEpochMilliseconds(again.startedMs)}`;
  assert.equal(left?.count, 0, 'the stopped server left no attempt without its outcome');
  await drained(database.sql);
  await keepsItsPromises(database.sql, load.promised, world.mail.mails);
  assert.equal(await again.stop(), 0);
});

type World = AsyncDisposable & {
  readonly installation: Installation;
  readonly mail: Awaited<ReturnType<typeof startMailServer>>;
};

async function startWorld(settings: Settings): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer(0, SLOW_MILLISECONDS));
  const installation = stack.use(await createInstallation({ ...mailTo(mail), ...settings }));
  const all = stack.move();
  return { installation, mail, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function emptyDatabase() {
  return testDatabase({ server: postgres, migrations: 'none' });
}

/** Two integrations: one with a policy of one step, one whose second step is far away. */
async function loadOn(servers: readonly ServerProcess[]): Promise<Load> {
  const [server] = servers;
  assert.ok(server);
  const { api } = server;
  const [first] = await api.list('integrations');
  const [owner] = await api.list('users');
  const other = await api.create('users', {
    first_name: 'Grace',
    last_name: 'Example',
    email: 'grace@example.test',
    role: 'responder',
  });
  const policy = await api.create('escalation-policies', {
    name: 'Two steps',
    steps: [
      { targets: [{ via: 'email', user_id: other.id }], escalate_after_minutes: 60 },
      { targets: [{ via: 'email', user_id: owner.id }] },
    ],
  });
  const second = await api.create('integrations', {
    slug: 'webhook',
    service_id: first.service_id,
    escalation_policy_id: policy.id,
  });
  return startLoad({
    urls: servers.map(({ url }) => url),
    apiKey: server.apiKey,
    hooks: [first, second].map(({ webhook_url }) => new URL(webhook_url).pathname),
  });
}

/**
 * Starts once more, lets everything that is due go out and checks the promises. The leases of
 * those who were killed end now instead of within a minute.
 */
async function settled(world: World, load: Load, databaseUrl: string): Promise<void> {
  const server = await world.installation.start();
  await using database = await openDatabase({ url: databaseUrl, log: silentLog });
  const { sql } = database;
  await sql`
    update outbox o set wake_at = o.created_at
    from attempts a
    where o.state = 'pending' and a.organization_id = o.organization_id and a.key = o.key
      and a.number = o.attempts and a.outcome is null
      and a.claimed_at < ${Temporal.Instant.fromEpochMilliseconds(server.startedMs)}`;
  await drained(sql);
  await keepsItsPromises(sql, load.promised, world.mail.mails);
  const { code, output } = await world.installation.audit();
  assert.equal(code, 0, output);
  assert.equal(await server.stop(), 0, server.output());
}
