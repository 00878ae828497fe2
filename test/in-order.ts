// Runs test files in the order in which they are named, for `node --test` sorts them by name. The
// flags of this process are those of theirs.
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import slowest from './slowest.ts';

const { values, positionals: files } = parseArgs({
  options: { concurrency: { type: 'string' }, timeout: { type: 'string' } },
  allowPositionals: true,
});
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const tests = run({
  files,
  concurrency: Number(values.concurrency),
  timeout: Number(values.timeout),
  signal: stop.signal,
});
tests.on('test:summary', ({ file, success }) => {
  if (file === undefined && !success) process.exitCode = 1;
});
tests.compose(spec).pipe(process.stdout);
tests.compose(slowest).pipe(process.stdout);
