// The database's host is lost in silence, and its name moved to another host at once. Packets to the old
// one are dropped: nothing closes and nothing answers.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../src/engine/log.ts';
import { startBundledPostgres } from '../src/storage/bundled/postgres-server.ts';
import { startLossyHost } from '../test/system/database-relay.ts';
import { newTitles } from './events.ts';
import type { Report } from './report.ts';
import { type Bench, hookFor, startBench, startPageServer } from './world.ts';

const name = 'database.test';
const perSecond = 5;
const beforeSeconds = 5;
const afterSeconds = 40;
const aimSeconds = 15;
const retryMs = 1_000;

export async function measureLostHost(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pager-lost-host-'));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  await using postgres = await startBundledPostgres({ dataDir, log: silentLog });
  await using old = await startLossyHost(postgres.url);
  await using next = await startLossyHost(postgres.url, old.port, '127.0.0.2');
  const hosts = join(folder, 'hosts');
  const moveTo = ({ url }: { readonly url: string }) =>
    writeFile(hosts, `127.0.0.1 localhost\n${new URL(url).hostname} ${name}\n`, { mode: 0o644 });
  await moveTo(old);
  const url = new URL(old.url);
  url.hostname = name;
  await using pageServer = await startPageServer();
  await using bench = await startBench({ hosts, more: { PAGER_DATABASE_URL: url.href } });
  const path = await hookFor(bench, pageServer.url);
  const title = newTitles(8_000_000);
  const sending: Promise<void>[] = [];
  const sendFor = async (seconds: number) => {
    for (let nth = 0; nth < seconds * perSecond; nth += 1) {
      sending.push(send(bench, path, title()));
      await pause(1_000 / perSecond);
    }
  };
  await sendFor(beforeSeconds);
  const lostAt = performance.now();
  old.lose();
  await moveTo(next);
  await sendFor(afterSeconds);
  await Promise.all(sending);
  await pause(retryMs);
  const came = [...pageServer.came.values()].flat().sort((a, b) => a - b);
  const after = [lostAt, ...came.filter((at) => at > lostAt)];
  const gaps = after.slice(1).map((at, index) => at - (after[index] ?? at));
  const longest = Math.max(...gaps) / 1_000;
  const missing = sending.length - pageServer.came.size;
  report(
    'longest time without a page after the database host was lost in silence',
    `${longest.toFixed(1)} s`,
    `aim ${aimSeconds} s: ${longest <= aimSeconds ? 'met' : '**missed**'}; ${sending.length} events, ${missing} without a page`,
  );
}

/** As monitoring tools do: again, until it is taken. */
async function send({ port }: Bench, path: string, title: string): Promise<void> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title, severity: 'critical' }),
  };
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 202) return;
    await pause(retryMs);
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
