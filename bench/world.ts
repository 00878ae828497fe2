// A real server in a process of its own, on a fresh data directory, as the benchmarks use it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import type { Sql as PagerSql } from '../src/storage/database/database.ts';
import { seedOrganization } from '../test/world.ts';

export const program = fileURLToPath(new URL('../bin/pagerctl.js', import.meta.url));
export const benchKey = `pgr_${'b'.repeat(40)}`;

export type Bench = AsyncDisposable & {
  readonly port: number;
  readonly mailPort: number;
  readonly pid: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly key: string;
  readonly api: (route: string, body?: unknown) => Promise<Record<string, unknown>>;
  readonly metrics: () => Promise<string>;
  /** The same server, as another key sees it. */
  readonly as: (key: string) => Bench;
};

type BenchOptions = {
  /** By which the server resolves names, in place of the machine's. */
  readonly nameServer?: string;
  /** A file in the place of `/etc/hosts`. */
  readonly hosts?: string;
  readonly more?: Readonly<Record<string, string>>;
};

export async function startBench({ nameServer, hosts, more }: BenchOptions = {}): Promise<Bench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-bench-'));
  const port = await freePort();
  const mailPort = await freePort();
  const settings = {
    PAGER_DATA_DIR: dataDir,
    PAGER_LISTEN: `127.0.0.1:${port}`,
    PAGER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PAGER_EMAIL_LISTEN: `127.0.0.1:${mailPort}`,
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    PAGER_BOOTSTRAP_API_KEY: benchKey,
    PAGER_LOG_LEVEL: 'warn',
    ...more,
  };
  const serve = [process.execPath, ...profiling, program, 'serve'];
  const named = nameServer === undefined ? serve : await withNameServer(nameServer, dataDir, serve);
  const [command = '', ...args] =
    hosts === undefined ? named : withFile(hosts, '/etc/hosts', named);
  const child = spawn(command, args, {
    stdio: ['ignore', process.env['BENCH_LOG'] ? 'inherit' : 'ignore', 'inherit'],
    env: { ...process.env, ...settings },
  });
  const base = `http://127.0.0.1:${port}`;
  await untilReady(base, child);
  const withKey = (key: string): Bench => ({
    port,
    mailPort,
    pid: child.pid ?? 0,
    dataDir,
    settings,
    as: withKey,
    databaseUrl: `postgres://pager@localhost/pager?host=${encodeURIComponent(join(dataDir, 'postgres/socket'))}`,
    key,
    async api(route, body) {
      const [method = 'GET', path = ''] = route.split(' ');
      const answer = await fetch(`${base}/api/v1${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answered = (await answer.json()) as Record<string, unknown>;
      if (!answer.ok) throw new Error(`${route}: ${JSON.stringify(answered)}`);
      return answered;
    },
    metrics: async () => (await fetch(`${base}/metrics`)).text(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await new Promise((resolve) =>
        child.exitCode === null ? child.once('exit', resolve) : resolve(0),
      );
      await rm(dataDir, { recursive: true, force: true });
    },
  });
  return withKey(benchKey);
}

/** The command with `/etc/resolv.conf` naming that server. */
async function withNameServer(nameServer: string, dataDir: string, program: readonly string[]) {
  const file = join(dataDir, 'resolv.conf');
  await writeFile(file, `nameserver ${nameServer}\n`, { mode: 0o644 });
  return withFile(file, '/etc/resolv.conf', program);
}

/** The command with a file in the place of another. Needs root, on Linux. */
function withFile(file: string, place: string, program: readonly string[]): readonly string[] {
  const mounted = `mount --bind '${file}' ${place} && exec "$@"`;
  return ['unshare', '--mount', 'sh', '-c', mounted, 'sh', ...program];
}

export function connectTo(bench: Bench): Sql {
  const host = new URL(bench.databaseUrl).searchParams.get('host') ?? '';
  return postgres('postgres://pager@localhost/pager', { host, max: 4, onnotice() {} });
}

const profiling = process.env['BENCH_PROFILE']
  ? ['--cpu-prof', `--cpu-prof-dir=${process.env['BENCH_PROFILE']}`]
  : [];

async function untilReady(base: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error('the server did not start');
    const answer = await fetch(`${base}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server was not ready within a minute');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export type PageServer = Awaited<ReturnType<typeof startPageServer>>;

/** A chat webhook on this machine that notes when each page came. */
export async function startPageServer() {
  const came = new Map<string, number[]>();
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    response.end('ok');
    const title = /Load [0-9]+/.exec(text)?.[0] ?? '';
    came.set(title, [...(came.get(title) ?? []), performance.now()]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    came,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** An integration of its own whose policy pages that address; answers the path of its hook. */
export async function hookFor(
  bench: Bench,
  webhookUrl: string,
  policy: object = {},
  slug = 'webhook',
): Promise<string> {
  const service = await bench.api('POST /services', { name: 'Bench' });
  const steps = [{ targets: [{ via: 'slack', webhook_url: webhookUrl }] }];
  const made = await bench.api('POST /escalation-policies', { name: 'Bench', steps, ...policy });
  const integration = await bench.api('POST /integrations', {
    slug,
    name: 'Bench',
    service_id: service['id'],
    escalation_policy_id: made['id'],
  });
  return new URL(String(integration['webhook_url'])).pathname;
}

/** Another organization on the same server, as a key of its own sees it. */
export async function seedNeighbour(bench: Bench, sql: PagerSql): Promise<Bench> {
  const { organizationId } = await seedOrganization(sql, { name: 'Neighbour' });
  // A key of ours becomes theirs: what is stored of it is only a digest.
  const { id, key } = await bench.api('POST /api-keys', { name: 'Neighbour', role: 'owner' });
  await sql`update api_keys set organization_id = ${organizationId} where id = ${String(id)}`;
  return bench.as(String(key));
}
