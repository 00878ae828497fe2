// What a simulation foretells is what happens: the same worlds, once on the ledger in memory and
// once on PostgreSQL, with the same texts in the same seconds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AlertEvent } from '../../src/alerts/alert.ts';
import { hiding } from '../../src/api/what-if/configuration-methods.ts';
import { act } from '../../src/engine/actions.ts';
import type { StoredEvent } from '../../src/engine/ports/events.ts';
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
type Trial = World & { readonly title: string; readonly on: Integration };

test('what is foretold is what happens, to the second', () =>
  withPager(async (pager) => {
    const trials = await seedTrials(pager);
    const foretold = await Promise.all(trials.map((trial) => foretell(pager, trial)));
    for (const trial of trials) await pager.trigger(trial.on, { title: trial.title });
    await pager.at('09:00');
    await acknowledge(pager, trials, 0);
    await pager.at('09:02');
    await acknowledge(pager, trials, 2);
    await pager.at('09:03');
    const later = await Promise.all(trials.map((trial) => foretellAgain(pager, trial)));
    for (const { isSentTwice, on, title } of trials)
      if (isSentTwice) await pager.trigger(on, { title });
    for (const minute of [5, 11, 30, 60]) {
      await pager.at(minute === 60 ? '10:00' : `09:${String(minute).padStart(2, '0')}`);
      await acknowledge(pager, trials, minute);
    }
    await pager.at('23:59');
    assert.deepEqual(pager.failed, []);
    for (const [index, trial] of trials.entries()) {
      const first = trial.isSentTwice ? null : foretold[index];
      if (first)
        assert.deepEqual(storyText(first), await happened(pager, trial, '09:00'), trial.title);
      const second = later[index];
      if (second)
        assert.deepEqual(storyText(second), await happened(pager, trial, '09:03'), trial.title);
    }
    assert.deepEqual(await pager.findings(), []);
  }));

async function seedTrials(pager: Pager): Promise<readonly Trial[]> {
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
  const trials: Trial[] = [];
  for (const [index, world] of fc.sample(anyWorld, worlds).entries()) {
    const { steps, ackTimeoutMinutes, autoResolveHours: after, ...options } = world;
    const on = await pager.integration({
      ...options,
      steps: steps.map(stepOf),
      ...(ackTimeoutMinutes !== undefined && { ackTimeoutMinutes }),
      ...(after !== undefined && { autoResolve: { after, unit: 'hours' } }),
    });
    const trial = { ...world, on, title: `world ${index};` };
    for (const name of world.rules) {
      const rule = rulesFor(other, webhookId)[name];
      if (rule) await pager.rule({ name, integration_ids: [on.id], ...rule });
    }
    await givePlaybook(pager, trial, { other, webhookId });
    trials.push(trial);
  }
  return trials;
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
  { playbook, title }: Trial,
  { other, webhookId }: Targets,
): Promise<void> {
  if (playbook === undefined) return;
  const condition = { type: 'incidentMessage', comparator: 'endsWith', text: title } as const;
  const moving = { type: 'escalationPolicy', escalation_policy_id: other.policyId } as const;
  await pager.playbook({
    name: 'Call out',
    run_automatically: playbook.on,
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

const organizationOf = ({ scope }: Pager) => ({ organization_id: scope.organizationId });

function foretell(pager: Pager, { on, title, acknowledge }: Trial): Promise<Story> {
  const at = pager.clock.now();
  const own = { ...organizationOf(pager), integration_id: on.id };
  const alert: AlertEvent = { action: 'trigger', dedup_key: title, title };
  const event: StoredEvent = {
    ...own,
    id: 'event',
    received_at: at,
    ...pushed,
    body: new Uint8Array(),
  };
  return story(pager, {
    keys: [{ ...own, dedup_key: title }],
    course: { at, arrival: { event, alerts: [alert] }, acknowledgeAfterMinutes: acknowledge },
  });
}

/** Three minutes later: the event comes again, or what there is goes on. */
async function foretellAgain(pager: Pager, trial: Trial): Promise<Story | null> {
  const { on, title, isSentTwice } = trial;
  if (isSentTwice) return foretell(pager, { ...trial, acknowledge: null });
  const after = trial.acknowledge !== null && trial.acknowledge > 3 ? trial.acknowledge - 3 : null;
  const at = pager.clock.now();
  return story(pager, {
    keys: [{ ...organizationOf(pager), integration_id: on.id, dedup_key: title }],
    course: { at, arrival: null, acknowledgeAfterMinutes: after },
  });
}

type StoryOptions = {
  readonly keys: Parameters<Parameters<Parameters<typeof readLedger>[1]>[0]['incidentsOf']>[0];
  readonly course: Pick<SimulationParams, 'at' | 'arrival' | 'acknowledgeAfterMinutes'>;
};

async function story(pager: Pager, { keys, course }: StoryOptions): Promise<Story> {
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
  const { organizationId } = pager.scope;
  const query = { organizationId, from: course.at, now: course.at };
  const known = await readConfiguration(parts, query);
  const hide = hiding(secrets, organizationId);
  const configuration = hide(withSchedules(known.configuration, known.schedules));
  const ledgerOptions = {
    configurations: new Map([[organizationId, configuration]]),
    faults,
    recipientKeyOf: recipientKeyByFingerprint,
  };
  return simulate({ ...course, ledgerOptions, past: hide(past), until: 'exhausted' });
}

/** Whoever is to acknowledge does, at the end of what else happens in that minute. */
async function acknowledge(pager: Pager, trials: readonly Trial[], minute: number): Promise<void> {
  const [server] = pager.servers;
  const { organizationId } = pager.scope;
  for (const { isSentTwice, acknowledge: at, on } of trials) {
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

const storyText = ({ entries, notices }: Story) => ({
  entries: entries.map(({ at, type, text }) => `${at} ${type}: ${text}`).sort(),
  notices: notices
    .filter(({ reason }) => reason === null)
    .map(({ at, kind, channel, name }) => `${at} ${kind} ${name} by ${channel}`)
    .sort(),
});

async function happened({ sql, scope }: Pager, { on }: Trial, since: string) {
  const from = `${scope.now.toString().slice(0, 11)}${since}:00Z`;
  const ofLast = sql`incident_id = (
    select max(id) from incidents where source_integration_id = ${on.id})`;
  const entries = await sql<{ at: Temporal.Instant; type: string; text: string }[]>`
    select at, type, text from timeline where ${ofLast} and at >= ${from}`;
  const notices = await sql<
    { at: Temporal.Instant; kind: string; channel: string; name: string }[]
  >`
    select created_at as at, kind, channel, notice->>'recipient' as name from outbox
    where ${ofLast} and created_at >= ${from} and state = 'sent'`;
  return {
    entries: entries.map(({ at, type, text }) => `${at} ${type}: ${text}`).sort(),
    notices: notices
      .map(({ at, kind, channel, name }) => `${at} ${kind} ${name} by ${channel}`)
      .sort(),
  };
}
