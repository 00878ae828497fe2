// Servers on one database whose machines' clocks differ from it: what is due, what is claimed and who
// is on call goes by the database's clock, and somebody is notified of the difference.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases, type TestServer, testDatabase } from '../database.ts';
import { postJson, request } from './api-client.ts';
import { clockFacts, machineAhead as machine, metric, recordingLog } from './clocks.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

/** Long enough for another server to claim what is being sent, if it takes the lease to be over. */
const ANSWER_MILLISECONDS = 3_000;

async function postEvent(api: InProcess['api'], to: InProcess, title: string): Promise<void> {
  const [integration] = await api.list('integrations');
  const { pathname } = new URL(integration.webhook_url);
  const { status } = await postJson(`${to.url}${pathname}`, { title });
  assert.equal(status, 202);
}

const settings = { PAGER_SECRET_KEY: 'k'.repeat(40) };

for (const server of await databases())
  describe(`servers whose clocks differ, on ${server.name}`, () => {
    for (const seconds of [90, -90, 7_200, -7_200])
      test(`page once and in time, one being ${seconds} s ahead`, () => pagesOnce(server, seconds));

    test('name the database if none of them agrees with it', () => namesDatabase(server));
  });

async function pagesOnce(server: TestServer, seconds: number): Promise<void> {
  await using mail = await startMailServer(0, ANSWER_MILLISECONDS);
  await using database = await testDatabase({ server, migrations: 'none' });
  const both = { ...settings, ...mailTo(mail) };
  const { log, lines } = recordingLog();
  await using right = await startInProcess(database, both, {
    machine: machine(0),
    host: 'right',
    boot: 'right',
  });
  const off = { machine: machine(seconds), host: 'off', boot: 'off', log };
  await using wrong = await startInProcess(database, both, off);
  const { api } = right;
  const [policy] = await api.list('escalation-policies');
  const [{ targets }] = policy.steps;
  const steps = [{ targets, escalate_after_minutes: 1 }, { targets }];
  await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });

  await postEvent(api, right, 'Disk full');
  await postEvent(api, wrong, 'Memory full');
  const ended = () => database.sql`
    select o.key from outbox o join incidents i on i.id = o.incident_id
    where i.dedup_key <> 'canary' and o.kind = 'page' and o.state = 'sent' and o.channel = 'email'`;
  await eventually('both pages were taken', async () => (await ended()).length === 2);
  assert.equal(mail.mails.length, 2, 'each page was sent once');
  const incidents = await api.list('incidents');
  for (const { id, created_at } of incidents) {
    const entries = (await api.list(`incidents/${id}/timeline`)) as { type: string }[];
    const ran = entries.filter(({ type }) => type === 'step_ran');
    assert.equal(ran.length, 1, 'the second step is not due');
    const age = Date.now() - Temporal.Instant.from(created_at).epochMilliseconds;
    assert.ok(age >= 0 && age < 60_000, `it was opened at ${created_at}`);
  }

  const side = seconds > 0 ? 'ahead' : 'behind';
  const warning = new RegExp(`^The clock of the server off is .* ${side}`);
  const isShown = async () => {
    const facts = await clockFacts(wrong);
    return facts.length === 1 && warning.test(facts[0] ?? '');
  };
  await eventually('it is shown', isShown);
  await eventually('it is logged', () => lines.some((line) => warning.test(line)));
  const [ahead, none] = await Promise.all([
    metric(wrong, 'pager_clock_ahead_seconds'),
    metric(right, 'pager_clock_ahead_seconds'),
  ]);
  assert.ok(Math.abs(ahead - seconds) < 5, `${ahead}`);
  assert.ok(Math.abs(none) < 5, `${none}`);
  assert.equal((await request(`${wrong.url}/readyz`)).status, 200);
}

async function namesDatabase(server: TestServer): Promise<void> {
  await using database = await testDatabase({ server, migrations: 'none' });
  const { log, lines } = recordingLog();
  const off = (host: string) => ({ machine: machine(600), host, boot: host, log });
  await using one = await startInProcess(database, settings, off('one'));
  await using two = await startInProcess(database, settings, off('two'));
  const facts = await eventually('the two are known', async () => {
    const all = await clockFacts(two);
    return all[0]?.includes('two') && all;
  });
  assert.equal(facts.length, 1);
  assert.match(
    facts[0] ?? '',
    /^The clock of the database differs from that of every server: .*(9 minutes 5\d seconds|10 minutes( \d seconds?)?) behind that of one/,
  );
  assert.ok(lines.some((line) => line.startsWith('The clock of the database differs')));
  assert.equal((await request(`${one.url}/readyz`)).status, 200);
}
