import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { buildConfiguration } from '../../../test/configuration.ts';
import { reading } from '../../../test/event-reader.ts';
import { webhookType } from '../../../test/http-event.ts';
import { buildIntegration, noon } from '../../../test/incident-life.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { FragileLedger } from '../../../test/simulation/fragile-ledger.ts';
import type { Rule } from '../../rules/match-rule.ts';
import type { Clock } from '../clock.ts';
import { createIds } from '../ids.ts';
import { silentLog } from '../log.ts';
import type { Arrival } from './arrival.ts';
import { decideBacklog } from './backlog.ts';
import { Intake, type IntakeOptions } from './intake.ts';

const clock: Clock = { now: () => noon };
const integration = buildIntegration();

function buildIntake(changes: Partial<IntakeOptions> = {}, rules: readonly Rule[] = []) {
  const ledger = new FragileLedger(buildConfiguration({ integrations: [integration], rules }));
  const options: IntakeOptions = {
    ledger,
    clock,
    ids: createIds(clock),
    log: silentLog,
    typeOf: () => webhookType,
    reader: reading.reader,
    committed: () => {},
    faults,
    ruled: () => {},
    ...changes,
  };
  return { intake: new Intake(options), ledger, options: { ...options, ...reading, ledger } };
}

const arrival = (body: string): Arrival => ({
  organizationId: integration.organization_id,
  integrationId: integration.integration_id,
  slug: 'webhook',
  integrationName: 'Checks',
  source: 'http',
  path: '/push-events',
  contentType: 'application/json',
  body: new TextEncoder().encode(body),
});
const disk = arrival('{"title":"disk"}');

test('an answer says what became of each alert and of which incident', async () => {
  const { intake } = buildIntake();
  const answers = [await intake.receive(disk), await intake.receive(disk)];
  assert.deepEqual(
    answers.map((one) => 'alerts' in one && one.alerts),
    [
      [{ dedup_key: 'disk', outcome: 'opened', incident: 1 }],
      [{ dedup_key: 'disk', outcome: 'suppressed', incident: 1 }],
    ],
  );
});

test('an unreadable request is kept and refused', async () => {
  const { intake, ledger } = buildIntake();
  const answer = await intake.receive(arrival('{"title":'));
  assert.equal(answer.type, 'unreadable');
  assert.deepEqual(
    [...ledger.events.values()].map((row) => row.decision?.outcome),
    ['unreadable'],
  );
});

test('what came together is one commit, in the order it came', async () => {
  let commits = 0;
  const { intake, ledger } = buildIntake({ lanes: 1, committed: () => (commits += 1) });
  const bodies = ['{"title":"disk"}', '{"title":"disk","status":"resolve"}', '{"title":"disk"}'];
  await Promise.all(bodies.map((body) => intake.receive(arrival(body))));
  assert.equal(commits, 1);
  const outcomes = [...ledger.events.values()].map((row) => row.decision?.outcome);
  assert.deepEqual(outcomes, ['opened', 'resolved', 'opened']);
});

test('in a hurry events are stored first and decided after, and later ones wait for them', async () => {
  const { intake, ledger, options } = buildIntake({ decideUpTo: 1, lanes: 1 });
  const hurried = await Promise.all([intake.receive(disk), intake.receive(disk)]);
  const after = await intake.receive(arrival('{"title":"disk","status":"resolve"}'));
  const outcomes = [...hurried, after].map((one) => 'alerts' in one && one.alerts[0]?.outcome);
  assert.deepEqual(outcomes, ['accepted', 'accepted', 'accepted']);
  assert.equal(await decideBacklog(options), 3);
  const decided = [...ledger.events.values()].map((row) => row.decision?.outcome);
  assert.deepEqual(decided, ['opened', 'suppressed', 'resolved']);
  assert.equal(await decideBacklog(options), 0);
});

test('an event that is alone is decided before its answer, with more alerts than wait else', async () => {
  const { intake } = buildIntake({ lanes: 1 });
  const alerts = Array.from({ length: 1_200 }, (_, index) => ({ title: `pod ${index} is down` }));
  const answer = await intake.receive(arrival(JSON.stringify(alerts)));
  assert.ok('alerts' in answer);
  assert.deepEqual(new Set(answer.alerts.map(({ outcome }) => outcome)), new Set(['opened']));
});

test('an event that another server decided is not given up', async () => {
  const { intake, ledger, options } = buildIntake({ decideUpTo: 1, lanes: 1 });
  await Promise.all([intake.receive(disk), intake.receive(disk)]);
  let failures = 0;
  const failing: typeof options.ledger = Object.assign(Object.create(ledger), {
    async transact(work: Parameters<typeof ledger.transact>[0]) {
      // What fails alone twice is given up; the other server is quicker.
      if (failures === 3) await decideBacklog(options);
      return ledger.transact((tx) =>
        work({
          ...tx,
          async save() {
            failures += 1;
            throw new Error('no room for it here');
          },
        }),
      );
    },
  });
  assert.equal(await decideBacklog({ ...options, ledger: failing }), 0);
  const decided = [...ledger.events.values()].map((row) => row.decision?.outcome);
  assert.deepEqual(decided, ['opened', 'suppressed']);
});

test('what becomes of alerts that rules match is told, whenever they are decided', async () => {
  const rule = (text: string, action: Rule['actions'][number]) => {
    const condition = { type: 'incidentMessage', comparator: 'equals', text } as const;
    const condition_groups = [{ conditions: [condition] }];
    return { id: text, name: text, condition_groups, actions: [action] };
  };
  const rules = [
    rule('noise', { type: 'ignoreIncident' }),
    rule('disk', { type: 'priority', priority: 'p1' }),
  ];
  const outcomes: string[] = [];
  const ruled = (outcome: string) => outcomes.push(outcome);
  const { intake, options } = buildIntake({ ruled, decideUpTo: 1, lanes: 1 }, rules);
  const noise = arrival('{"title":"noise"}');
  for (const one of [noise, disk, arrival('{"title":"cpu"}')]) await intake.receive(one);
  assert.deepEqual(outcomes, ['ignored', 'opened']);
  await Promise.all([intake.receive(noise), intake.receive(noise)]);
  assert.equal(outcomes.length, 2);
  await decideBacklog(options);
  assert.deepEqual(outcomes.slice(2), ['ignored', 'ignored']);
});

test('rules that take too much work on an alert hold up nothing: it opens, and says so', async () => {
  const failed: string[] = [];
  const conditions = Array.from({ length: 20 }, () => ({
    type: 'incidentDetails',
    comparator: 'matches',
    key: 'text',
    text: '(a?){90}a{90}[b-z]',
  })) as Rule['condition_groups'][number]['conditions'];
  const rules = conditions.map(
    (condition, n): Rule => ({
      id: `${n}`,
      name: `Rule ${n}`,
      actions: [{ type: 'priority', priority: 'p1' }],
      condition_groups: [{ conditions: [condition] }],
    }),
  );
  const { intake, ledger } = buildIntake({ faults: ({ of }) => void failed.push(of) }, rules);
  const body = { text: 'a'.repeat(5_000) };
  const answer = await intake.receive(arrival(JSON.stringify({ title: 'disk', body })));
  assert.equal('alerts' in answer && answer.alerts[0]?.outcome, 'opened');
  assert.deepEqual(failed, ['alert']);
  const entries = JSON.stringify([...ledger.timeline.values()]);
  assert.match(entries, /it takes too much work for this event/);
});

test('a full queue says so, and storage that fails rejects and keeps nothing', async () => {
  const { intake } = buildIntake({ eventsMax: 1 });
  const [first, second] = await Promise.all([intake.receive(disk), intake.receive(disk)]);
  assert.deepEqual([first?.type, second?.type], ['accepted', 'full']);
  const down = new FragileLedger(buildConfiguration());
  const ledger = down.seenBy(() => 'lost_before');
  await assert.rejects(buildIntake({ ledger }).intake.receive(disk), /before its commit/);
  assert.equal(down.events.size, 0);
});

test('what a body becomes in memory has room, or the event is refused', async () => {
  const details = JSON.stringify(Array(1_000).fill({}));
  const large = arrival(`{"title":"disk","details":${details}}`);
  assert.ok(large.body.byteLength < 4_000);
  const { intake } = buildIntake({ bytesMax: 20_000 });
  assert.equal((await intake.receive(large)).type, 'full');
  assert.equal((await intake.receive(disk)).type, 'accepted');
  assert.equal(intake.bytes, 0);
});

test('while all lines are being served, a lane that cannot begin waits', async () => {
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const { ledger: database } = buildIntake();
  let second: Promise<unknown> | null = null;
  let begun = 0;
  const ledger: IntakeOptions['ledger'] = {
    async transact(work) {
      begun += 1;
      // A turn of the event loop later, and so never for whoever asks again within one.
      if (begun === 2) void setImmediate().then(lock);
      if (begun > 9) await setImmediate();
      if (begun > 1) throw new Error('the database is gone');
      return database.transact((tx) =>
        work({
          ...tx,
          lockIntegrations() {
            second = Promise.allSettled([intake.receive(disk)]);
            return locked;
          },
        }),
      );
    },
  };
  const { intake } = buildIntake({ ledger });
  assert.equal((await intake.receive(disk)).type, 'accepted');
  assert.partialDeepStrictEqual(await second, [{ status: 'rejected' }]);
  assert.ok(begun < 5, `it asked ${begun} times`);
});
