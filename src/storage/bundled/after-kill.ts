// A program that is killed cannot stop the server that it used. A shell waits beside it for the end
// of a pipe, which the kernel closes with the program, and then has the server stopped unless
// another program uses it. A shell, because it needs next to no memory while it waits.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Log, messageOf } from '../../engine/log.ts';
import { postgresEnvironment } from './cluster.ts';

type AfterKill = {
  readonly dataDir: string;
  /** A program that starts within these finds the server running. */
  readonly seconds: number;
  readonly log: Log;
};

/** A line in the pipe means that the program ended by itself. */
const SCRIPT = 'read -r _ || { sleep "$1"; exec "$2" "$3" "$4"; }';
const STOP = fileURLToPath(new URL('./stop-abandoned.ts', import.meta.url));

/** Until it is disposed of. */
export async function stopAfterKill({ dataDir, seconds, log }: AfterKill): Promise<Disposable> {
  const words = ['-c', SCRIPT, 'sh', String(seconds), process.execPath, STOP, dataDir];
  // Detached: neither Ctrl-C nor the end of the terminal reaches it.
  const child = spawn('/bin/sh', words, {
    cwd: '/',
    env: postgresEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // From here on this program does not depend on it.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  try {
    await once(child, 'spawn');
  } catch (error) {
    log.warn({ reason: messageOf(error) }, 'PostgreSQL would outlive this program if it is killed');
  }
  child.unref();
  // A pipe to a child is a socket.
  (child.stdin as Socket).unref();
  return { [Symbol.dispose]: () => void child.stdin.end('\n') };
}
