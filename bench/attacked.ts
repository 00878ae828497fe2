// An event's answer and its page on a quiet server, and while a stranger or another organization
// does what held up everybody's pages once. The aim: p99 under twice the quiet one plus 50 ms.
import { connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { silentLog } from '../src/engine/log.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { hostileBodies } from '../test/hostile-bodies.ts';
import { hostileMails } from '../test/hostile-mails.ts';
import { restlessLayers } from '../test/restless-layers.ts';
import { measureDiskDuring } from './disk.ts';
import { event, newTitles } from './events.ts';
import { load } from './load.ts';
import { type Delays, pageDelays } from './page-delays.ts';
import { ms, type Report, times } from './report.ts';
import { type Bench, hookFor, seedNeighbour, startBench, startPageServer } from './world.ts';

/** 400 pages a row: with fewer, one pause of the machine decides a p99. */
const seconds = 20;
const perSecond = 20;
/** Until an attack is in full swing. */
const beginsSeconds = 6;
const hangingHosts = 160;
const mailSenders = 4;
/** More than one address is given of either. */
const sessions = 150;
const connections = 3_000;
/** By one key of the neighbour's. */
const parallelRequests = 30;
const mistakes = 100_000;
const proposedRules = 200;
const simulatedAlerts = 200;
const replayedEvents = 500;
const pauseMs = 5_000;
/** Not where the bench's own events come from. */
const stranger = '127.0.0.2';
const MEBIBYTE = 1024 * 1024;

/** Goes on until it is disposed. */
type Attack = (neighbour: Bench) => Promise<AsyncDisposable>;

const attacks: Readonly<Record<string, Attack>> = {
  'mails that take long to read': sendMails,
  [`pages to ${hangingHosts} hosts that hang, again every second`]: pageHangingHosts,
  'one address with all mail sessions it can have': holdSessions,
  [`${connections} bodies to unknown tokens`]: sendBodies,
  [`a key that asks for ${parallelRequests} previews at once, without end`]: requestPreviews,
  [`a key that sends ${parallelRequests} bodies of mistakes at once, without end`]: sendMistakes,
  [`a key that asks for ${parallelRequests} simulations, replays and tried rules at once, without end`]:
    tryOut,
  [`a token that sends ${parallelRequests} bodies at once that are slow to read, without end`]:
    sendSlowBodies,
  [`a key that tries and suggests ${parallelRequests} mappings on such events at once, without end`]:
    tryMappings,
};

export async function measureAttacked(report: Report): Promise<void> {
  await using bench = await startBench();
  await using pageServer = await startPageServer();
  await using database = await openDatabase({ url: bench.databaseUrl, log: silentLog });
  const neighbour = await seedNeighbour(bench, database.sql);
  const paths = [await hookFor(bench, pageServer.url)];
  const title = newTitles(1_000_000);
  const delays = () =>
    pageDelays({ port: bench.port, paths, pageServer, title, perSecond, seconds });
  await delays();
  for (const [name, attack] of Object.entries(attacks)) {
    const quiet = await delays();
    const { result: under, longest } = await measureDiskDuring(bench.dataDir, () =>
      during(() => attack(neighbour), delays),
    );
    report(
      `answers during ${name}`,
      times(under.answered),
      verdict(under.answered, quiet.answered),
    );
    const missing = under.missing > 0 ? `; ${under.missing} missing` : '';
    const disk = `; the disk's longest write ${ms(longest)}`;
    report(`pages during ${name}`, times(under), `${verdict(under, quiet)}${disk}${missing}`);
  }
}

async function during(
  attack: () => Promise<AsyncDisposable>,
  delays: () => Promise<Delays>,
): Promise<Delays> {
  await using _attack = await attack();
  await new Promise((resolve) => setTimeout(resolve, beginsSeconds * 1_000));
  return await delays();
}

type Percentiles = Pick<Delays, 'p50' | 'p99'>;

/** Beside the quiet server of the moment before: machines have moods. */
function verdict(under: Percentiles, quiet: Percentiles): string {
  const aim = 2 * quiet.p99 + 50;
  return `quiet ${times(quiet)}; aim ${ms(aim)}: ${under.p99 <= aim ? 'met' : '**missed**'}`;
}

/** An integration of the neighbour's, whose policy pages nobody. */
const ownHook = (neighbour: Bench) =>
  hookFor(neighbour, 'http://127.0.0.1:9/nobody', { delay_minutes: 1_440 });

async function sendMails(neighbour: Bench): Promise<AsyncDisposable> {
  const [, , token = ''] = (await ownHook(neighbour)).split('/');
  const mails = Object.values(hostileMails);
  const sending = { isOver: false };
  const send = async (sender: number) => {
    for (let nth = sender; !sending.isOver; nth += 1)
      await sendMail(neighbour.mailPort, token, mails[nth % mails.length] ?? '').catch(() => {});
  };
  const senders = Array.from({ length: mailSenders }, (_, sender) => send(sender));
  return until(async () => {
    sending.isOver = true;
    await Promise.all(senders);
  });
}

async function sendMail(port: number, token: string, raw: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: stranger });
  const lines = ['EHLO a', 'MAIL FROM:<a@b.test>', `RCPT TO:<${token}@localhost>`, 'DATA'];
  const dotted = raw.replaceAll('\r\n.', '\r\n..');
  let answered = 0;
  await new Promise<void>((resolve, reject) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      // Each answer but the greeting's and that of EHLO has one line.
      if (!/^\d{3} /m.test(text)) return;
      const line = lines[answered];
      answered += 1;
      if (line !== undefined) socket.write(`${line}\r\n`);
      else if (answered === lines.length + 1) socket.write(`${dotted}\r\n.\r\n`);
      else socket.end('QUIT\r\n');
    });
    socket.once('close', () => resolve()).once('error', reject);
  });
}

async function pageHangingHosts(neighbour: Bench): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const hanging = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => hanging.listen(0, '0.0.0.0', resolve));
  const address = hanging.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const targets = Array.from({ length: hangingHosts }, (_, n) => ({
    via: 'slack',
    webhook_url: `http://127.0.1.${n + 1}:${port}/hook`,
  }));
  const path = await hookFor(neighbour, '', { steps: [{ targets }] });
  const title = newTitles(6_000_000);
  const next = () => event(path, { title: title() });
  const longest = seconds + beginsSeconds;
  const loading = load({
    port: neighbour.port,
    connections: 1,
    seconds: longest,
    next,
    perSecond: 1,
  });
  return until(async () => {
    await loading;
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => hanging.close(resolve));
  });
}

async function holdSessions({ mailPort }: Bench): Promise<AsyncDisposable> {
  return holdOpen({ port: mailPort, count: sessions, bytes: 'EHLO a\r\n' });
}

async function sendBodies({ port }: Bench): Promise<AsyncDisposable> {
  const path = `/hooks/${'0'.repeat(40)}/push-events`;
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${MEBIBYTE}\r\n\r\n`;
  return holdOpen({ port, count: connections, bytes: head + 'x'.repeat(MEBIBYTE / 16) });
}

function requestPreviews(neighbour: Bench): Promise<AsyncDisposable> {
  // People of a preview need not exist.
  const layers = restlessLayers('f'.repeat(24));
  const body = { layers, from: '2030-01-01T00:00:00Z', to: '2031-12-01T00:00:00Z' };
  return repeatRequests(neighbour, { '/on-calls/preview': body });
}

function sendMistakes(neighbour: Bench): Promise<AsyncDisposable> {
  const fields = Array.from({ length: mistakes }, (_, n) => [`field${n}`, n] as const);
  return repeatRequests(neighbour, { '/escalation-policies': Object.fromEntries(fields) });
}

/** Rules with expressions, on events of many alerts, and on those that came just before. */
async function tryOut(neighbour: Bench): Promise<AsyncDisposable> {
  const path = await ownHook(neighbour);
  const title = newTitles(7_000_000);
  const next = () => event(path, { title: title(), body: { host: 'db-1' } });
  await load({ port: neighbour.port, connections: 4, seconds: 1, next, perSecond: replayedEvents });
  const { data } = await neighbour.api('GET /integrations');
  const [{ id: integration_id }] = data as [{ id: string }];
  const host = { type: 'incidentDetails', key: 'host', comparator: 'matches' };
  const rules = Array.from({ length: proposedRules }, (_, n) => ({
    name: `Rule ${n}`,
    condition_groups: [{ conditions: [{ ...host, text: `^db-${n}[0-9]+x$` }] }],
    actions: [{ type: 'priority', priority: 'p1' }],
  }));
  const body = Array.from({ length: simulatedAlerts }, (_, n) => ({ title: `Alert ${n}` }));
  return repeatRequests(neighbour, {
    '/simulate': { integration_id, event: { body }, configuration: { rules } },
    '/alert-rules/replay': { rules, days: 1 },
    '/alert-rules/test': { rule: rules[0], event: { integration_id, body } },
  });
}

const slowBodies = Object.values(hostileBodies(MEBIBYTE));

async function sendSlowBodies(neighbour: Bench): Promise<AsyncDisposable> {
  const path = await ownHook(neighbour);
  return repeat(
    slowBodies.map(({ contentType, text }) => ({
      url: `http://127.0.0.1:${neighbour.port}${path}`,
      body: text,
      headers: { 'content-type': contentType },
    })),
  );
}

/** On two events of broken JSON, and by expressions that are as slow as a mapping may have. */
async function tryMappings(neighbour: Bench): Promise<AsyncDisposable> {
  const path = await ownHook(neighbour);
  const { backslashes: slow } = hostileBodies(MEBIBYTE);
  const sent: string[] = [];
  for (const _ of [1, 2]) {
    const answer = await fetch(`http://127.0.0.1:${neighbour.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: slow?.text ?? '',
    });
    sent.push(((await answer.json()) as { event_id: string }).event_id);
  }
  const { data } = await neighbour.api('GET /integrations');
  const { id } = (data as { id: string }[]).at(-1) ?? { id: '' };
  const [firing = '', recovered = ''] = sent;
  const forms = [{ key: [['title']], title: ['title > take /(a?){90}a{90}b/', 'title'] }];
  return repeatRequests(neighbour, {
    [`/integrations/${id}/mapping/suggest`]: { firing, recovered },
    [`/integrations/${id}/mapping/try`]: { forms, event_ids: [firing, recovered] },
  });
}

/**
 * In a thread of its own, for pages arrive in this one. Each sends the next request when it is answered, with
 * the body of one path after another.
 */
function repeatRequests({ port, key }: Bench, bodies: Readonly<Record<string, object>>) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return repeat(
    Object.entries(bodies).map(([path, body]) => ({
      url: `http://127.0.0.1:${port}/api/v1${path}`,
      body: JSON.stringify(body),
      headers,
    })),
  );
}

type Repeated = {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

async function repeat(requests: readonly Repeated[]): Promise<AsyncDisposable> {
  const sender = new Worker(
    `const { requests, parallelRequests } = require('node:worker_threads').workerData;
    const send = ({ url, body, headers }) =>
      fetch(url, { method: 'POST', headers, body })
        .then((answer) => answer.arrayBuffer())
        .catch(() => {});
    for (let nth = 0; nth < parallelRequests; nth += 1)
      (async () => { for (let n = nth; ; n += 1) await send(requests[n % requests.length]); })();`,
    { eval: true, workerData: { requests, parallelRequests } },
  );
  return until(async () => void (await sender.terminate()));
}

type HoldOptions = { readonly port: number; readonly count: number; readonly bytes: string };

/** Each comes again when it was sent away. */
function holdOpen({ port, count, bytes }: HoldOptions): AsyncDisposable {
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = () => {
    if (isOver) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress: stranger }, () => {
      socket.write(bytes);
    });
    sockets.add(socket.on('error', () => {}).resume());
    socket.once('close', () => {
      sockets.delete(socket);
      setTimeout(open, pauseMs);
    });
  };
  for (let nth = 0; nth < count; nth += 1) setTimeout(open, (nth * pauseMs) / count);
  return until(async () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  });
}

const until = (end: () => Promise<void>): AsyncDisposable => ({ [Symbol.asyncDispose]: end });
