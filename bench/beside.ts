// A page's delay on a quiet server, and while another organization makes it work: ten slow lists,
// an audit of the ledger, and webhooks whose names nobody answers for.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { silentLog } from '../src/engine/log.ts';
import { openDatabase, type Sql } from '../src/storage/database/database.ts';
import { event, newTitles } from './events.ts';
import { load } from './load.ts';
import { type Delays, pageDelays } from './page-delays.ts';
import { ms, type Report, times } from './report.ts';
import {
  type Bench,
  hookFor,
  program,
  seedNeighbour,
  startBench,
  startPageServer,
} from './world.ts';

const seconds = 10;
const perSecond = 20;
const lists = 10;
const stored = 50_000;
/** Calls of webhooks with dead names, a second. */
const callsPerSecond = 20;
/** On this address nobody answers for a name. */
const silent = '127.0.0.99';

export async function measureBeside(report: Report): Promise<void> {
  await using nameServer = await startSilent();
  await using bench = await startBench(nameServer.isThere ? { nameServer: silent } : {});
  await using pageServer = await startPageServer();
  await using database = await openDatabase({ url: bench.databaseUrl, log: silentLog });
  const { sql } = database;
  const neighbour = await seedNeighbour(bench, sql);
  const dead = await deadHook(neighbour);
  await fill(neighbour, sql);
  const paths = [await hookFor(bench, pageServer.url)];
  const title = newTitles(1_000_000);
  const delays = () =>
    pageDelays({ port: bench.port, paths, pageServer, title, perSecond, seconds });
  await delays();
  const quiet = await delays();
  const busy = await during(neighbour, { dead, work: delays });
  report(`event to page, ${perSecond}/s, quiet`, times(quiet));
  const names = nameServer.isThere ? 'calls of dead names' : 'calls of unknown names';
  const what = `the same beside ten slow lists, an audit and ${names}`;
  const ratio = (busy.delays.p99 / quiet.p99).toFixed(1);
  const beside = `p99 ${ratio} times as long; a list took ${ms(busy.listMs)}`;
  report(what, times(busy.delays), busy.delays.missing ? `${busy.delays.missing} missing` : beside);
}

/** Needs root, for names are asked for at port 53, and for the server to be told so. */
async function startSilent() {
  const socket = createSocket('udp4');
  const isThere = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false)).bind(53, silent, () => resolve(true));
  });
  return {
    isThere,
    async [Symbol.asyncDispose]() {
      if (isThere) socket.close();
    },
  };
}

/** Each event to it calls a webhook of another dead name. */
async function deadHook(neighbour: Bench): Promise<string> {
  const path = await hookFor(neighbour, 'http://127.0.0.1:9/nobody', { delay_minutes: 1_440 });
  const all = [{ conditions: [{ type: 'allIncidents' }] }];
  for (let n = 0; n < 5; n += 1) {
    const url = `https://dead-${n}.example.com/hook`;
    const webhook = { name: `Dead ${n}`, url, method: 'POST' };
    const { id } = await neighbour.api('POST /outbound-webhooks', webhook);
    const actions = [{ type: 'outboundWebhook', outbound_webhook_id: id }];
    const rule = { name: `Call ${n}`, condition_groups: all, actions };
    await neighbour.api('POST /alert-rules', rule);
  }
  return path;
}

/** Incidents that a list must read one by one to find none. */
async function fill(neighbour: Bench, sql: Sql): Promise<void> {
  const path = await hookFor(neighbour, 'http://127.0.0.1:9/nobody', { delay_minutes: 1_440 });
  const next = () => event(path, { title: 'Stored' });
  await load({ port: neighbour.port, connections: 1, seconds: 0.1, next });
  await sql`
    insert into incidents
    select r.* from (
        select to_jsonb(one) as was from incidents one where title = 'Stored' limit 1) i,
      generate_series(1, ${stored}::int) g,
      lateral jsonb_populate_record(null::incidents, i.was || jsonb_build_object(
        'id', to_char(g, 'FM0000000000') || 'cccccccccccccc', 'number', 10000000 + g,
        'dedup_key', 'stored ' || g, 'wake_at', null, 'status', 'resolved')) r`;
}

type During = { readonly dead: string; readonly work: () => Promise<Delays> };

/** The most that a neighbour does at once, while the work goes on. */
async function during(neighbour: Bench, { dead, work }: During) {
  let isOver = false;
  const listMs: number[] = [];
  const list = async () => {
    while (!isOver) {
      const begins = performance.now();
      // It may be refused or cut off: all the better for the others.
      await neighbour.api('GET /incidents?limit=200&priority=p5').catch(() => null);
      listMs.push(performance.now() - begins);
    }
  };
  const listing = Array.from({ length: lists }, list);
  const auditing = auditAgain(neighbour, () => isOver);
  const title = newTitles(5_000_000);
  const next = () => event(dead, { title: title() });
  const options = { port: neighbour.port, connections: 1, seconds: seconds + 2, next };
  const calling = load({ ...options, perSecond: callsPerSecond / 5 });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const delays = await work();
  isOver = true;
  await Promise.all([...listing, auditing, calling]);
  listMs.sort((a, b) => a - b);
  return { delays, listMs: listMs[Math.floor(listMs.length / 2)] ?? Number.NaN };
}

async function auditAgain({ settings }: Bench, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const env = { ...process.env, ...settings };
    // In a session of its own, as who audits has: within ours it would slow down who measures.
    const options = { stdio: 'ignore', env, detached: true } as const;
    const audit: ChildProcess = spawn(program, ['audit'], options);
    await new Promise((resolve) => audit.once('exit', resolve));
  }
}
