// The release archive: unpacked where nothing else is installed, checked by systemd, and started by
// somebody who may not write to it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import project from '../../package.json' with { type: 'json' };
import { noBrowser } from '../dashboard/browser.ts';
import { acknowledgeFirst, printedIn } from '../dashboard/first-page.ts';
import { blocksOf } from '../documents/blocks.ts';
import { skipped } from '../skipped.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { killIfThere } from './server-process.ts';

const root = join(import.meta.dirname, '..', '..');
const platform = `${process.platform}-${process.arch}`;
const name = `pager-${project.version}-${platform}`;
const run = promisify(execFile);
const NOBODY = 65_534;
const START_MILLISECONDS_MAX = 90_000;
const BYTES_MAX = 400 * 1024 * 1024;

const wrongPlatform = platform.startsWith('linux-') ? undefined : 'there are releases for Linux';
const noSystemd = await run('systemd-analyze', ['--version']).then(
  () => undefined,
  () => skipped('the unit of a release', 'install systemd, for systemd-analyze'),
);

test('a release is the same twice, and serves a first page to a browser, run by a user without rights', {
  skip: wrongPlatform ?? noSystemd ?? noBrowser ?? false,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-release-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  await chmod(folder, 0o755);

  const sums: string[] = [];
  for (const umask of ['022', '077']) {
    const command = `umask ${umask}; exec "$@"`;
    const release = [process.execPath, join(root, 'bin', 'release.ts'), folder, platform];
    await run('sh', ['-c', command, 'sh', ...release]);
    const archive = await readFile(join(folder, `${name}.tar.gz`));
    sums.push(createHash('sha256').update(archive).digest('hex'));
  }
  assert.equal(sums[0], sums[1]);
  const unpacked = await unpackAsDocumented(folder);
  const { stdout: size } = await run('du', ['-sb', unpacked]);
  assert.ok(Number.parseInt(size, 10) < BYTES_MAX, size);
  await checkUnit(unpacked, folder);

  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  if (process.getuid?.() === 0) await chown(dataDir, NOBODY, NOBODY);
  const server = stack.use(await startUnpacked(unpacked, dataDir));
  const isReady = () =>
    fetch(`${server.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually('it is ready', isReady, START_MILLISECONDS_MAX);
  const postmaster = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  const program = await readlink(`/proc/${Number.parseInt(postmaster, 10)}/exe`);
  assert.ok(program.startsWith(join(unpacked, 'node_modules')), program);
  const document = await fetch(`${server.url}/docs/terraform`);
  assert.match(await document.text(), /<h1 id="[^"]+">Export to Terraform<\/h1>/);
  await acknowledgeFirst(printedIn(server.output()));
  killIfThere(server.pid, 'SIGTERM');
  assert.equal(await server.ended, 0, server.output());
});

/**
 * By the commands of docs/operating.md, in folders of its own in place of `/opt` and `/etc`, and
 * without the user and the group that they make. Answers the folder that `/opt/pager` stands for.
 */
async function unpackAsDocumented(folder: string): Promise<string> {
  const documented = `pager-${project.version}-linux-x64`;
  const block = blocksOf(root, 'docs/operating.md').find(({ text }) =>
    text.startsWith(`tar -xzf ${documented}.tar.gz`),
  );
  assert.ok(block, `docs/operating.md unpacks ${documented}`);
  for (const made of ['opt', 'etc/systemd/system'])
    await mkdir(join(folder, made), { recursive: true });
  const commands = block.text
    .replaceAll(documented, name)
    .replaceAll(/ \/(opt|etc)/g, ` ${folder}/$1`)
    .replaceAll(' -g pager', '')
    .replace(/^useradd .*$/m, '');
  await run('sh', ['-euc', commands], { cwd: folder });
  return realpath(join(folder, 'opt', 'pager'));
}

/** Of the unit as it is, but for the folder it is installed to. */
async function checkUnit(unpacked: string, folder: string): Promise<void> {
  const file = join(folder, 'etc', 'systemd', 'system', 'pager.service');
  const unit = await readFile(file, 'utf8');
  await writeFile(file, unit.replaceAll('/opt/pager', unpacked));
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
  assert.equal(stdout + stderr, '');
  const environment = await stat(join(folder, 'etc', 'pager', 'pager.env'));
  assert.ok(environment.isFile());
}

async function startUnpacked(unpacked: string, dataDir: string) {
  const port = await freePort();
  const other = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(join(unpacked, 'pagerctl'), ['serve'], {
    cwd: dataDir,
    // Only what the system itself has; where it has a Node and a PostgreSQL, they are not used.
    env: {
      PATH: '/usr/bin:/bin',
      PAGER_DATA_DIR: dataDir,
      PAGER_LISTEN: `127.0.0.1:${port}`,
      PAGER_EMAIL_LISTEN: '127.0.0.1:0',
    },
    stdio: 'pipe',
    ...other,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<number | string>((done) => {
    child.once('close', (code, signal) => done(code ?? signal ?? 'unknown'));
  });
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    ended,
    async [Symbol.asyncDispose]() {
      killIfThere(child.pid ?? 0, 'SIGTERM');
      await ended;
    },
  };
}
