// Behind `npm test`: starts the databases once, runs the test files, tells what was left out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServers } from './database.ts';
import { IN_ONE_PROCESS } from './in-one-process/groups.ts';
import { SKIPPED_FILE, type Skip } from './skipped.ts';

const FAST = [
  'src/{resources,oncall,alerts,rules,incidents,shifts,notices,what-if}/**/*.test.ts',
  'test/simulation/**/*.test.ts',
];
const ALL = ['test/**/*.test.ts', 'src/**/*.test.ts'];
/** With real monitoring tools, some minutes long; `npm test` runs the one of them in `test/system`. */
const TOOLS = ['test/tools/*.test.ts'];
const TOOLS_IN_ALL = ['test/system/pair-and-relay.test.ts'];
/** They start first, so that none of them is left to run alone. */
const LONGEST = [
  'test/in-one-process/*.test.ts',
  'test/dashboard/{incident,incidents,on-call,people,push}.test.ts',
  'test/documents/{documents,readme}.test.ts',
  'test/system/{authorization,backup,crash,npm,release,upgrade}.test.ts',
  'test/terraform/{life,network,release,round-trips,simulation}.test.ts',
  'test/contracts/{guide-commands.test.ts,seeds/worlds.test.ts}',
  'test/kills/kills.test.ts',
];
/** One more than the cores, for most of them wait for others: servers, databases. */
const CONCURRENCY = availableParallelism() + 1;
/** Only for what hangs: beside other work a machine may be six times as slow. Less than `time-limit.ts` gives a file. */
const TEST_MILLISECONDS_MAX = 840_000;

const args = process.argv.slice(2);
const options = ['--fast', '--tools'];
const isFast = args.includes('--fast');
const named = args.filter((arg) => !arg.startsWith('--'));

process.exitCode = await main();

async function main(): Promise<number> {
  const unknown = args.find((arg) => arg.startsWith('--') && !options.includes(arg));
  if (unknown !== undefined) return refuse(`unknown option ${unknown}`);
  const files = await Promise.all(named.map(testsAt));
  const empty = named.find((_arg, index) => files[index]?.length === 0);
  if (empty !== undefined) return refuse(`there are no tests at ${empty}`);
  if (named.length > 0) return run(files.flat());
  if (args.includes('--tools')) return run(await find([...TOOLS, ...TOOLS_IN_ALL]));
  return run(isFast ? await find(FAST) : await findAll());
}

function refuse(why: string): number {
  console.error(`${why}; usage: node test/run.ts [--fast | --tools] [file.test.ts or folder ...]`);
  return 2;
}

/** Of what is neither a test file nor a folder, Node would run all tests that it finds. */
async function testsAt(path: string): Promise<string[]> {
  const at = await stat(path).catch(() => null);
  if (at?.isDirectory()) return (await Array.fromAsync(glob(join(path, '**/*.test.ts')))).sort();
  return at?.isFile() && path.endsWith('.test.ts') ? [path] : [];
}

/** Without those that the tests of `test/in-one-process` run, and those of tools. */
async function findAll(): Promise<string[]> {
  const others = new Set(await find([...IN_ONE_PROCESS, ...TOOLS]));
  const files = new Set([...(await find(LONGEST)), ...(await find(ALL))]);
  return [...files].filter((file) => !others.has(file));
}

async function find(patterns: readonly string[]): Promise<string[]> {
  const cwd = join(import.meta.dirname, '..');
  const files = patterns.map((pattern) => Array.fromAsync(glob(pattern, { cwd })));
  return (await Promise.all(files)).flatMap((some) => some.sort());
}

async function run(files: readonly string[]): Promise<number> {
  if (files.length === 0) {
    console.error('there are no tests to run');
    return 1;
  }
  const folder = await mkdtemp(join(tmpdir(), 'pager-tests-'));
  // Most test files load the whole server: what Node has compiled once serves all of them.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
  const skips = join(folder, 'skipped.jsonl');
  process.env[SKIPPED_FILE] = skips;
  if (process.env['PAGER_TEST_SEED'] === 'random') {
    process.env['PAGER_TEST_SEED'] = String(Date.now() % 2 ** 31);
    console.log(`PAGER_TEST_SEED=${process.env['PAGER_TEST_SEED']}`);
  }
  try {
    const code = await runOnServers(files);
    await printSkipped(skips);
    return code;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOnServers(files: readonly string[]): Promise<number> {
  await using _servers = await startTestServers(isFast ? [] : ['bundled', 'system']);
  const flags = [
    `--import=${new URL('./error-owners.ts', import.meta.url)}`,
    `--import=${new URL('./seed.ts', import.meta.url)}`,
    `--import=${new URL('./times.ts', import.meta.url)}`,
    `--import=${new URL('./time-limit.ts', import.meta.url)}`,
    fileURLToPath(new URL('./in-order.ts', import.meta.url)),
    `--concurrency=${CONCURRENCY}`,
    `--timeout=${TEST_MILLISECONDS_MAX}`,
  ];
  const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit' });
  // The tests get a Ctrl-C themselves; the databases are stopped once they have ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

async function printSkipped(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const skips = [...new Set(lines)].map((line): Skip => JSON.parse(line));
  if (skips.length === 0) return;
  console.log('\nNot tested on this machine:');
  for (const { what, how } of skips) console.log(`- ${what}: ${how}`);
}
