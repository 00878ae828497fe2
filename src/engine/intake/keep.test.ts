import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration } from '../../../test/configuration.ts';
import { reading } from '../../../test/event-reader.ts';
import { webhookType } from '../../../test/http-event.ts';
import { buildIntegration, noon } from '../../../test/incident-life.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { FragileLedger } from '../../../test/simulation/fragile-ledger.ts';
import { eventsLimits } from '../../limits/events.ts';
import { createIds } from '../ids.ts';
import { silentLog } from '../log.ts';
import { dayOf } from '../ports/stored-bytes.ts';
import { decideBacklog } from './backlog.ts';
import { Intake, type IntakeOptions } from './intake.ts';

const flood = buildIntegration();
const quiet = buildIntegration({ integration_id: 'e'.repeat(24) });
const disabled = buildIntegration({ integration_id: 'd'.repeat(24), enabled: false });
const BUDGET = 60_000;

function buildIntake(changes: Pick<IntakeOptions, 'decideUpTo' | 'storage'> = {}) {
  const integrations = [flood, quiet, disabled];
  const ledger = new FragileLedger(buildConfiguration({ integrations }));
  let now = noon;
  const clock = { now: () => now };
  let cut = 0;
  const options = {
    ledger,
    clock,
    ids: createIds(clock),
    log: silentLog,
    typeOf: () => webhookType,
    reader: reading.reader,
    apart: reading.apart,
    faults,
    lanes: 1,
    committed: () => {},
    ruled: () => {},
    storage: { bytes: BUDGET },
    cut: (events: number) => {
      cut += events;
    },
    ...changes,
  };
  const intake = new Intake(options);
  return {
    ledger,
    options,
    send: (integration: typeof flood, body: string, contentType = 'application/json') =>
      intake.receive({
        organizationId: integration.organization_id,
        integrationId: integration.integration_id,
        slug: 'webhook',
        integrationName: 'Checks',
        source: 'http',
        path: '/push-events',
        contentType,
        body: new TextEncoder().encode(body),
      }),
    nextDay: () => {
      now = now.add({ hours: 24 });
    },
    cut: () => cut,
    bodies: () => [...ledger.events.values()].map(({ event }) => event.body.byteLength),
    stored: ({ integration_id }: typeof flood) => ledger.stored.get(integration_id)?.bytes ?? 0,
    notices: () =>
      [...ledger.outbox.values()].flatMap(({ intent }) =>
        'undecided' in intent && intent.undecided.of === 'storage' ? [intent.undecided] : [],
      ),
  };
}

/** With the rows of an event and an incident. */
const LEAST = eventsLimits.bodyStored + eventsLimits.detailsStored + 10 * 1_024;

/** What names the problem stands at the end, where a cut would take it away. */
const large = (title: string, length = 9_000) =>
  JSON.stringify({ body: { text: 'x'.repeat(length) }, title });

test('beyond its budget an event is decided from the whole, and then cut', async () => {
  const { send, ledger, bodies, stored, cut } = buildIntake();
  for (const title of ['one', 'two', 'three', 'four']) {
    const answer = await send(flood, large(title));
    assert.ok('alerts' in answer);
    assert.deepEqual(
      answer.alerts.map(({ dedup_key, outcome }) => [dedup_key, outcome]),
      [[title, 'opened']],
    );
  }
  const [whole = 0, ...short] = bodies();
  assert.ok(whole > 9_000);
  assert.deepEqual(short, Array(3).fill(eventsLimits.bodyStored));
  assert.equal(cut(), 3);
  const details = [...ledger.incidents.values()].map((one) => JSON.stringify(one.details).length);
  assert.ok((details[0] ?? 0) > 9_000);
  for (const length of details.slice(1)) assert.ok(length <= eventsLimits.detailsStored);
  assert.ok(stored(flood) <= BUDGET / 2 + 3 * LEAST);
  const cutFrom = [...ledger.events.values()].map(({ event }) => event.cut_from ?? null);
  assert.deepEqual(cutFrom, [null, ...['two', 'three', 'four'].map((one) => large(one).length)]);
});

test('who floods takes nothing from the others: their events are stored whole', async () => {
  const { send, bodies } = buildIntake();
  for (let n = 0; n < 20; n += 1)
    await send(flood, `{"title":"flood ${n}","text":"${'['.repeat(4_000)}`);
  await send(quiet, large('quiet', 1_500));
  assert.ok((bodies().at(-1) ?? 0) > 1_500);
});

test('of events of no incident that do not fit only the first of each kind has a row', async () => {
  const { send, ledger, bodies, cut, nextDay } = buildIntake({ storage: { bytes: 0 } });
  const sendAll = async () => {
    const answers = [];
    for (let n = 0; n < 3; n += 1) {
      answers.push(await send(disabled, large(`nobody hears it ${n}`)));
      answers.push(await send(flood, `{"title":${'['.repeat(9_000)}${n}`));
      answers.push(await send(flood, large('over', 9_000).replace('{', '{"status":"resolve",')));
    }
    return answers;
  };
  const answers = await sendAll();
  const rows = [...ledger.events.values()];
  assert.deepEqual(
    rows.map(({ decision, times }) => [decision?.outcome, times]),
    [
      ['dropped', 3],
      ['unreadable', 3],
      ['ignored', 3],
    ],
  );
  for (const length of bodies()) assert.equal(length, eventsLimits.bodyStored);
  assert.equal(cut(), 9);
  const ids = answers.map((one) => ('eventId' in one ? one.eventId : ''));
  assert.deepEqual(new Set(ids), new Set(rows.map(({ event }) => event.id)));
  nextDay();
  await sendAll();
  assert.equal(ledger.events.size, 6);
});

test('a text is cut between its characters', async () => {
  const { send, ledger, bodies } = buildIntake({ storage: { bytes: 0 } });
  await send(flood, `Disk full\n${'é'.repeat(5_000)}`, 'text/plain');
  assert.deepEqual(
    [...ledger.incidents.values()].map(({ title }) => title),
    ['Disk full'],
  );
  assert.ok(bodies().every((length) => length <= eventsLimits.bodyStored));
});

test('admins hear once a day that events are cut', async () => {
  const { send, notices, nextDay, options } = buildIntake();
  for (const title of ['a', 'b', 'c', 'd']) await send(flood, large(title));
  assert.equal(notices().length, 1);
  assert.match(notices()[0]?.reason ?? '', RegExp(dayOf(options.clock.now())));
  nextDay();
  await send(flood, large('e'));
  assert.equal(notices().length, 1, 'the next day has a budget of its own');
  for (const title of ['f', 'g']) await send(flood, large(title));
  assert.equal(notices().length, 2);
});

test('an event that waits to be decided keeps its whole body until then', async () => {
  const { send, ledger, options, bodies, stored } = buildIntake({ decideUpTo: 1 });
  await Promise.all([send(flood, large('one')), send(flood, large('two', 8_000))]);
  assert.ok(bodies().every((length) => length > 8_000));
  const counted = stored(flood);
  assert.ok(counted > 17_000, `${counted}`);
  await decideBacklog(options);
  assert.deepEqual([...ledger.incidents.values()].map(({ title }) => title).sort(), ['one', 'two']);
  // Each was stored whole within the budget; with details they do not fit both.
  assert.ok(stored(flood) <= BUDGET / 2 + 2 * LEAST);
  assert.ok(bodies().some((length) => length === eventsLimits.bodyStored));
});

test('in a hurry, what the budget has no room for is decided at once instead of stored whole', async () => {
  const { send, bodies, options } = buildIntake({ decideUpTo: 1, storage: { bytes: 3_000 } });
  const answers = await Promise.all([send(flood, large('one')), send(flood, large('two'))]);
  const outcomes = answers.map((one) => 'alerts' in one && one.alerts[0]?.outcome);
  assert.deepEqual(outcomes, ['opened', 'opened']);
  assert.ok(bodies().every((length) => length <= eventsLimits.bodyStored));
  assert.equal(await decideBacklog(options), 0);
});

test('who floods beyond the budget does not keep others waiting until that is decided', async () => {
  const { send, ledger, options } = buildIntake({ decideUpTo: 1, storage: { bytes: 15_000 } });
  const answered: string[] = [];
  const sent = async (integration: typeof flood, title: string, body: string) => {
    const answer = await send(integration, body);
    answered.push(title);
    return 'alerts' in answer && answer.alerts[0]?.outcome;
  };
  const outcomes = await Promise.all([
    sent(flood, 'one', large('one')),
    sent(flood, 'two', large('two')),
    sent(quiet, 'alone', JSON.stringify({ title: 'alone' })),
  ]);
  assert.deepEqual(answered, ['alone', 'one', 'two']);
  assert.deepEqual(outcomes, ['opened', 'opened', 'accepted']);
  assert.equal(await decideBacklog(options), 1);
  assert.equal(ledger.events.size, 3);
});

test('beyond the budget only so much waits undecided; then senders try again', async () => {
  const { send, ledger } = buildIntake({ storage: { bytes: 0 } });
  await ledger.transact((tx) =>
    tx.insertEvents([
      {
        event: {
          id: 'a'.repeat(24),
          organization_id: 'org',
          integration_id: 'integration',
          received_at: noon,
          source: 'http',
          path: '/push-events',
          method: 'POST',
          query: '',
          headers: {},
          content_type: 'text/plain',
          mail: null,
          mapping_revision: null,
          body: new Uint8Array(eventsLimits.undecidedBytes - 12_000).fill(0x61),
        },
        decision: null,
      },
    ]),
  );
  const waits = await send(flood, large('one'));
  assert.ok('alerts' in waits && waits.alerts[0]?.outcome === 'accepted');
  assert.equal((await send(flood, large('two'))).type, 'full');
  const other = await send(quiet, large('three'));
  assert.ok('alerts' in other && other.alerts[0]?.outcome === 'opened');
  assert.equal(ledger.events.size, 3);
});

test('without a budget nothing is cut', async () => {
  const { send, bodies, cut, stored } = buildIntake({ storage: { bytes: null } });
  for (let n = 0; n < 10; n += 1) await send(flood, large(`${n}`));
  assert.ok(bodies().every((length) => length > 9_000));
  assert.equal(cut(), 0);
  assert.ok(stored(flood) > 180_000, 'it is counted all the same');
});
