// A pair of Alertmanagers and a mail relay, while Pager is stopped and one of them is late: what is
// open afterwards is what is broken. `npm run tools` has further tools.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { readLine } from '../../src/alerts/marks.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { anyDatabase } from '../database.ts';
import { mailPairs } from '../mail-pairs.ts';
import { skipped } from '../skipped.ts';
import { begin, end, startPair } from '../tools/alertmanager-pair.ts';
import { type Integration, isOpen, type Pager, startPager } from '../tools/pager.ts';
import { holds, isRelayMissing, type Relay, startRelay } from '../tools/postfix.ts';
import { isInstalled } from './alertmanager-process.ts';
import { eventually } from './eventually.ts';

const server = await anyDatabase();

const minutesAgo = (minutes: number) => systemClock.now().subtract({ minutes });

test('what a pair of Alertmanagers says is open, though Pager stops and one of them is late', async (t) => {
  if (!(await isInstalled()))
    return t.skip(skipped('Alertmanager', 'apt-get install prometheus-alertmanager'));
  await using pager = await startPager(server);
  const integration = await pager.integration('prometheus');
  {
    await using pair = await startPair(integration.webhookUrl);
    const agrees = (...names: readonly string[]) => pager.agrees(integration, pair, ...names);
    const [first, second] = pair.peers;

    await pair.begins(minutesAgo(30), 'DiskFull', 'RaidDegraded', 'LinkDown');
    await agrees('DiskFull', 'RaidDegraded', 'LinkDown');

    await pager.stop();
    await pair.ends(systemClock.now(), 'DiskFull');
    await pair.begins(systemClock.now(), 'QueueFull');
    await pager.start();
    await agrees('RaidDegraded', 'LinkDown', 'QueueFull');

    // The second hears of a problem only once it is over, and of that still later.
    second.freeze();
    const beganAt = systemClock.now();
    await begin(first, 'BackupFailed', beganAt);
    const late = begin(second, 'BackupFailed', beganAt);
    await pager.paged('BackupFailed');
    const endedAt = systemClock.now();
    await end(first, 'BackupFailed', endedAt);
    await isOver(pager, integration, 'BackupFailed');
    second.thaw();
    await late;
    await shows(pager, integration, 'BackupFailed', ({ type }) => type === 'paging_put_off');
    await end(second, 'BackupFailed', endedAt);
    await agrees('RaidDegraded', 'LinkDown', 'QueueFull');

    // The second hears of an end only once the problem has begun anew.
    second.freeze();
    await end(first, 'LinkDown', minutesAgo(10));
    await isOver(pager, integration, 'LinkDown');
    const beganAnewAt = minutesAgo(5);
    await begin(first, 'LinkDown', beganAnewAt);
    await pager.paged('LinkDown', 2);
    const lateEnd = end(second, 'LinkDown', minutesAgo(10));
    second.thaw();
    await lateEnd;
    await shows(pager, integration, 'LinkDown', ({ type }) => type === 'late_end');
    await begin(second, 'LinkDown', beganAnewAt);
    await agrees('RaidDegraded', 'LinkDown', 'QueueFull');

    await pager.stop();
    await pair.ends(systemClock.now(), 'RaidDegraded', 'LinkDown', 'QueueFull');
    await pager.start();
    await agrees();
  }
  // Both have sent what they had to send.
  assert.deepEqual((await pager.incidents(integration)).filter(isOpen), []);
  for (const name of ['DiskFull', 'RaidDegraded', 'QueueFull', 'BackupFailed'])
    assert.equal(pager.pagesAbout(name), 1, name);
  assert.equal(pager.pagesAbout('LinkDown'), 2);
});

const about = async (pager: Pager, integration: Integration, name: string) =>
  (await pager.incidents(integration)).filter(({ title }) => title.includes(name));

async function isOver(pager: Pager, integration: Integration, name: string): Promise<void> {
  await eventually(`the incident about ${name} is over`, async () => {
    const incidents = await about(pager, integration, name);
    return incidents.length > 0 && !incidents.some(isOpen);
  });
}

type Entry = { readonly type: string; readonly text: string };

/** The timeline of the latest incident about it has such an entry. */
async function shows(
  pager: Pager,
  integration: Integration,
  name: string,
  wanted: (entry: Entry) => boolean,
): Promise<void> {
  let entries: readonly Entry[] = [];
  await eventually(
    () => `an entry about ${name}; there are ${entries.map(({ text }) => text).join('; ')}`,
    async () => {
      const latest = (await about(pager, integration, name)).at(-1);
      entries = latest ? await pager.api().list(`incidents/${latest.id}/timeline`) : [];
      return entries.some(wanted);
    },
  );
}

/** A recovery that says so by a weaker sign opens an incident where it finds none (decision 0076). */
const marked = mailPairs.filter(({ ends }) => readLine(ends).sign?.isWeaker === false);
const lasting = '** PROBLEM Host Alert: db-3 is DOWN **';

test('mails that a relay delivers in the wrong order page nobody for what is over', async (t) => {
  if (await isRelayMissing(t)) return;
  await using pager = await startPager(server);
  const integration = await pager.integration('email');
  // It tries again when it is told to.
  await using relay = await startRelay(pager.mailPort, 3_600);

  await pager.stop();
  const problems = [...marked.map(({ begins }) => begins), lasting];
  const recoveries = marked.map(({ ends }) => ends);
  await mail(relay, integration, problems, minutesAgo(3));
  await eventually('all problems are refused', async () => {
    const waiting = await relay.waiting();
    return waiting.filter((one) => one.includes('refused')).length === problems.length;
  });
  await pager.start();
  await mail(relay, integration, recoveries, systemClock.now());
  await eventually('Pager has the recoveries', async () => {
    return (await eventsOf(pager, integration)).length === recoveries.length;
  });
  await holds(relay, problems.length);
  assert.deepEqual(await pager.incidents(integration), []);
  await relay.flush();
  await pager.paged('db-3 is DOWN');
  await holds(relay, 0);
  const events = await eventsOf(pager, integration);
  const late = events.filter(({ reason }) => /before the end/.test(reason ?? ''));
  assert.equal(late.length, marked.length);
  const incidents = await pager.incidents(integration);
  assert.deepEqual(
    incidents.map(({ title, status }) => [title, status]),
    [[lasting, 'triggered']],
  );
});

async function mail(
  { port }: Relay,
  { emailAddress }: Integration,
  subjects: readonly string[],
  date: Temporal.Instant,
): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, pool: true });
  const written = { from: 'monitor@example.test', date: new Date(date.epochMilliseconds) };
  for (const subject of subjects)
    await transport.sendMail({ ...written, to: emailAddress, subject, text: 'See the console.' });
  transport.close();
}

async function eventsOf(pager: Pager, { id }: Integration) {
  const events: { reason: string | null }[] = await pager.api().list(`integrations/${id}/events`);
  return events;
}
