import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration } from '../../../test/configuration.ts';
import { inThisThread } from '../../../test/event-reader.ts';
import { buildIntegration, noon } from '../../../test/incident-life.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { FragileLedger } from '../../../test/simulation/fragile-ledger.ts';
import { createEventReader } from '../../api/events/event-reader.ts';
import { typeOf } from '../../api/events/stored-events.ts';
import { eventsLimits } from '../../limits/events.ts';
import type { Clock } from '../clock.ts';
import { createIds } from '../ids.ts';
import { silentLog } from '../log.ts';
import type { Arrival } from './arrival.ts';
import { decideBacklog } from './backlog.ts';
import { Intake, type IntakeOptions } from './intake.ts';
import { StoredReadings } from './stored-readings.ts';

type Pool = Parameters<typeof createEventReader>[0]['pool'];

const clock: Clock = { now: () => noon };
const integration = buildIntegration();
const neighbour = buildIntegration({ integration_id: 'e'.repeat(24) });

/** Threads that begin when they are told to. */
function held(pool: Pool = inThisThread) {
  const gate = Promise.withResolvers<void>();
  const names: string[] = [];
  const run = async (...call: Parameters<Pool['run']>) => {
    names.push(call[1]);
    await gate.promise;
    return pool.run(...call);
  };
  return { pool: { run } as Pool, names, begin: gate.resolve };
}

function buildIntake(pool: Pool, changes: Pick<IntakeOptions, 'decideUpTo' | 'lanes'> = {}) {
  const integrations = [integration, neighbour];
  const ledger = new FragileLedger(buildConfiguration({ integrations }));
  const reader = createEventReader({ pool, log: silentLog });
  const ready = Promise.withResolvers<void>();
  const options = {
    ledger,
    clock,
    ids: createIds(clock),
    log: silentLog,
    typeOf,
    reader,
    faults,
    committed: () => {},
    ruled: () => {},
    apart: new StoredReadings({ reader, ready: ready.resolve }),
    ...changes,
  };
  const outcomes = () => [...ledger.events.values()].map(({ decision }) => decision?.outcome);
  return { intake: new Intake(options), ledger, options, outcomes, ready: ready.promise };
}

const arrival = (
  body: string,
  { integration_id }: { integration_id: string } = integration,
): Arrival => ({
  organizationId: integration.organization_id,
  integrationId: integration_id,
  slug: 'webhook',
  integrationName: 'Checks',
  source: 'http',
  path: '/push-events',
  contentType: 'application/json',
  body: new TextEncoder().encode(body),
});

/** Too much for the engine's thread by its length alone. */
const large = (title: string) =>
  JSON.stringify({ title, body: { lines: Array(eventsLimits.readingAtOnce).fill(1) } });

const outcomeOf = (answer: object) =>
  'alerts' in answer ? (answer.alerts as { outcome: string }[])[0]?.outcome : answer;

test('what is read in a thread keeps its place among the events of its integration', async () => {
  const threads = held();
  const { intake } = buildIntake(threads.pool);
  const answers = [
    intake.receive(arrival(large('Disk full'))),
    intake.receive(arrival('{"title":"Disk full","status":"resolve"}')),
    intake.receive(arrival(large('Disk full'))),
    intake.receive(arrival('{"title":"Disk full"}')),
  ];
  const others = await intake.receive(arrival('{"title":"Disk full"}', neighbour));
  assert.equal(outcomeOf(others), 'opened', 'others do not wait');
  assert.deepEqual(threads.names, ['readArriving', 'readArriving']);
  const drained = intake.drained();
  threads.begin();
  const outcomes = (await Promise.all(answers)).map(outcomeOf);
  assert.deepEqual(outcomes, ['opened', 'resolved', 'opened', 'suppressed']);
  await drained;
});

test('a stored event is read in a thread while others are decided, and those behind it wait', async () => {
  const threads = held();
  const { intake, options, outcomes } = buildIntake(threads.pool, { decideUpTo: 0, lanes: 1 });
  const first = intake.receive(arrival(large('Disk full')));
  threads.begin();
  await first;
  await intake.receive(arrival('{"title":"Disk full","status":"resolve"}'));
  await intake.receive(arrival('{"title":"Memory low"}', neighbour));
  const reading = held();
  const reader = createEventReader({ pool: reading.pool, log: silentLog });
  const deciding = {
    ...options,
    reader,
    apart: new StoredReadings({ reader, ready: () => readings.resolve() }),
  };
  const readings = Promise.withResolvers<void>();
  for (const [decided, after] of [
    [1, [undefined, undefined, 'opened']],
    [0, [undefined, undefined, 'opened']],
  ] as const) {
    assert.equal(await decideBacklog(deciding), decided);
    assert.deepEqual(outcomes(), after);
  }
  assert.deepEqual(reading.names, ['readStored'], 'it is read once');
  reading.begin();
  await readings.promise;
  assert.equal(await decideBacklog(deciding), 2);
  assert.deepEqual(outcomes(), ['opened', 'resolved', 'opened']);
});

test('an event that no thread can read opens as one alert with its text, without its secrets', async () => {
  const refusing = { run: async () => ({ refused: 'too_slow' }) } as unknown as Pool;
  const { intake, ledger } = buildIntake(refusing);
  const slug = 'honeybadger';
  ledger.declare(buildConfiguration({ integrations: [{ ...integration, slug }] }));
  const fault = { klass: 'Slow', token: 'x' };
  const body = large('Disk full').replace(
    '{',
    `{"project":{"token":"tok/en-7"},"fault":${JSON.stringify(fault)},`,
  );
  const answer = await intake.receive({
    ...arrival(body),
    slug,
    sent: { method: 'POST', query: '', headers: {} },
  });
  assert.ok('alerts' in answer);
  assert.equal(answer.alerts[0]?.outcome, 'opened');
  assert.match(
    answer.note ?? '',
    /^the event is one alert with its text: it takes too long to read$/,
  );
  const [{ title = '' } = {}] = ledger.incidents.values();
  assert.equal(title, 'Checks');
  const [event] = ledger.events.values();
  const stored = new TextDecoder().decode(event?.event.body);
  assert.ok(!stored.includes('tok/en-7'));
  assert.equal(stored.length, body.length);
});

test('events that a changed mapping takes much work on are stored, and read anew in a thread', async () => {
  const threads = held();
  const { intake, ledger, outcomes, options, ready } = buildIntake(threads.pool);
  const forms = [{ title: ['text > take /(a?){90}a{90}b/', 'title'], key: [['id']] }];
  const mapping = { revision: 1, forms };
  ledger.declare(buildConfiguration({ integrations: [{ ...integration, mapping }, neighbour] }));
  const text = 'a'.repeat(5_000);
  const answer = await intake.receive(arrival(JSON.stringify({ title: 'Disk full', id: 7, text })));
  assert.equal(outcomeOf(answer), 'accepted');
  assert.deepEqual(outcomes(), [undefined]);
  assert.equal(await decideBacklog(options), 0);
  threads.begin();
  await ready;
  assert.equal(await decideBacklog(options), 1);
  const [incident] = ledger.incidents.values();
  assert.equal(incident?.dedup_key, '7');
});
