// Behind `npm test`: starts the databases once, runs the test files, tells what was left out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServers } from './database.ts';
import { SKIPPED_FILE, type Skip } from './skipped.ts';

const FAST = [
  'src/{resources,oncall,alerts,rules,incidents,shifts,notices}/**/*.test.ts',
  'test/simulation/**/*.test.ts',
];
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts'];
const CONCURRENCY = 2;
const TEST_MILLISECONDS_MAX = 360_000;

const args = process.argv.slice(2);
const isFast = args.includes('--fast');
const named = args.filter((arg) => !arg.startsWith('--'));

const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--fast');
if (unknown !== undefined) {
  console.error(`unknown option ${unknown}; usage: node test/run.ts [--fast] [file.test.ts ...]`);
  process.exitCode = 2;
} else {
  process.exitCode = await run(named.length > 0 ? named : await find(isFast ? FAST : ALL));
}

async function find(patterns: string[]): Promise<string[]> {
  const cwd = join(import.meta.dirname, '..');
  const files = await Array.fromAsync(glob(patterns, { cwd }));
  return files.sort();
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
    `--import=${new URL('./seed.ts', import.meta.url)}`,
    `--import=${new URL('./times.ts', import.meta.url)}`,
    `--import=${new URL('./time-limit.ts', import.meta.url)}`,
    '--test',
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${TEST_MILLISECONDS_MAX}`,
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
