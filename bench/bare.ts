// What Node answers when nothing is kept: the measure of all that is.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { event } from './events.ts';
import { load } from './load.ts';
import { type Report, rate, times } from './report.ts';

const connections = 64;

/** Requests a second. */
export async function measureBare(report: Report): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const port = await new Promise<number>((resolve) => child.once('message', resolve));
  const next = () => event('/x', { title: 'Load 1' });
  const run = (seconds: number) => load({ port, connections, seconds, next });
  await run(2);
  const result = await run(4);
  child.kill();
  report('bare HTTP, nothing kept', rate(result.perSecond), times(result));
  return result.perSecond;
}

function serve(): void {
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => response.end('{"ok":true}'));
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object') process.send?.(address?.port);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'serve') serve();
