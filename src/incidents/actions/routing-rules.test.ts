import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { buildConfiguration } from '../../../test/configuration.ts';
import {
  buildAlert,
  buildIntegration,
  byMail,
  entryTypes,
  later,
  paged,
  received,
} from '../../../test/incident-life.ts';
import type { Rule } from '../../rules/match-rule.ts';

const always: Rule['condition_groups'] = [{ conditions: [{ type: 'allIncidents' }] }];
const never: Rule['condition_groups'] = [
  { conditions: [{ type: 'incidentMessage', comparator: 'equals', text: 'nothing of the kind' }] },
];
const buildRule = (name: string, fields: Partial<Rule>): Rule => ({
  id: name,
  name,
  condition_groups: always,
  actions: [],
  ...fields,
});
const lin = {
  id: 'night',
  name: 'Night',
  archived: false,
  delayMinutes: 0,
  steps: [byMail('lin')],
};
const elsewhere = buildIntegration({
  integration_id: 'other',
  team_id: 'core',
  service: { id: 'database', name: 'Database', archived: false },
  policy: lin,
});

const ruledBy = (rules: readonly Rule[]) =>
  buildConfiguration({
    rules,
    integrations: [elsewhere],
    webhooks: [{ id: 'hook', team_id: 'team', name: 'Tickets', archived: false }],
  });

const arrives = (rules: readonly Rule[]) => received({ configuration: ruledBy(rules) });
const outcomeOf = (rules: readonly Rule[]) => {
  const [outcome] = arrives(rules).outcomes;
  if (!outcome) throw new Error('nothing opened');
  return outcome;
};
const onePolicy: Rule['actions'] = [{ type: 'escalationPolicy', escalation_policy_id: 'night' }];

describe('rules on a new incident', () => {
  test('run before anybody is paged', () => {
    const outcome = outcomeOf([buildRule('Nights', { actions: onePolicy })]);
    assert.deepEqual(paged(outcome), ['page lin by email']);
    assert.equal(outcome.incident.escalation_policy_id, 'night');
  });

  test('that acknowledge or resolve keep everybody asleep', () => {
    for (const type of ['acknowledgeIncident', 'resolveIncident'] as const) {
      const outcome = outcomeOf([buildRule('Known', { actions: [{ type }] })]);
      assert.deepEqual(paged(outcome), []);
      assert.notEqual(outcome.incident.status, 'triggered');
      assert.equal(outcome.incident.escalation.stepAt, null);
    }
  });

  test('move it, with all that the other integration says', () => {
    const action = { type: 'routeToTeam', team_id: 'core', integration_id: 'other' } as const;
    const { incident, intents } = outcomeOf([buildRule('Route', { actions: [action] })]);
    assert.equal(incident.team_id, 'core');
    assert.equal(incident.service_id, 'database');
    assert.equal(incident.source_integration_id, 'integration');
    assert.deepEqual(paged({ ...outcomeOf([]), intents }), ['page lin by email']);
  });

  test('all apply, in their order, and each is named', () => {
    const set = (name: string, priority: 'p1' | 'p3') =>
      buildRule(name, { actions: [{ type: 'priority', priority }] });
    const outcome = outcomeOf([set('First', 'p3'), set('Second', 'p1')]);
    assert.equal(outcome.incident.priority, 'p1');
    const names = outcome.entries.map(({ text }) => text).join('\n');
    assert.match(names, /First[\s\S]*Second/);
    assert.deepEqual(outcome.incident.escalation.appliedRules, ['First', 'Second']);
  });

  test('one that ignores stands for all: nothing else happens', () => {
    const ignoring = buildRule('Noise', { actions: [{ type: 'ignoreIncident' }] });
    const calling = buildRule('Call', {
      actions: [{ type: 'outboundWebhook', outbound_webhook_id: 'hook' }],
    });
    const { outcome, reason, outcomes } = arrives([calling, ignoring]);
    assert.equal(outcome, 'ignored');
    assert.match(reason ?? '', /Noise/);
    assert.deepEqual(outcomes, []);
  });

  test('do nothing when they do not match', () => {
    const quiet = (actions: Rule['actions']) =>
      buildRule('Quiet', { condition_groups: never, actions });
    const types = [{ type: 'ignoreIncident' }, { type: 'resolveIncident' }] as const;
    const ruled = outcomeOf([quiet([...types]), quiet(onePolicy)]);
    assert.deepEqual(ruled, outcomeOf([]));
  });
});

describe('rules on suppressed events', () => {
  const often = (count: number): Rule['condition_groups'] => [
    { conditions: [{ type: 'incidentSuppressed', count }] },
  ];
  /** So many events after the first, a minute apart. */
  function repeated(rules: readonly Rule[], times: number) {
    let incident = outcomeOf(rules).incident;
    const lines: string[] = [];
    for (let index = 1; index <= times; index += 1) {
      const again = received({
        configuration: ruledBy(rules),
        known: { open: [incident] },
        now: later(index),
        eventId: `event${index}`,
      });
      for (const outcome of again.outcomes) {
        ({ incident } = outcome);
        lines.push(...entryTypes(outcome).map((type) => `${index} ${type}`), ...paged(outcome));
      }
    }
    return { incident, lines };
  }

  test('apply once, when there were enough', () => {
    const rule = buildRule('Again', {
      condition_groups: often(3),
      actions: [{ type: 'priority', priority: 'p1' }],
    });
    const { incident, lines } = repeated([rule], 5);
    assert.equal(incident.priority, 'p1');
    assert.equal(lines.filter((one) => one.endsWith('rule_applied')).length, 1);
    assert.ok(lines.includes('3 rule_applied'), lines.join());
  });

  test('without such a condition are not tried again', () => {
    const rule = buildRule('Once', { actions: [{ type: 'severity', severity: 'sev1' }] });
    const { lines } = repeated([rule], 3);
    assert.deepEqual(
      lines.filter((one) => one.includes('rule_applied')),
      [],
    );
  });

  test('another policy pages from its first step', () => {
    const { lines } = repeated(
      [buildRule('More', { condition_groups: often(2), actions: onePolicy })],
      2,
    );
    assert.ok(lines.includes('page lin by email'), lines.join());
  });

  test('may ignore them: nothing is counted any more', () => {
    const rule = buildRule('Enough', {
      condition_groups: often(2),
      actions: [{ type: 'ignoreIncident' }],
    });
    assert.equal(repeated([rule], 6).incident.suppressed_count, 1);
  });

  test('that ignore leave the incident open for as long as its source reports', () => {
    const rule = buildRule('Enough', {
      condition_groups: often(1),
      actions: [{ type: 'ignoreIncident' }],
    });
    const open = received({ alert: buildAlert({ expires_at: later(4) }) }).outcomes[0]?.incident;
    assert.ok(open);
    const again = received({
      alert: buildAlert({ expires_at: later(7) }),
      known: { open: [open] },
      configuration: ruledBy([rule]),
    });
    assert.equal(again.outcome, 'ignored');
    assert.deepEqual(
      again.outcomes.map(({ incident, entries }) => [incident.escalation.expiresAt, entries]),
      [[later(7), []]],
    );
  });

  test('cover what arrives where they say, wherever the incident is', () => {
    const rule = buildRule('Ours', {
      condition_groups: often(1),
      actions: [{ type: 'severity', severity: 'sev1' }],
      integration_ids: ['integration'],
      service_ids: ['service'],
    });
    const merged = received({ integration: elsewhere }).outcomes[0]?.incident;
    assert.ok(merged);
    const [outcome] = received({
      known: { open: [merged] },
      configuration: ruledBy([rule]),
    }).outcomes;
    assert.equal(outcome?.incident.severity, 'sev1');
  });

  test('within a while counts the while', () => {
    const within: Rule['condition_groups'] = [
      { conditions: [{ type: 'incidentSuppressedWithin', count: 3, minutes: 2 }] },
    ];
    const rule = buildRule('Burst', {
      condition_groups: within,
      actions: [{ type: 'severity', severity: 'sev1' }],
    });
    assert.equal(repeated([rule], 2).incident.severity, null);
    assert.equal(repeated([rule], 3).incident.severity, 'sev1');
  });
});

test('a book whose rules match nothing changes nothing', () => {
  const action = fc.constantFrom<Rule['actions'][number]>(
    { type: 'priority', priority: 'p1' },
    { type: 'ignoreIncident' },
    { type: 'resolveIncident' },
    { type: 'escalationPolicy', escalation_policy_id: 'night' },
    { type: 'title', template: 'x' },
  );
  const rules = fc.array(
    fc.record({ name: fc.string(), actions: fc.array(action, { minLength: 1 }) }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(rules, fc.string({ minLength: 1 }), (some, title) => {
      const quiet = some.map(({ name, actions }) =>
        buildRule(name, { actions, condition_groups: never }),
      );
      const alert = buildAlert({ title });
      fc.pre(title.toLowerCase() !== 'nothing of the kind');
      const plain = received({ alert, configuration: ruledBy([]) });
      assert.deepEqual(received({ alert, configuration: ruledBy(quiet) }), plain);
    }),
  );
});
