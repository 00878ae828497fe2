// How fast a token fills the disk once the storage budget of its organization is spent: what the
// database grows by for each byte that is sent, and for each event.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { event, newTitles } from './events.ts';
import { load } from './load.ts';
import { type Report, rate } from './report.ts';
import { connectTo, hookFor, startBench } from './world.ts';

const seconds = 20;
const connections = 30;
const KIB = 1_024;
const MIB = 1_024 * KIB;

type Flood = { readonly slug: string; readonly next: (path: string) => string };

/** What compression makes no smaller, for which the disk would be full first. */
const noise = randomBytes((700 * KIB * 3) / 4).toString('base64');
const title = newTitles(9_000_000);

const floods: Readonly<Record<string, Flood>> = {
  'events of 700 KiB that open incidents': {
    slug: 'webhook',
    next: (path) => event(path, { title: title(), body: { noise } }),
  },
  'events of 700 KiB that repeat': {
    slug: 'webhook',
    next: (path) => event(path, { title: 'Disk full', body: { noise } }),
  },
  'events of 700 KiB that cannot be read': {
    slug: 'prometheus',
    next: (path) => event(path, { noise }),
  },
  'small events that open incidents': {
    slug: 'webhook',
    next: (path) => event(path, { title: title() }),
  },
};

export async function measureFloodedDisk(report: Report): Promise<void> {
  await using bench = await startBench({ more: { PAGER_EVENT_STORAGE_MIB_PER_DAY: '1' } });
  const sql = connectTo(bench);
  for (const [name, { slug, next }] of Object.entries(floods)) {
    const path = await hookFor(bench, 'http://127.0.0.1:9/nobody', { delay_minutes: 1_440 }, slug);
    const flood = (lasting: number) =>
      load({ port: bench.port, connections, seconds: lasting, next: () => next(path) });
    // What fits into the budget is none of it.
    await flood(2);
    const before = await settledSize(sql);
    const { perSecond, statuses, requests } = await flood(seconds);
    const grown = (await settledSize(sql)) - before;
    const sent = requests * next(path).length;
    const each = `${(grown / requests / KIB).toFixed(1)} KiB of disk for each`;
    const answers = Object.entries(statuses).map(([status, times]) => `${times} times ${status}`);
    report(
      `disk, beyond the budget: ${name}`,
      `${each}, ${(grown / sent).toFixed(4)} for each byte sent`,
      `${rate(perSecond)}, ${((grown / MIB / seconds) * 3_600).toFixed(0)} MiB an hour; ${answers.join(', ')}`,
    );
  }
  await sql.end();
}

/** Of all tables with their indexes, once nothing waits to be decided. */
async function settledSize(sql: Sql): Promise<number> {
  for (;;) {
    const [waiting] = await sql`select from events where decided_at is null limit 1`;
    if (waiting === undefined) break;
    await pause(100);
  }
  const [row] = await sql<{ bytes: string }[]>`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  return Number(row?.bytes);
}
