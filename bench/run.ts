// npm run bench: what docs/performance.md shows, measured on this machine in one run, beside what
// the machine itself can do. Figures of different runs are not comparable; their ratios are.
// `npm run bench -- repeats storm` runs only these.
import type { Sql } from 'postgres';
import { measureAttacked } from './attacked.ts';
import { measureBacklog } from './backlog.ts';
import { measureBare } from './bare.ts';
import { measureBeside } from './beside.ts';
import { measureChannels } from './channels.ts';
import { measureClaims } from './claims.ts';
import { measureDashboard } from './dashboard.ts';
import { measureEventToPage } from './event-to-page.ts';
import { measureFloodedDisk } from './flooded-disk.ts';
import { measureGroups } from './groups.ts';
import { measureIngest } from './ingest.ts';
import { measureDatabase, measureIdle } from './limits.ts';
import { measureLostHost } from './lost-host.ts';
import { measureOncall } from './oncall.ts';
import { measureOnePerson } from './one-person.ts';
import { measureRepeats } from './repeats.ts';
import { measureReplay } from './replay.ts';
import { report, tableOf } from './report.ts';
import { measureRollingRestart } from './rolling-restart.ts';
import { measureRuledIngest } from './ruled-ingest.ts';
import { measureRules } from './rules.ts';
import { measureShifts } from './shifts.ts';
import { measureStorm } from './storm.ts';
import { measureSustained } from './sustained.ts';
import { measureTerraform } from './terraform.ts';
import { measureRecords } from './terraform-records.ts';
import { measureTimers } from './timers.ts';
import { measureIngestByType, measureTypes } from './types.ts';
import {
  type Bench,
  connectTo,
  hookFor,
  type PageServer,
  startBench,
  startPageServer,
} from './world.ts';

/** One server that several scenarios share, with what pages it sends and where its events go. */
type Shared = {
  readonly bench: Bench;
  readonly port: number;
  readonly sql: Sql;
  readonly pageServer: PageServer;
  readonly paths: readonly string[];
  readonly path: string;
  /** Requests a second of bare HTTP. */
  readonly bare: number;
};

/** In their order: what fills the tables comes last. */
const alone: Readonly<Record<string, () => void | Promise<void>>> = {
  dashboard: () => measureDashboard(report),
  oncall: () => measureOncall(report),
  rules: () => measureRules(report),
  types: () => measureTypes(report),
  terraform: () => measureTerraform(report),
  'terraform-records': () => measureRecords(report),
  claims: () => measureClaims(report),
  repeats: () => measureRepeats(report),
  groups: () => measureGroups(report),
  replay: () => measureReplay(report),
  channels: () => measureChannels(report),
  'one-person': () => measureOnePerson(report),
  beside: () => measureBeside(report),
  async attacked() {
    await measureFloodedDisk(report);
    await measureRollingRestart(report);
    await measureAttacked(report);
    await measureLostHost(report);
  },
};

const together: Readonly<Record<string, (shared: Shared) => Promise<void>>> = {
  idle: ({ bench }) => measureIdle(bench, report),
  database: ({ sql }) => measureDatabase(sql, report),
  ingest: (shared) => measureIngest(shared, report),
  'ingest-by-type': ({ bench }) => measureIngestByType(bench, report),
  'event-to-page': (shared) => measureEventToPage(shared, report),
  async sustained(shared) {
    for (const connections of [64, 256]) await measureSustained({ ...shared, connections }, report);
  },
  'ruled-ingest': ({ bench }) => measureRuledIngest(bench, report),
  backlog: ({ bench }) => measureBacklog(bench, report),
  storm: (shared) => measureStorm(shared, report),
  timers: (shared) => measureTimers(shared, report),
  shifts: ({ bench, sql }) => measureShifts(bench, sql, report),
};

const hooks = 8;

async function main(requested: readonly string[]): Promise<void> {
  const names = [...Object.keys(alone), ...Object.keys(together)];
  const unknown = requested.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')}: there is only ${names.join(', ')}`);
  const isRequested = ([name]: readonly [string, unknown]) =>
    requested.length === 0 || requested.includes(name);
  for (const [, measure] of Object.entries(alone).filter(isRequested)) await measure();
  const others = Object.entries(together).filter(isRequested);
  if (others.length > 0) await onOneServer(others.map(([, measure]) => measure));
  process.stdout.write(`\n${tableOf()}\n`);
}

async function onOneServer(measures: readonly ((shared: Shared) => Promise<void>)[]) {
  const bare = await measureBare(report);
  await using bench = await startBench();
  await using pageServer = await startPageServer();
  const sql = connectTo(bench);
  const paths: string[] = [];
  for (let index = 0; index < hooks; index += 1)
    paths.push(await hookFor(bench, `${pageServer.url}?${index}`));
  const [path = ''] = paths;
  const shared = { bench, port: bench.port, sql, pageServer, paths, path, bare };
  for (const measure of measures) await measure(shared);
  await sql.end();
}

await main(process.argv.slice(2));
