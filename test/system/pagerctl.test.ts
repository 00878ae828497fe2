// The operator's command, started by a Node that is not the pinned one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { childEnvironment } from '../child-environment.ts';

const program = join(import.meta.dirname, '..', '..', 'bin', 'pagerctl.js');
let folder: string;
let otherNode: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pager-node-'));
  otherNode = join(folder, 'node');
  await copyFile(process.execPath, otherNode);
});
after(() => rm(folder, { recursive: true, force: true }));

const start = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(otherNode, [program, ...words], {
    env: { ...childEnvironment(), ...env },
    stdio: 'pipe',
  });

test('it goes over to the pinned Node, with its words, its output and its exit code', async () => {
  const script = 'data:text/javascript,console.error(process.execPath)';
  const child = start(['no-such-verb'], { NODE_OPTIONS: `--import=${script}` });
  const ended = once(child, 'exit');
  const errors = await text(child.stderr);
  assert.deepEqual(errors.split('\n').slice(0, 3), [
    otherNode,
    process.execPath,
    'There is no command no-such-verb.',
  ]);
  assert.match(errors, /\npagerctl \[--env-file <file>\] <command>\n/);
  assert.deepEqual(await ended, [2, null]);
});

test('a signal to it ends what it started', async () => {
  await using silent = createServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const request = once(silent, 'request');
  const child = start(['export', 'terraform', '--dir', join(folder, 'export')], {
    PAGER_BASE_URL: `http://127.0.0.1:${port}/api/v1`,
    PAGER_API_KEY: 'pgr_any',
  });
  const ended = once(child, 'exit');
  const [{ socket }] = await request;
  const gone = once(socket, 'close');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [null, 'SIGTERM']);
  await gone;
});

test('what it started ends when it is killed', async () => {
  await using silent = createServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const request = once(silent, 'request');
  const child = start(['incidents'], {
    PAGER_BASE_URL: `http://127.0.0.1:${port}/api/v1`,
    PAGER_API_KEY: 'pgr_any',
  });
  const ended = once(child, 'exit');
  const [{ socket }] = await request;
  const gone = once(socket, 'close');
  child.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  await gone;
});

test('words that it does not know are refused, with those that were probably meant', async () => {
  const run = async (...words: readonly string[]) => {
    const child = start(words);
    const ended = once(child, 'exit');
    const [first] = (await text(child.stderr)).split('\n');
    return [first, (await ended)[0]];
  };
  assert.deepEqual(await run('migrat'), ['There is no command migrat. Did you mean migrate?', 2]);
  assert.deepEqual(await run('serve', '--port', '9'), [
    'There is no --port. Set PAGER_LISTEN instead.',
    2,
  ]);
  assert.deepEqual(await run('migrate', 'now'), ['Unexpected argument now.', 2]);
  assert.deepEqual(await run('audit', '--jsno'), ['There is no --jsno. Did you mean --json?', 2]);
  assert.deepEqual(await run('rotate-secret-key', '-x'), ['There is no -x.', 1]);
});

test('each verb prints its flags with --help, whatever the settings', async () => {
  const operators = ['serve', 'migrate', 'audit', 'rotate-secret-key', 'backup', 'restore'];
  const access = ['reset-password', 'create-key', 'sign-in-link', 'send-test'];
  const people = ['incidents', 'ack', 'resolve', 'who', 'simulate'];
  for (const verb of [...operators, ...access, ...people, 'export']) {
    const child = start([verb, '--help'], { PAGER_LISTEN: 'nowhere' });
    const ended = once(child, 'exit');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.deepEqual([errors, await ended], ['', [0, null]], verb);
    assert.match(output, new RegExp(`^pagerctl ${verb}`));
  }
});
