// Behind `npm run release:provider`: what the Terraform registry wants of a release. An executable
// that needs no Node for each platform, and for Linux one for each of its C libraries, zipped; a
// manifest; sums, signed; the pages.
// Takes an empty folder, and platforms when not all are wanted.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import project from '../package.json' with { type: 'json' };
import { type Loaders, launcherOf } from './provider-launcher.ts';

type Runtime = {
  readonly bun: string;
  readonly os: string;
  readonly cpu: string;
  /** Linux has one or the other. */
  readonly libc?: 'glibc' | 'musl';
};

/** By Terraform's names; the plain builds of x64 need a processor that not everybody has. */
const runtimes: Readonly<Record<string, Runtime>> = {
  darwin_amd64: { bun: 'darwin-x64-baseline', os: 'darwin', cpu: 'x64' },
  darwin_arm64: { bun: 'darwin-aarch64', os: 'darwin', cpu: 'arm64' },
  linux_amd64: { bun: 'linux-x64-baseline', os: 'linux', cpu: 'x64', libc: 'glibc' },
  linux_arm64: { bun: 'linux-aarch64', os: 'linux', cpu: 'arm64', libc: 'glibc' },
  windows_amd64: { bun: 'windows-x64-baseline', os: 'win32', cpu: 'x64' },
  windows_arm64: { bun: 'windows-aarch64', os: 'win32', cpu: 'arm64' },
};
type Alternative = { readonly runtime: Runtime; readonly loaders: Loaders };

/** A second executable in the zip of a platform, and what tells which of them runs. */
const alternatives: Readonly<Record<string, Alternative>> = {
  linux_amd64: {
    runtime: { bun: 'linux-x64-musl-baseline', os: 'linux', cpu: 'x64', libc: 'musl' },
    loaders: { glibc: '/lib64/ld-linux-x86-64.so.2', musl: '/lib/ld-musl-x86_64.so.1' },
  },
  linux_arm64: {
    runtime: { bun: 'linux-aarch64-musl', os: 'linux', cpu: 'arm64', libc: 'musl' },
    loaders: { glibc: '/lib/ld-linux-aarch64.so.1', musl: '/lib/ld-musl-aarch64.so.1' },
  },
};
/** The earliest that a zip can say. */
const firstTime = new Date('1980-01-01T00:00:00Z');
/** The runtimes come without it. */
const bunLicence = `
With Bun, under the MIT licence, and what Bun is made of, such as JavaScriptCore under the
LGPL 2: https://github.com/oven-sh/bun/blob/main/LICENSE.md
`;
const { version } = project;
const named = `terraform-provider-pager_${version}`;
/** Terraform runs what has this name. */
const program = `terraform-provider-pager_v${version}`;
const root = join(import.meta.dirname, '..');
const ours = join(root, 'dist', 'release');
const [folder = ours, ...some] = process.argv.slice(2);
const out = resolve(folder);
const platforms = some.length > 0 ? some : Object.keys(runtimes);
const work = join(out, 'work');
const pinned = join(root, 'release');
const run = promisify(execFile);

if (out === ours) await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
if ((await readdir(out)).length > 0) throw new Error(`${out} is not empty`);
const licences = join(work, 'LICENSES.txt');
await run(process.execPath, [join(root, 'bin', 'build-provider.ts'), work, licences]);
await appendFile(licences, bunLicence);
const zips: string[] = [];
for (const platform of platforms) zips.push(await zipOf(platform));
await rm(work, { recursive: true });
const manifest = `${named}_manifest.json`;
const protocol = { version: 1, metadata: { protocol_versions: ['6.0'] } };
await writeFile(join(out, manifest), `${JSON.stringify(protocol, null, 2)}\n`);
await cp(join(root, 'docs', 'terraform'), join(out, 'docs'), { recursive: true });
await sign(await writeSums([...zips, manifest]));
console.log(`${relative(process.cwd(), out)}: ${platforms.join(', ')}`);

function runtimeOf(platform: string): Runtime {
  const runtime = runtimes[platform];
  if (runtime !== undefined) return runtime;
  throw new Error(`no ${platform}; there are ${Object.keys(runtimes).join(', ')}`);
}

/** Bun for a platform, from the pinned packages: npm installs one platform’s into a folder. */
async function programOf({ bun, os, cpu, libc }: Runtime): Promise<string> {
  const name = os === 'win32' ? 'bun.exe' : 'bun';
  const program = join('node_modules', '@oven', `bun-${bun}`, 'bin', name);
  const installed = join(pinned, program);
  if (existsSync(installed)) return installed;
  const folder = join(work, bun);
  if (!existsSync(folder)) {
    for (const file of ['package.json', 'package-lock.json'])
      await cp(join(pinned, file), join(folder, file));
    const wanted = [`--os=${os}`, `--cpu=${cpu}`, ...(libc ? [`--libc=${libc}`] : [])];
    const args = ['ci', '--prefix', folder, ...wanted, '--ignore-scripts'];
    await run('npm', args, { shell: process.platform === 'win32' });
  }
  return join(folder, program);
}

/** The same bytes from the same code, wherever and whenever it is built. */
async function zipOf(platform: string): Promise<string> {
  const packed = [...(await filesOf(platform)), licences];
  for (const each of packed) await utimes(each, firstTime, firstTime);
  const zip = `${named}_${platform}.zip`;
  // Without the folder, and what differs between machines.
  const env = { ...process.env, TZ: 'UTC' };
  await run('zip', ['-q', '-j', '-X', join(out, zip), ...packed], { env });
  console.log(zip);
  return zip;
}

/** What a platform's zip holds: an executable, or a launcher and the two that it chooses from. */
async function filesOf(platform: string): Promise<readonly string[]> {
  const runtime = runtimeOf(platform);
  const alternative = alternatives[platform];
  if (alternative === undefined)
    return [await executable(runtime, runtime.os === 'win32' ? `${program}.exe` : program)];
  const launcher = join(work, program);
  await writeFile(launcher, launcherOf(alternative.loaders), { mode: 0o755 });
  const own = await executable(runtime, 'provider-glibc');
  return [launcher, own, await executable(alternative.runtime, 'provider-musl')];
}

async function executable(runtime: Runtime, file: string): Promise<string> {
  const args = [
    ...['build', '--compile', '--bytecode', `--target=bun-${runtime.bun}`],
    // Nothing of a user's folder changes what the provider does.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    ...[`--compile-executable-path=${await programOf(runtime)}`, `--outfile=${file}`],
  ];
  // There, for the paths it is given end up in what it makes.
  await run(await programOf(ownRuntime()), [...args, `${program}.cjs`], { cwd: work });
  return join(work, file);
}

function ownRuntime(): Runtime {
  const { platform, arch } = process;
  const own = Object.values(runtimes).find(({ os, cpu }) => os === platform && cpu === arch);
  if (own === undefined) throw new Error(`no Bun for ${platform} on ${arch}`);
  return own;
}

async function writeSums(files: readonly string[]): Promise<string> {
  const sums = join(out, `${named}_SHA256SUMS`);
  const lines = files.map(async (file) => {
    const sum = createHash('sha256').update(await readFile(join(out, file)));
    return `${sum.digest('hex')}  ${file}\n`;
  });
  await writeFile(sums, (await Promise.all(lines)).join(''));
  return sums;
}

async function sign(sums: string): Promise<void> {
  const key = process.env['PAGER_GPG_KEY'];
  const args = ['--batch', '--yes', '--detach-sign', '--output', `${sums}.sig`];
  if (key !== undefined) await run('gpg', [...args, '--local-user', key, sums]);
  else
    console.log(
      `Not signed: set PAGER_GPG_KEY to an RSA key, or run\n  gpg ${args.join(' ')} ${sums}`,
    );
}
