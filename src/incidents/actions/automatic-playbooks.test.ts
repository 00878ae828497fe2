import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actionTargets, buildPlaybook } from '../../../test/action-targets.ts';
import { buildConfiguration } from '../../../test/configuration.ts';
import {
  adaThenLin,
  buildIntegration,
  byMail,
  eve,
  later,
  paged,
  received,
  withSteps,
} from '../../../test/incident-life.ts';
import type { RunOccasion } from '../../resources/playbook.ts';
import type { Rule } from '../../rules/match-rule.ts';
import type { Configuration, Playbook, Policy, RoutedIntegration } from '../configuration.ts';
import type { Incident, Outcome } from '../incident.ts';
import type { IncidentEvent } from '../lifecycle.ts';
import { advanceWithPlaybooks } from './automatic-playbooks.ts';
import { performRequest } from './requested-action.ts';
import { ruleSetOf } from './routing-rules.ts';

const never: Rule['condition_groups'] = [
  { conditions: [{ type: 'incidentMessage', comparator: 'equals', text: 'nothing of the kind' }] },
];
const calls: Playbook['actions'] = [{ type: 'outboundWebhook', outbound_webhook_id: 'desk' }];
const on = (occasion: RunOccasion, fields: Partial<Playbook> = {}) =>
  buildPlaybook({
    id: `On ${occasion}`,
    run_automatically: [occasion],
    actions: calls,
    ...fields,
  });
const all = [on('triggered'), on('escalated'), on('acknowledged'), on('resolved')];

type AutomatedFields = {
  readonly playbooks: readonly Playbook[];
  readonly integration?: RoutedIntegration;
  readonly rules?: readonly Rule[];
};

/** One incident from its opening at noon on, with what its team decided beforehand. */
class Automated {
  readonly configuration: Configuration;
  outcome: Outcome;

  constructor({ playbooks, rules = [], integration = buildIntegration() }: AutomatedFields) {
    const targets = { ...actionTargets, policies: policiesBeside(integration.policy) };
    this.configuration = buildConfiguration({ ...targets, rules, playbooks });
    const [opened] = received({ integration, configuration: this.configuration }).outcomes;
    assert.ok(opened);
    this.outcome = opened;
  }

  get incident(): Incident {
    return this.outcome.incident;
  }

  /** Which occasions webhooks were called on for it, by what was done last. */
  get called() {
    return this.outcome.intents.flatMap(({ occasion }) => occasion ?? []);
  }

  /** Does it so many minutes after noon; answers on which occasions webhooks are called. */
  does(event: IncidentEvent, at: number) {
    const outcome = advanceWithPlaybooks(this.incident, event, this.deciding(at));
    assert.ok(!('refused' in outcome));
    this.outcome = outcome;
    return this.called;
  }

  deciding(at: number) {
    return { configuration: this.configuration, now: later(at) };
  }
}

/** Of three steps, only the last pages somebody. */
const thirdIsReached = [byMail('stranger', 5), byMail('stranger', 5), byMail('lin')];
const boss = [byMail('boss', 1), byMail('lin')];

/** Those of actions' tests, and three policies more. */
function policiesBeside(policy: Policy): readonly Policy[] {
  const more = { a: boss, b: boss, late: thirdIsReached };
  const named = Object.entries(more).map(([id, steps]) => ({ ...policy, id, name: id, steps }));
  return [...actionTargets.policies, ...named];
}

const to = (id: string) => ({ type: 'escalationPolicy', escalation_policy_id: id }) as const;
const acknowledge = { type: 'acknowledge', by: eve } as const;
const resolve = { type: 'resolve', by: eve } as const;
const escalate = { type: 'escalate', by: eve } as const;
const reopen = { type: 'reopen', by: eve, anotherIsOpen: false } as const;
const timerEvent = { type: 'timer' } as const;

describe('playbooks that run by themselves', () => {
  test('each on its occasion', () => {
    const one = new Automated({ playbooks: all });
    assert.deepEqual(one.called, ['incident_triggered']);
    assert.deepEqual(one.does(timerEvent, 5), ['incident_escalated']);
    assert.deepEqual(one.does(acknowledge, 6), ['incident_acknowledged']);
    assert.deepEqual(one.does(resolve, 7), ['incident_resolved']);
    assert.deepEqual(one.does(reopen, 8), ['incident_triggered']);
  });

  test('on a new incident by the status in which the rules leave it', () => {
    const known: Rule = {
      id: 'known',
      name: 'Known',
      actions: [{ type: 'acknowledgeIncident' }],
      condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
    };
    const one = new Automated({ playbooks: all, rules: [known] });
    assert.deepEqual(one.called, ['incident_acknowledged']);
  });

  test('on each of its occasions, though they come at one instant', () => {
    const every = on('triggered', {
      run_automatically: ['triggered', 'escalated', 'resolved'],
    });
    const one = new Automated({ playbooks: [every], integration: withSteps(thirdIsReached) });
    const opened = one.outcome.intents;
    one.does(resolve, 0);
    const keys = [...opened, ...one.outcome.intents].flatMap(({ kind, key }) =>
      kind === 'webhook' ? [key] : [],
    );
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 3, keys.join());
  });

  test('as many times are remembered as their conditions ask about', () => {
    const often = [{ type: 'incidentSuppressedWithin', count: 50, minutes: 60 } as const];
    const playbooks = [on('resolved', { condition_groups: [{ conditions: often }] })];
    const configuration = buildConfiguration({ playbooks });
    const { remembered } = ruleSetOf({ team_id: 'team' }, { configuration });
    assert.deepEqual(remembered, { repeats: 0, suppressed: 50 });
  });

  test('with the playbooks of their team, wherever one before has moved it', () => {
    const inner = buildPlaybook({ id: 'inner', actions: calls });
    const route = { type: 'routeToTeam', team_id: 'others', integration_id: 'theirs' } as const;
    const moving = on('triggered', { id: 'moving', actions: [route] });
    const nesting = on('triggered', { actions: [{ type: 'playbook', playbook_id: 'inner' }] });
    const one = new Automated({ playbooks: [inner, moving, nesting] });
    assert.equal(one.incident.team_id, 'others');
    assert.deepEqual(one.called, ['incident_triggered']);
  });

  test('only when their conditions hold', () => {
    const one = new Automated({ playbooks: [on('triggered', { condition_groups: never })] });
    assert.deepEqual(one.called, []);
  });

  test('not while disabled or archived', () => {
    const off = [on('triggered', { enabled: false }), on('triggered', { archived: true })];
    assert.deepEqual(new Automated({ playbooks: off }).called, []);
  });

  test('what one does makes no other run', () => {
    for (const occasion of ['triggered', 'escalated', 'acknowledged'] as const) {
      const resolving = on(occasion, { actions: [{ type: 'resolveIncident' }] });
      const one = new Automated({ playbooks: [resolving, on('resolved')] });
      if (occasion === 'escalated') one.does(timerEvent, 5);
      if (occasion === 'acknowledged') one.does(acknowledge, 5);
      assert.equal(one.incident.status, 'resolved', occasion);
      assert.deepEqual(one.called, [], occasion);
    }
  });

  test('nor does whom one pages by another policy', () => {
    const moving = on('triggered', { actions: [to('a'), to('late')] });
    const one = new Automated({ playbooks: [moving, on('escalated')] });
    one.does(resolve, 1);
    assert.deepEqual(one.does(reopen, 2), []);
    assert.deepEqual(paged(one.outcome).at(-1), 'page lin by email');
  });
});

describe('an incident escalates', () => {
  const playbooks = [on('escalated')];
  const yes = ['incident_escalated'];

  test('when a step after the first is paged, in each round', () => {
    const one = new Automated({ playbooks, integration: buildIntegration({ repeats: true }) });
    assert.deepEqual(one.called, [], 'the first step');
    const minutes = [4, 5, 14, 15, 20].map((at) => [at, one.does(timerEvent, at)]);
    assert.deepEqual(minutes, [
      [4, []],
      [5, yes],
      [14, []],
      [15, []],
      [20, yes],
    ]);
  });

  test('once for each step and round, though they are paged at one instant', () => {
    const three = withSteps([byMail('ada', 5), byMail('lin', 5), byMail('boss')]);
    const one = new Automated({ playbooks, integration: three });
    const keys = [escalate, escalate, escalate, escalate].flatMap((event) => {
      one.does(event, 1);
      return one.outcome.intents.flatMap(({ occasion, key }) => (occasion ? [key] : []));
    });
    const ending = (cycle: number, step: number) =>
      `incident/webhook/desk/playbook-On escalated-escalated-${cycle}-${step}`;
    assert.deepEqual(keys, [ending(0, 1), ending(0, 2), ending(1, 1)]);
  });

  test('when those before it can page nobody, also as it opens', () => {
    const triggered = on('triggered');
    const one = new Automated({
      playbooks: [...playbooks, triggered],
      integration: withSteps(thirdIsReached),
    });
    assert.deepEqual(one.called, ['incident_triggered', ...yes]);
  });

  test('not when no step is left that can page somebody', () => {
    const one = new Automated({
      playbooks,
      integration: withSteps([byMail('ada', 5), byMail('stranger')]),
    });
    assert.deepEqual(one.does(timerEvent, 5), []);
  });

  test('when a person asks for the next step, and not for the first anew', () => {
    const one = new Automated({ playbooks });
    assert.deepEqual(one.does(escalate, 1), yes);
    assert.deepEqual(one.does(acknowledge, 2), []);
    assert.deepEqual(one.does(escalate, 3), [], 'step 1 of the second round');
    assert.deepEqual(one.does(acknowledge, 4), []);
    assert.deepEqual(one.does(escalate, 5), yes, 'from its acknowledgement');
  });

  test('after an ack timeout as far as the new round gets', () => {
    const timed = (steps: typeof adaThenLin) => ({
      ...withSteps(steps),
      ackTimeoutMinutes: 30,
    });
    const early = new Automated({ playbooks, integration: timed(adaThenLin) });
    early.does(acknowledge, 1);
    assert.deepEqual(early.does(timerEvent, 31), [], 'step 1');
    assert.deepEqual(early.does(timerEvent, 36), yes);
    const late = new Automated({ playbooks, integration: timed(thirdIsReached) });
    late.does(acknowledge, 1);
    assert.deepEqual(late.does(timerEvent, 31), yes);
  });

  test('not while it is muted: when the mute ends and the step is paged', () => {
    const one = new Automated({ playbooks });
    one.does({ type: 'mute', by: eve, until: later(20) }, 5);
    assert.deepEqual(one.does(escalate, 6), []);
    assert.deepEqual(one.does(timerEvent, 20), yes);
  });

  test('not when another playbook stops the policy at that instant', () => {
    const stops = on('triggered', { actions: [{ type: 'acknowledgeIncident' }] });
    const one = new Automated({
      playbooks: [stops, ...playbooks],
      integration: withSteps(thirdIsReached),
    });
    one.does(resolve, 1);
    assert.deepEqual(one.does(reopen, 2), []);
    assert.deepEqual(paged(one.outcome), ['page lin by email']);
  });

  test('when what a person runs pages a step after the first', () => {
    const late = buildPlaybook({ id: 'late', actions: [to('late')] });
    const one = new Automated({ playbooks: [...playbooks, late] });
    const action = { type: 'playbook', playbook_id: 'late' } as const;
    const request = { type: 'perform', by: eve, action } as const;
    const outcome = performRequest(one.incident, request, one.deciding(1));
    assert.ok(!('refused' in outcome));
    one.outcome = outcome;
    assert.deepEqual(one.called, yes);
  });
});

describe('a playbook that pages anew when an incident escalates', () => {
  test('takes over at once from the step that was reached', () => {
    const one = new Automated({ playbooks: [on('escalated', { actions: [to('a')] })] });
    one.does(timerEvent, 5);
    assert.deepEqual(paged(one.outcome), ['page lin by email', 'page boss by email']);
    assert.equal(one.incident.escalation.policyName, 'a');
    one.does(timerEvent, 6);
    assert.deepEqual(paged(one.outcome), ['page lin by email'], 'it is there already');
  });

  test('takes over also as the incident opens', () => {
    const one = new Automated({
      playbooks: [on('escalated', { actions: [to('a')] })],
      integration: withSteps(thirdIsReached),
    });
    assert.deepEqual(paged(one.outcome), ['page lin by email', 'page boss by email']);
  });

  test('and back again does so in 20 rounds at most', () => {
    const one = new Automated({ playbooks: [on('escalated', { actions: [to('a'), to('b')] })] });
    const refused: string[] = [];
    for (let at = 5; at < 200; at += 1) {
      one.does(timerEvent, at);
      const entries = one.outcome.entries.filter(({ type }) => type === 'action_failed');
      refused.push(...entries.map(({ text }) => text));
    }
    assert.equal(one.incident.escalation.cycle, 20);
    assert.equal(one.incident.escalation.stepAt, null);
    assert.deepEqual(refused, [
      'The playbook On escalated could not be run: it has already been paged in 20 cycles',
    ]);
  });
});
