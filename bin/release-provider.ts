// Behind `npm run release:provider`: what the Terraform registry wants of a release. An executable
// that needs no Node for each platform, zipped; a manifest; sums, signed; the pages.
// Takes an empty folder, and platforms when not all are wanted.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import project from '../package.json' with { type: 'json' };

/** By Terraform's names; the plain builds of x64 need a processor that not everybody has. */
const runtimes: Readonly<Record<string, string>> = {
  darwin_amd64: 'darwin-x64-baseline',
  darwin_arm64: 'darwin-aarch64',
  linux_amd64: 'linux-x64-baseline',
  linux_arm64: 'linux-aarch64',
  windows_amd64: 'windows-x64-baseline',
  windows_arm64: 'windows-aarch64',
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
const root = join(import.meta.dirname, '..');
const ours = join(root, 'dist', 'release');
const [folder = ours, ...some] = process.argv.slice(2);
const out = resolve(folder);
const platforms = some.length > 0 ? some : Object.keys(runtimes);
const run = promisify(execFile);

if (out === ours) await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
if ((await readdir(out)).length > 0) throw new Error(`${out} is not empty`);
await installRuntimes();
const work = join(out, 'work');
await run(process.execPath, [join(root, 'bin', 'build-provider.ts'), work]);
await appendFile(join(work, 'LICENSES.txt'), bunLicence);
const zips: string[] = [];
for (const platform of platforms) zips.push(await executable(platform));
await rm(work, { recursive: true });
const manifest = `${named}_manifest.json`;
const protocol = { version: 1, metadata: { protocol_versions: ['6.0'] } };
await writeFile(join(out, manifest), `${JSON.stringify(protocol, null, 2)}\n`);
await cp(join(root, 'docs', 'terraform'), join(out, 'docs'), { recursive: true });
await sign(await writeSums([...zips, manifest]));
console.log(`${relative(process.cwd(), out)}: ${platforms.join(', ')}`);

/** Of all platforms, for npm leaves out those of others unless forced. */
async function installRuntimes(): Promise<void> {
  if (existsSync(join(root, 'release', 'node_modules'))) return;
  const args = ['ci', '--prefix', join(root, 'release'), '--force', '--ignore-scripts'];
  await run('npm', args, { shell: process.platform === 'win32' });
}

function runtimeOf(platform: string): string {
  const name = runtimes[platform];
  if (name === undefined)
    throw new Error(`no ${platform}; there are ${Object.keys(runtimes).join(', ')}`);
  const suffix = platform.startsWith('windows') ? '.exe' : '';
  const file = join(root, 'release', 'node_modules', '@oven', `bun-${name}`, 'bin', `bun${suffix}`);
  if (!existsSync(file)) throw new Error(`${file} is missing: npm ci --prefix release --force`);
  return file;
}

/** The same bytes from the same code, wherever and whenever it is built. */
async function executable(platform: string): Promise<string> {
  const program = `terraform-provider-pager_v${version}`;
  const file = platform.startsWith('windows') ? `${program}.exe` : program;
  const args = [
    ...['build', '--compile', '--bytecode', `--target=bun-${runtimes[platform]}`],
    // Nothing of a user's folder changes what the provider does.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    ...[`--compile-executable-path=${runtimeOf(platform)}`, `--outfile=${file}`],
  ];
  // There, for the paths it is given end up in what it makes.
  await run(runtimeOf(ownPlatform()), [...args, `${program}.cjs`], { cwd: work });
  const zip = `${named}_${platform}.zip`;
  const packed = [join(work, file), join(work, 'LICENSES.txt')];
  for (const each of packed) await utimes(each, firstTime, firstTime);
  // Without the folder, and what differs between machines.
  const env = { ...process.env, TZ: 'UTC' };
  await run('zip', ['-q', '-j', '-X', join(out, zip), ...packed], { env });
  await rm(join(work, file));
  console.log(zip);
  return zip;
}

function ownPlatform(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  return `${os}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
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
