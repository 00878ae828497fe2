import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertEvent } from '../alerts/alert.ts';
import type { Rule } from '../rules/match-rule.ts';
import { type RuleTest, testRule } from './rule-test.ts';

const rule: Rule = {
  id: 'rule',
  name: 'Disks',
  condition_groups: [
    { conditions: [{ type: 'incidentMessage', comparator: 'contains', text: 'disk' }] },
  ],
  actions: [{ type: 'escalationPolicy', escalation_policy_id: 'night' }],
};
const repeated: Rule = {
  ...rule,
  condition_groups: [{ conditions: [{ type: 'incidentRepeated', count: 2 }] }],
};
const alert: AlertEvent = { action: 'trigger', dedup_key: 'a', title: 'disk full' };
const paging = ['Pages with the escalation policy Night.'];

const resultOf = (fields: Partial<RuleTest>) =>
  testRule({
    rule,
    alerts: [alert],
    integration: { id: 'integration', service_id: 'service' },
    at: Temporal.Instant.from('2026-03-09T12:00:00Z'),
    counts: {},
    isOfTeam: true,
    names: new Map([['night', 'Night']]),
    ...fields,
  });

const cases: readonly {
  readonly title: string;
  readonly fields: Partial<RuleTest>;
  readonly effects: readonly string[];
}[] = [
  { title: 'what matches has effects', fields: {}, effects: paging },
  {
    title: 'what does not match has none',
    fields: { alerts: [{ ...alert, title: 'memory full' }] },
    effects: [],
  },
  {
    title: 'a rule of another team is not evaluated',
    fields: { isOfTeam: false },
    effects: [],
  },
  {
    title: 'the end of a problem is not evaluated',
    fields: { alerts: [{ ...alert, action: 'resolve' }] },
    effects: [],
  },
  { title: 'nothing repeats unless it is assumed', fields: { rule: repeated }, effects: [] },
  {
    title: 'earlier incidents are assumed to have happened just now',
    fields: { rule: repeated, counts: { repeat_count: 2 } },
    effects: paging,
  },
  {
    title: 'a record that the reader may not see is shown by its id',
    fields: { names: new Map() },
    effects: ['Pages with the escalation policy night.'],
  },
];

for (const { title, fields, effects } of cases)
  test(`a rule is tested on an alert: ${title}`, () => {
    const { alerts, omitted } = resultOf(fields);
    assert.deepEqual(
      alerts.map((one) => one.effects),
      [effects],
    );
    assert.equal(omitted, 0);
  });

test('only as many alerts are explained as one answer may hold', () => {
  const { alerts, omitted } = resultOf({ alerts: Array(10_000).fill(alert) });
  assert.ok(alerts.length > 0 && omitted > 0);
  assert.equal(alerts.length + omitted, 10_000);
});
