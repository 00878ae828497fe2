// `npm start`, as in a terminal of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from './eventually.ts';

const READY_MILLISECONDS_MAX = 90_000;

export type NpmStart = AsyncDisposable & {
  /** All of standard output and error so far. */
  readonly output: () => string;
  kill(signal: NodeJS.Signals): void;
  /** When the server has ended too, for it has the same output. */
  readonly closed: Promise<unknown>;
};

/** Started, but perhaps not yet ready. */
export function startNpm(folder: string, env: NodeJS.ProcessEnv): NpmStart {
  const npm = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const closed = once(npm, 'close');
  return {
    output: () => output,
    kill: (signal) => npm.kill(signal),
    closed,
    async [Symbol.asyncDispose]() {
      npm.kill('SIGTERM');
      await closed;
    },
  };
}

/** Until the server is ready. */
export async function npmStart(folder: string, env: NodeJS.ProcessEnv): Promise<NpmStart> {
  const npm = startNpm(folder, env);
  let isOver = false;
  void npm.closed.then(() => {
    isOver = true;
  });
  await eventually(
    () => `npm start is ready:\n${npm.output()}`,
    () => {
      assert.ok(!isOver, `npm start ended:\n${npm.output()}`);
      return npm.output().includes('Pager is ready');
    },
    READY_MILLISECONDS_MAX,
  );
  return npm;
}
