// Repeats over 5,000 open incidents as fast as they are taken, beside Alertmanager taking the same;
// and meanwhile the first pages of other people.
import { loadAlertmanager, startBeside } from './alertmanager.ts';
import { event, newTitles, only } from './events.ts';
import { type Loaded, load } from './load.ts';
import { type Delays, pageDelays } from './page-delays.ts';
import { type Cost, costOf } from './processes.ts';
import { type Report, rate, share, times } from './report.ts';
import { hookFor, startBench, startPageServer } from './world.ts';

const open = 5_000;
const connections = 64;
const seconds = 10;
/** First pages of others, a second. */
const others = 20;

export async function measureRepeats(report: Report): Promise<void> {
  const { ours, delays } = await repeatsOfOurs();
  report(
    `repeats over ${open.toLocaleString('en')} open incidents`,
    rate(ours.perSecond),
    `${times(ours)}; ${ours.cost}`,
  );
  report('first pages of others meanwhile', times(delays), `${others}/s`);
  await using beside = await startBeside(report);
  if (beside === null) return;
  const title = inTurn();
  await loadAlertmanager(beside, { connections, seconds: 3, title });
  const taking = () => loadAlertmanager(beside, { connections, seconds, title });
  const theirs = await costOf(beside.pid, taking);
  const ratio = `${share(ours.perSecond, theirs.perSecond)} of it is ours; ${theirs.cost}`;
  report('the same taken by Alertmanager, in memory', rate(theirs.perSecond), ratio);
}

async function repeatsOfOurs(): Promise<{ ours: Loaded & Cost; delays: Delays }> {
  await using bench = await startBench();
  await using pageServer = await startPageServer();
  const { port } = bench;
  // Nobody is paged of what repeats.
  const path = await hookFor(bench, 'http://127.0.0.1:9/nobody', { delay_minutes: 1_440 });
  const others = await hookFor(bench, pageServer.url);
  const title = inTurn();
  const next = () => event(path, { title: title() });
  await load({ port, connections, seconds: 60, requests: open, next });
  const paging = { port, paths: [others], pageServer, title: newTitles(1_000_000) };
  const [ours, delays] = await Promise.all([
    costOf(bench.pid, () => load({ port, connections, seconds, next })),
    pageDelays({ ...paging, perSecond: 20, seconds: seconds - 1 }),
  ]);
  only('202', ours);
  return { ours, delays };
}

/** One after another, so that each comes again after all others. */
function inTurn(): () => string {
  let n = 0;
  return () => {
    n += 1;
    return `Open ${n % open}`;
  };
}
