// New incidents that all page one person, beside Alertmanager taking the same; and meanwhile the
// first pages of other people.
import { loadAlertmanager, startBeside } from './alertmanager.ts';
import { event, newTitles, only } from './events.ts';
import { type Loaded, load } from './load.ts';
import { pageDelays, until } from './page-delays.ts';
import { costOf } from './processes.ts';
import { type Report, rate, share, times } from './report.ts';
import { type Bench, hookFor, type PageServer, startBench, startPageServer } from './world.ts';

const connections = 64;
const seconds = 5;
const perSecond = 1_000;
/** First pages of others, a second. */
const others = 20;
const lastPageSeconds = 180;

export async function measureOnePerson(report: Report): Promise<void> {
  const ours = await ofOurs(report);
  await using beside = await startBeside(report);
  if (beside === null) return;
  const title = newTitles(0);
  await loadAlertmanager(beside, { connections, seconds: 3, title });
  const taking = () => loadAlertmanager(beside, { connections, seconds, title });
  const theirs = await costOf(beside.pid, taking);
  const ratio = `${share(ours.perSecond, theirs.perSecond)} of it is ours; ${theirs.cost}`;
  report('the same taken by Alertmanager, in memory', rate(theirs.perSecond), ratio);
}

async function ofOurs(report: Report): Promise<Loaded> {
  await using bench = await startBench();
  await using paged = await startPageServer();
  await using pageServer = await startPageServer();
  const { port } = bench;
  const path = await hookFor(bench, paged.url);
  const ofOthers = await hookFor(bench, pageServer.url);
  await run(bench, { path, seconds: 2 });
  await until(() => paged.came.size > 0, lastPageSeconds);
  const paging = { port, paths: [ofOthers], pageServer, title: newTitles(9_000_000) };
  const begins = performance.now();
  const before = paged.came.size;
  const [steady, delays] = await Promise.all([
    run(bench, { path, seconds, perSecond }),
    pageDelays({ ...paging, perSecond: others, seconds }),
  ]);
  const last = await lastPage(paged, { begins, wanted: before + steady.requests });
  const what = `${perSecond.toLocaleString('en')} new incidents/s that all page one person`;
  report(what, times(steady), `${rate(steady.perSecond)} came; last page after ${last}`);
  report('first pages of others meanwhile', times(delays), `${others}/s`);
  const fastest = await costOf(bench.pid, () => run(bench, { path, seconds }));
  const beside = `${times(fastest)}; ${fastest.cost}`;
  report('the same, as fast as they are taken', rate(fastest.perSecond), beside);
  return fastest;
}

const titles = newTitles(0);

type RunOptions = { readonly path: string; readonly seconds: number; readonly perSecond?: number };

async function run({ port }: Bench, { path, ...options }: RunOptions): Promise<Loaded> {
  const next = () => event(path, { title: titles() });
  return only('202', await load({ port, connections, next, ...options }));
}

type Awaited = { readonly begins: number; readonly wanted: number };

async function lastPage(paged: PageServer, { begins, wanted }: Awaited): Promise<string> {
  const all = await until(() => paged.came.size >= wanted, lastPageSeconds);
  const took = (performance.now() - begins) / 1_000;
  return all ? `${took.toFixed(1)} s` : `more than ${lastPageSeconds} s`;
}
