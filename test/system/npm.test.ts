// The server as npm starts it: it has a dashboard, and whoever ends npm ends the server.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { childEnvironment } from '../child-environment.ts';
import { testDatabase } from '../database.ts';
import { copyCheckout, root } from '../documents/checkout.ts';
import { eventually } from './eventually.ts';
import { npmStart, startNpm } from './npm-process.ts';
import { createInstallation, killIfThere } from './server-process.ts';
import { sessionOf } from './sign-in.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const isLinux = process.platform === 'linux';
const STOPPING_MILLISECONDS_MAX = 60_000;

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  // Elsewhere a killed npm leaves a shell that nobody can ask whose child it is.
  const skip = signal === 'SIGKILL' && !isLinux && 'only Linux tells of a killed npm';
  test(`a server that npm started ends with npm by ${signal}`, { skip }, async () => {
    await using checkout = await emptyInstallation(root);
    const npm = await npmStart(root, checkout.env);
    const [, pid] = /"pid":(\d+)/.exec(npm.output()) ?? [];
    try {
      npm.kill(signal);
      const isStopping = () => npm.output().includes('"signal":"SIGTERM"');
      await eventually('the server is told to stop', isStopping, STOPPING_MILLISECONDS_MAX);
      await npm.closed;
    } finally {
      killIfThere(Number(pid), 'SIGKILL');
    }
  });
}

test('npm start builds a missing or stale dashboard, and pagerctl serve none', async () => {
  await using checkout = await copiedInstallation();
  const { folder, installation, env } = checkout;
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));

  const served = await installation.start();
  assert.match(await home(installation.settings), /The dashboard is not built/);
  await served.stop();
  assert.equal(existsSync(join(folder, 'dist')), false);

  const stopped = startNpm(folder, env);
  await eventually('it builds', () => /Building the dashboard/.test(stopped.output()));
  stopped.kill('SIGTERM');
  await stopped.closed;
  assert.doesNotMatch(stopped.output(), /Pager is ready/, 'it was stopped before it had built');

  for (const { state, isBuilt } of [
    { state: 'missing', isBuilt: true },
    { state: 'current', isBuilt: false },
    { state: 'stale', isBuilt: true },
  ]) {
    if (state === 'stale') await appendFile(join(folder, 'src/dashboard/app.css'), '\n');
    await using npm = await npmStart(folder, env);
    assert.equal(/The dashboard was built in/.test(npm.output()), isBuilt, state);
    const page = await home(installation.settings);
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    const answer = await fetch(new URL(script, installation.settings['PAGER_PUBLIC_URL']));
    assert.equal(answer.status, 200, state);
    assert.match(String(answer.headers.get('content-type')), /javascript/);
  }
});

test('a dashboard that cannot be built is explained, and the server starts', async () => {
  await using checkout = await copiedInstallation();
  const { folder, installation, env } = checkout;
  const missing = /could not be built: its packages are not installed\. Run npm ci, without/;
  await linkPackages(folder, { withDevelopment: false });
  for (const { reason, prepare } of [
    { reason: missing, prepare: async () => {} },
    {
      // As in a checkout that nobody may write to.
      reason: /could not be built: ENOTDIR: .*dist/,
      async prepare() {
        await linkPackages(folder, { withDevelopment: true });
        await writeFile(join(folder, 'dist'), '');
      },
    },
  ]) {
    await prepare();
    await using npm = await npmStart(folder, env);
    assert.match(npm.output(), reason);
    assert.match(npm.output(), /the dashboard is not built: npm start builds it/);
    assert.match(await home(installation.settings), /run <code>npm ci<\/code>/);
  }
});

async function emptyInstallation(folder: string) {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase({ server: postgres, migrations: 'none' }));
  const settings = { PAGER_DATABASE_URL: database.url };
  const installation = stack.use(await createInstallation(settings, folder));
  const all = stack.move();
  return {
    installation,
    env: { ...childEnvironment(), ...installation.settings },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** In a copy of the checkout, without packages and without anything that was built. */
async function copiedInstallation() {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-npm-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  await copyCheckout(folder);
  const { installation, env } = stack.use(await emptyInstallation(folder));
  const all = stack.move();
  return { folder, installation, env, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** As `npm ci` leaves them, or `npm ci --omit=dev`. */
async function linkPackages(
  folder: string,
  { withDevelopment }: { readonly withDevelopment: boolean },
): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { dev = false }] of Object.entries<{ dev?: boolean }>(packages)) {
    const isNested = path.lastIndexOf('node_modules/') > 0;
    const to = join(folder, path);
    if (path === '' || isNested || (dev && !withDevelopment)) continue;
    if (!existsSync(join(root, path)) || existsSync(to)) continue;
    await mkdir(dirname(to), { recursive: true });
    await symlink(join(root, path), to);
  }
}

/** What a person sees who has signed in. */
async function home(settings: Readonly<Record<string, string>>): Promise<string> {
  const url = settings['PAGER_PUBLIC_URL'] ?? '';
  const { cookie } = await sessionOf({ url }, settings['PAGER_BOOTSTRAP_PASSWORD'] ?? '');
  return (await fetch(`${url}/`, { headers: { cookie } })).text();
}
