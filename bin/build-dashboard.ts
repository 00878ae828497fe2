// Behind `npm run build:dashboard` and `npm start`: builds the dashboard into dist/dashboard if its
// sources have changed since the last build.
import { createHash } from 'node:crypto';
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PREVIOUS_ASSETS } from '../src/api/pages/dashboard-files.ts';

/** What the build is made of. */
const sources = [
  'src/{dashboard,client,resources,oncall,admission,limits}/**/*',
  'src/api/pages/{tokens.css,logos.svg}',
  'bin/{dashboard/*,build-dashboard.ts}',
  'package-lock.json',
];
const HASH_FILE = 'sources.sha256';
const root = join(import.meta.dirname, '..');
const out = join(root, 'dist', 'dashboard');

const began = performance.now();
const hash = await hashOfSources();
const previous = await builtHash();
if (previous !== hash && !(await build())) process.exitCode = 1;

/** Undefined: it was not built. */
function builtHash(): Promise<string | undefined> {
  return readFile(join(out, HASH_FILE), 'utf8').catch(() => undefined);
}

async function build(): Promise<boolean> {
  const beside = `${out}-${process.pid}`;
  console.error('Building the dashboard, which takes a few seconds.');
  try {
    const { buildDashboard } = await import('./dashboard/build.ts');
    await mkdir(beside, { recursive: true });
    await buildDashboard(root, beside);
    await keepPrevious(beside);
    await writeFile(join(beside, HASH_FILE), hash);
    await replace(beside);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.error(`The dashboard was built in ${seconds} s.`);
    return true;
  } catch (error) {
    const consequence = previous === undefined ? '' : ' The previous build stays in use.';
    console.error(`The dashboard could not be built: ${explained(error)}${consequence}`);
    return false;
  } finally {
    // Where nothing can be written, there is nothing to remove.
    await rm(beside, { recursive: true, force: true }).catch(() => {});
  }
}

/** A page that is open goes on with the parts that it has not loaded yet. */
async function keepPrevious(beside: string): Promise<void> {
  const [from, to] = [join(out, 'assets'), join(beside, PREVIOUS_ASSETS)];
  await cp(from, to, { recursive: true }).catch(ignoreMissing);
}

/** Two that build at once make the same: the second lets that of the first be, which may be read. */
async function replace(beside: string): Promise<void> {
  if ((await builtHash()) === hash) return;
  const old = `${out}-old-${process.pid}`;
  await rename(out, old).catch(ignoreMissing);
  await rename(beside, out).catch((error) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(old, { recursive: true, force: true });
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function hashOfSources(): Promise<string> {
  const files = await Array.fromAsync(glob(sources, { cwd: root, withFileTypes: true }));
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  const hash = createHash('sha256');
  for (const path of paths.sort()) {
    const bytes = await readFile(path);
    hash.update(`${path.slice(root.length)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function explained(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND'
    ? 'its packages are not installed. Run npm ci, without --omit=dev.'
    : `${message}.`;
}
