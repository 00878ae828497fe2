import assert from 'node:assert/strict';
import { executionAsyncId } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { childEnvironment } from './child-environment.ts';

const preload = new URL('error-owners.ts', import.meta.url);

const imported = `
import { test } from 'node:test';
await undefined;
test('of an imported file', async () => {
  await undefined;
  setTimeout(() => { throw new Error(); });
  await new Promise(() => {});
});
`;

const failing = `
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
const fail = () => { throw new Error(); };
const never = new Promise(() => {});
describe('imported', () => import('./imported.mjs'));
test('in a timer', async () => {
  await undefined;
  setTimeout(fail);
  await never;
});
test('in a promise that nobody awaits', async () => {
  void new Promise((resolve) => setTimeout(resolve)).then(fail);
  await never;
});
test('in a request that a server gets', async (t) => {
  const server = createServer(fail);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  fetch('http://127.0.0.1:' + server.address().port).catch(() => {});
  await never;
});
test('nowhere', async () => {
  await undefined;
});
describe('a suite', () => {
  test('of one', async (t) => {
    await t.test('in it', async () => {
      await undefined;
      process.nextTick(fail);
      await never;
    });
  });
});
`;

test('an uncaught error fails the test that it belongs to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pager-tests-'));
  try {
    await writeFile(join(folder, 'imported.mjs'), imported);
    await writeFile(join(folder, 'failing.mjs'), failing);
    const output = await outputOf(['--import', preload.href, join(folder, 'failing.mjs')]);
    assert.deepEqual(output.match(/^ *(not )?ok .*/gm), [
      '    not ok 1 - of an imported file',
      'not ok 1 - imported',
      'not ok 2 - in a timer',
      'not ok 3 - in a promise that nobody awaits',
      'not ok 4 - in a request that a server gets',
      'ok 5 - nowhere',
      '        not ok 1 - in it',
      '    not ok 1 - of one',
      'not ok 6 - a suite',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('promises are not followed', async () => {
  const here = executionAsyncId();
  await undefined;
  assert.notEqual(here, 0);
  assert.equal(executionAsyncId(), 0);
});

function outputOf(args: readonly string[]): Promise<string> {
  const words = ['--test-reporter=tap', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, words, { env: childEnvironment() }, (_error, output) =>
      resolve(output),
    );
  });
}
