// What a simulation foretells is what happens: the same worlds, once on the ledger in memory and
// once on PostgreSQL, with the same texts in the same seconds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AlertEvent } from '../../src/alerts/alert.ts';
import { hiding } from '../../src/api/what-if/configuration-methods.ts';
import { act } from '../../src/engine/actions.ts';
import type { StoredEvent } from '../../src/engine/ledger.ts';
import type { Step } from '../../src/resources/escalation-policy.ts';
import type { RunOccasion } from '../../src/resources/playbook.ts';
import { readConfiguration } from '../../src/storage/configuration/past-configuration.ts';
import { readLedger } from '../../src/storage/ledger/readings.ts';
import { recipientKeyByFingerprint } from '../../src/storage/outbox/recipient-key.ts';
import { withSchedules } from '../../src/what-if/proposals.ts';
import {
  type SimulationParams,
  type Story,
  simulate,
  somebody,
} from '../../src/what-if/simulate.ts';
import { cacheFor } from '../configuration.ts';
import { pushed } from '../http-event.ts';
import type { Integration, RuleFields } from '../monitoring.ts';
import { noFaults as faults } from '../no-faults.ts';
import '../seed.ts';
import { type Pager, withPager } from './story.ts';

const worlds = 40;
const url = 'https://status.test/incidents';
/** More than three, so that at 09:03 nothing happens but what is foretold then. */
const minutes = fc.integer({ min: 4, max: 40 });
const perhaps = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });

const target = fc.record({
  who: fc.constantFrom('ada', 'lin', 'eve', 'stranger', 'rota', 'nobody on call'),
  via: fc.constantFrom('email', 'email', 'email', 'sms'),
});
const step = fc.record({
  targets: fc.array(target, { minLength: 1, maxLength: 3 }),
  wait: minutes,
});
const anyWorld = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  delayMinutes: fc.constantFrom(0, 0, 7),
  repeats: fc.boolean(),
  ackTimeoutMinutes: perhaps(minutes),
  autoResolveHours: perhaps(fc.integer({ min: 1, max: 3 })),
  disableSuppression: fc.boolean(),
  rules: fc.subarray([
    'label',
    'policy',
    'move',
    'call',
    'acknowledge',
    'resolve',
    'again',
    'ignore',
  ]),
  playbook: perhaps(
    fc.record({
      on: fc.subarray<RunOccasion>(['triggered', 'escalated', 'acknowledged', 'resolved'], {
        minLength: 1,
      }),
      isMoving: fc.boolean(),
    }),
  ),
  /** Minutes after the event. */
  acknowledge: fc.option(fc.constantFrom(0, 2, 5, 11, 30, 60)),
  isSentTwice: fc.boolean(),
});
type World = typeof anyWorld extends fc.Arbitrary<infer Value> ? Value : never;

/** A world as it was set up. */
type Place = World & { readonly title: string; readonly on: Integration };

test('what is foretold is what happens, to the second', () =>
  withPager(async (pager) => {
    const places = await seedPlaces(pager);
    const foretold = await Promise.all(places.map((place) => foretell(pager, place)));
    for (const place of places) await pager.fires(place.on, { title: place.title });
    await pager.at('09:00');
    await acknowledge(pager, places, 0);
    await pager.at('09:02');
    await acknowledge(pager, places, 2);
    await pager.at('09:03');
    const later = await Promise.all(places.map((place) => foretellAgain(pager, place)));
    for (const { isSentTwice, on, title } of places)
      if (isSentTwice) await pager.fires(on, { title });
    for (const minute of [5, 11, 30, 60]) {
      await pager.at(minute === 60 ? '10:00' : `09:${String(minute).padStart(2, '0')}`);
      await acknowledge(pager, places, minute);
    }
    await pager.at('23:59');
    assert.deepEqual(pager.failed, []);
    for (const [index, place] of places.entries()) {
      const first = place.isSentTwice ? null : foretold[index];
      if (first) assert.deepEqual(told(first), await happened(pager, place, '09:00'), place.title);
      const second = later[index];
      if (second)
        assert.deepEqual(told(second), await happened(pager, place, '09:03'), place.title);
    }
    assert.deepEqual(await pager.findings(), []);
  }));

async function seedPlaces(pager: Pager): Promise<readonly Place[]> {
  const schedules = {
    rota: await pager.schedule(['ada', 'lin'].map((name) => pager.users[name] ?? '')),
    'nobody on call': await pager.schedule([null]),
  };
  const stepOf = ({ targets, wait }: World['steps'][number]): Step => ({
    targets: targets.map(({ who, via }) => {
      const oncall_schedule_id = schedules[who as keyof typeof schedules];
      const user_id = pager.users[who] ?? pager.users['stranger'] ?? '';
      // The arbitrary draws from the declared values.
      return {
        via,
        ...(oncall_schedule_id ? { oncall_schedule_id } : { user_id }),
      } as Step['targets'][0];
    }),
    escalate_after_minutes: wait,
  });
  const other = await pager.integration({ steps: [pager.step('lin', 6), pager.step('eve')] });
  const webhookId = await pager.webhook(url);
  pager.answers.set(url, { outcome: 'delivered', status: 200 });
  const places: Place[] = [];
  for (const [index, world] of fc.sample(anyWorld, worlds).entries()) {
    const { steps, ackTimeoutMinutes, autoResolveHours: after, ...given } = world;
    const on = await pager.integration({
      ...{ ...given, steps: steps.map(stepOf) },
      ...(ackTimeoutMinutes !== undefined && { ackTimeoutMinutes }),
      ...(after !== undefined && { autoResolve: { after, unit: 'hours' } }),
    });
    const place = { ...world, on, title: `world ${index};` };
    for (const name of world.rules) {
      const rule = rulesFor(other, webhookId)[name];
      if (rule) await pager.rule({ name, integration_ids: [on.id], ...rule });
    }
    await givePlaybook(pager, place, { other, webhookId });
    places.push(place);
  }
  return places;
}

type Rules = Readonly<Record<string, RuleFields>>;
const rulesFor = (other: Integration, webhookId: string): Rules => ({
  call: { actions: [{ type: 'outboundWebhook', outbound_webhook_id: webhookId }] },
  label: {
    actions: [
      { type: 'severity', severity: 'sev1' },
      { type: 'title', template: '{{severity}} {{title}}' },
    ],
  },
  policy: { actions: [{ type: 'escalationPolicy', escalation_policy_id: other.policyId }] },
  move: {
    condition_groups: [{ conditions: [{ type: 'incidentSuppressed', count: 1 }] }],
    actions: [{ type: 'integration', integration_id: other.id }],
  },
  acknowledge: { actions: [{ type: 'acknowledgeIncident' }] },
  resolve: {
    condition_groups: [{ conditions: [{ type: 'incidentRepeated', count: 1 }] }],
    actions: [{ type: 'resolveIncident' }],
  },
  again: {
    condition_groups: [
      { conditions: [{ type: 'incidentSuppressedWithin', count: 1, minutes: 5 }] },
    ],
    actions: [{ type: 'priority', priority: 'p1' }],
  },
  ignore: {
    condition_groups: [
      { conditions: [{ type: 'incidentMessage', comparator: 'endsWith', text: '3;' }] },
    ],
    actions: [{ type: 'ignoreIncident' }],
  },
});

type Targets = { readonly other: Integration; readonly webhookId: string };

async function givePlaybook(
  pager: Pager,
  { playbook, title }: Place,
  { other, webhookId }: Targets,
): Promise<void> {
  if (playbook === undefined) return;
  const condition = { type: 'incidentMessage', comparator: 'endsWith', text: title } as const;
  const moving = { type: 'escalationPolicy', escalation_policy_id: other.policyId } as const;
  await pager.playbook({
    ...{ name: 'Call out', run_automatically: playbook.on },
    condition_groups: [{ conditions: [condition] }],
    actions: [
      { type: 'pagePerson', user_id: pager.users['eve'] ?? '', via: 'email' },
      { type: 'addResponder', user_id: pager.users['lin'] ?? '' },
      { type: 'note', text: 'About {{title}}' },
      { type: 'outboundWebhook', outbound_webhook_id: webhookId },
      ...(playbook.isMoving ? [moving] : []),
    ],
  });
}

const organizationOf = ({ place }: Pager) => ({ organization_id: place.organizationId });

function foretell(pager: Pager, { on, title, acknowledge }: Place): Promise<Story> {
  const at = pager.clock.now();
  const own = { ...organizationOf(pager), integration_id: on.id };
  const alert: AlertEvent = { action: 'trigger', dedup_key: title, title };
  const event: StoredEvent = {
    ...{ ...own, id: 'event', received_at: at, ...pushed },
    body: new Uint8Array(),
  };
  return story(pager, {
    keys: [{ ...own, dedup_key: title }],
    course: { at, arrival: { event, alerts: [alert] }, acknowledgeAfterMinutes: acknowledge },
  });
}

/** Three minutes later: the event comes again, or what there is goes on. */
async function foretellAgain(pager: Pager, place: Place): Promise<Story | null> {
  const { on, title, isSentTwice } = place;
  if (isSentTwice) return foretell(pager, { ...place, acknowledge: null });
  const after = place.acknowledge !== null && place.acknowledge > 3 ? place.acknowledge - 3 : null;
  const at = pager.clock.now();
  return story(pager, {
    keys: [{ ...organizationOf(pager), integration_id: on.id, dedup_key: title }],
    course: { at, arrival: null, acknowledgeAfterMinutes: after },
  });
}

type Telling = {
  readonly keys: Parameters<Parameters<Parameters<typeof readLedger>[1]>[0]['incidentsOf']>[0];
  readonly course: Pick<SimulationParams, 'at' | 'arrival' | 'acknowledgeAfterMinutes'>;
};

async function story(pager: Pager, { keys, course }: Telling): Promise<Story> {
  const { sql, secrets } = pager;
  const parts = {
    sql,
    secrets,
    ids: { next: () => '' },
    configurations: cacheFor('email'),
    faults,
  };
  const past = await readLedger(parts, async ({ incidentsOf, noticesOf }) => {
    const incidents = await incidentsOf(keys);
    return { incidents, notices: await noticesOf(incidents) };
  });
  const { organizationId } = pager.place;
  const query = { organizationId, from: course.at, now: course.at };
  const known = await readConfiguration(parts, query);
  const hide = hiding(secrets, organizationId);
  const configuration = hide(withSchedules(known.configuration, known.schedules));
  const ledgerOptions = {
    configurations: new Map([[organizationId, configuration]]),
    ...{ faults, receiverOf: recipientKeyByFingerprint },
  };
  return simulate({ ...course, ledgerOptions, past: hide(past), until: 'exhausted' });
}

/** Whoever is to acknowledge does, at the end of what else happens in that minute. */
async function acknowledge(pager: Pager, places: readonly Place[], minute: number): Promise<void> {
  const [server] = pager.servers;
  const { organizationId } = pager.place;
  for (const { isSentTwice, acknowledge: at, on } of places) {
    if (isSentTwice || at !== minute || !server) continue;
    const rows = await pager.sql<{ id: string }[]>`
      select id from incidents where source_integration_id = ${on.id} and status = 'triggered'`;
    for (const { id } of rows)
      await act(
        { ledger: server.ledger, clock: pager.clock, committed: () => {} },
        { organizationId, id },
        { action: { type: 'acknowledge', by: somebody }, mayTouch: () => true },
      );
  }
  await pager.work();
}

const told = ({ entries, notices }: Story) => ({
  entries: entries.map(({ at, type, text }) => `${at} ${type}: ${text}`).sort(),
  notices: notices
    .filter(({ reason }) => reason === null)
    .map(({ at, kind, channel, name }) => `${at} ${kind} ${name} by ${channel}`)
    .sort(),
});

async function happened({ sql, place }: Pager, { on }: Place, since: string) {
  const from = `${place.now.toString().slice(0, 11)}${since}:00Z`;
  const ofLast = sql`incident_id = (
    select max(id) from incidents where source_integration_id = ${on.id})`;
  const lines = await sql<{ at: Temporal.Instant; type: string; text: string }[]>`
    select at, type, text from timeline where ${ofLast} and at >= ${from}`;
  const notices = await sql<
    { at: Temporal.Instant; kind: string; channel: string; name: string }[]
  >`
    select created_at as at, kind, channel, notice->>'recipient' as name from outbox
    where ${ofLast} and created_at >= ${from} and state = 'sent'`;
  return {
    lines: lines.map(({ at, type, text }) => `${at} ${type}: ${text}`).sort(),
    notices: notices
      .map(({ at, kind, channel, name }) => `${at} ${kind} ${name} by ${channel}`)
      .sort(),
  };
}
