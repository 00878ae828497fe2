// The database's clock is set while incidents wait: their waits go on as if it had not been.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases, type TestDatabase, type TestServer, testDatabase } from '../database.ts';
import { postJson } from './api-client.ts';
import { clockFacts, metric, recordingLog, settableMachine } from './clocks.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';

const settings = { PAGER_SECRET_KEY: 'k'.repeat(40) };
const minute = 60_000;

for (const server of await databases())
  describe(`when the database’s clock is set, on ${server.name}`, () => {
    test('back, a step is not delayed, and one of two servers moves what waits', () =>
      isNotDelayed(server));

    test('forward, no step comes early', () => comesNotEarly(server));

    test('forward, and the server may have been paused, what pages is not put off', () =>
      isNotPutOff(server));

    test('while no server ran, it is seen at the next start', () => isSeenAtStart(server));
  });

async function isNotDelayed(server: TestServer): Promise<void> {
  await using database = await testDatabase({ server, migrations: 'none' });
  const { log, lines } = recordingLog();
  const [first, second] = [settableMachine(), settableMachine()];
  const one = { machine: first.machine, host: 'one', boot: 'one', log };
  const two = { machine: second.machine, host: 'two', boot: 'two', log };
  await using left = await startInProcess(database, settings, one);
  await using right = await startInProcess(database, settings, two);
  const id = await openIncident(left);
  for (const machine of [first, second]) machine.setDatabase(-600);
  const text = 'The clock of the database was set back by 10 minutes. ';
  await eventually('the next step', async () => (await stepsOf(left, id)).length === 2);
  assert.deepEqual(await jumpsOf(database), ['-600 false']);
  const entries = await left.api.list(`incidents/${id}/timeline`);
  const jumps = entries.filter(({ type }: { type: string }) => type === 'clock_jumped');
  assert.equal(jumps.length, 1);
  assert.ok((await clockFacts(right)).some((fact) => fact.startsWith(text)));
  assert.equal(lines.filter((line) => line.startsWith(text)).length, 1);
  const name = 'pager_clock_jumps_total';
  assert.equal((await metric(left, name)) + (await metric(right, name)), 1);
}

async function comesNotEarly(server: TestServer): Promise<void> {
  await using database = await testDatabase({ server, migrations: 'none' });
  const { machine, setDatabase } = settableMachine();
  await using pager = await startInProcess(database, settings, { machine, boot: 'one' });
  const id = await openIncident(pager);
  const before = await waitsOf(database, id);
  setDatabase(7_200);
  await eventually('the waits are moved', async () => (await jumpsOf(database)).length === 1);
  assert.deepEqual(await jumpsOf(database), ['7200 false']);
  const after = await waitsOf(database, id);
  assertMoved(after.step - before.step, 120);
  assertMoved(after.resolve - before.resolve, 120);
  assert.equal((await stepsOf(pager, id)).length, 1);
  await postEvent(pager, 'Memory full');
  await eventually('an event pages as always', async () => (await pagesOf(database)) === 2);
}

async function isNotPutOff(server: TestServer): Promise<void> {
  await using database = await testDatabase({ server, migrations: 'none' });
  const { machine, setDatabase } = settableMachine();
  await using pager = await startInProcess(database, settings, { machine, boot: 'one' });
  const id = await openIncident(pager);
  const before = await waitsOf(database, id);
  setDatabase(60, false);
  await eventually('it is noticed', async () => (await jumpsOf(database)).length === 1);
  assert.deepEqual(await jumpsOf(database), ['60 true']);
  const after = await waitsOf(database, id);
  assert.equal(after.step, before.step);
  assertMoved(after.resolve - before.resolve, 1);
}

async function isSeenAtStart(server: TestServer): Promise<void> {
  await using database = await testDatabase({ server, migrations: 'none' });
  const { machine, setDatabase } = settableMachine();
  const start = () => startInProcess(database, settings, { machine, boot: 'one' });
  let id = '';
  {
    await using pager = await start();
    id = await openIncident(pager);
    await eventually('the clocks are noted', async () => {
      const noted = await database.sql`select from server_clocks`;
      return noted.length === 1;
    });
  }
  setDatabase(-90);
  {
    await using pager = await start();
    assert.deepEqual(await jumpsOf(database), ['-90 false']);
    assert.equal((await stepsOf(pager, id)).length, 1);
  }
  await using again = await start();
  assert.equal((await jumpsOf(database)).length, 1);
  assert.equal((await stepsOf(again, id)).length, 1);
}

/** It pages the owner, and again five minutes later; a day later it is resolved. Answers its id. */
async function openIncident(pager: InProcess): Promise<string> {
  const { api } = pager;
  const [policy] = await api.list('escalation-policies');
  const [{ targets }] = policy.steps;
  const steps = [{ targets, escalate_after_minutes: 5 }, { targets }];
  await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  const [integration] = await api.list('integrations');
  const auto_resolve = { after: 1, unit: 'days' };
  const { status } = await api.send(`PATCH /integrations/${integration.id}`, { auto_resolve });
  assert.equal(status, 200);
  await postEvent(pager, 'Disk full');
  const [incident] = await api.list('incidents');
  await eventually('its page', async () => {
    const [row] = await pager.sql`
      select escalation->>'takenBy' as awaited from incidents where id = ${incident.id}`;
    return row?.['awaited'] === null;
  });
  return incident.id;
}

async function postEvent(pager: InProcess, title: string): Promise<void> {
  const [integration] = await pager.api.list('integrations');
  const { pathname } = new URL(integration.webhook_url);
  const { status } = await postJson(`${pager.url}${pathname}`, { title });
  assert.equal(status, 202);
}

async function stepsOf({ api }: InProcess, id: string): Promise<object[]> {
  const entries = await api.list(`incidents/${id}/timeline`);
  return entries.filter(({ type }: { type: string }) => type === 'step_ran');
}

async function pagesOf({ sql }: TestDatabase): Promise<number> {
  const pages = await sql`
    select from outbox o join organizations g on g.id = o.organization_id
    where g.name <> 'Canary' and o.kind = 'page' and o.channel = 'email' and o.state = 'sent'`;
  return pages.length;
}

/** Without the number of incidents: the canary has one of its own now and then. */
async function jumpsOf({ sql }: TestDatabase): Promise<string[]> {
  const rows = await sql<{ ms: number; may_be_time: boolean }[]>`
    select ms, may_be_time from clock_jumps order by at`;
  return rows.map(({ ms, may_be_time }) => `${Math.round(ms / 1_000)} ${may_be_time}`);
}

async function waitsOf({ sql }: TestDatabase, id: string) {
  const [row] = await sql<{ step: string; resolve: string }[]>`
    select escalation->>'stepAt' as step, escalation->>'resolveAt' as resolve
    from incidents where id = ${id}`;
  return { step: Date.parse(row?.step ?? ''), resolve: Date.parse(row?.resolve ?? '') };
}

/** By as much as the clock jumped, as far as answers of the database tell. */
const assertMoved = (ms: number, minutes: number) =>
  assert.ok(Math.abs(ms - minutes * minute) < 5_000, `${ms} ms`);
