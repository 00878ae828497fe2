import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildFacts } from '../../test/facts.ts';
import type { Condition } from '../resources/condition.ts';
import { explain } from './explain-match.ts';
import type { Facts } from './facts.ts';
import { compileRule, type Rule, timesNeeded } from './match-rule.ts';

const id = (number: number) => String(number).padStart(24, '0');
const buildRule = (
  groups: readonly (readonly Condition[])[],
  fields: Partial<Rule> = {},
): Rule => ({
  id: id(1),
  name: 'Storage',
  actions: [{ type: 'acknowledgeIncident' }],
  condition_groups: groups.map((conditions) => ({ conditions: [...conditions] })),
  ...fields,
});

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    type: fc.constant('incidentMessage' as const),
    comparator: fc.constantFrom('contains', 'doesNotContain', 'matches', 'doesNotMatch'),
    text: fc.constantFrom('disk', 'Disk', 'memory', 'd.+l'),
  }),
  fc.record({
    type: fc.constant('incidentDetails' as const),
    comparator: fc.constantFrom('equals', 'doesNotEqual'),
    key: fc.constantFrom('host', 'labels.team', 'nothing'),
    text: fc.constantFrom('db-12', 'storage'),
  }),
  fc.record({
    type: fc.constantFrom('incidentRepeated' as const, 'incidentSuppressed' as const),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    type: fc.constantFrom('incidentRepeatedWithin' as const, 'incidentSuppressedWithin' as const),
    count: fc.integer({ min: 1, max: 3 }),
    minutes: fc.integer({ min: 1, max: 3 }),
  }),
);
const anyGroups = fc.array(fc.array(condition, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 4,
});
const now = buildFacts().now.epochMilliseconds;
const times = fc
  .array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 })
  .map((ages) => ages.toSorted((a, b) => b - a).map((age) => now - age * 60_000));
const past = fc.record({
  repeatCount: fc.integer({ min: 0, max: 3 }),
  suppressedCount: fc.integer({ min: 0, max: 3 }),
  repeatedAt: times,
  suppressedAt: times,
  isSuppressed: fc.boolean(),
});
const anyFacts = fc
  .record({ title: fc.constantFrom('Disk full', 'Memory low'), past })
  .map(({ title, past: counted }): Facts => buildFacts({ title, ...counted }));

const matches = (groups: readonly (readonly Condition[])[], facts: Facts) =>
  compileRule(buildRule(groups)).matches(facts);

test('a rule matches when all conditions of any of its groups hold', () => {
  fc.assert(
    fc.property(anyGroups, anyFacts, (groups, facts) => {
      const isTried = !facts.isSuppressed || JSON.stringify(groups).includes('Suppressed');
      // A suppressed event is tried for all groups or for none: singly, that would be lost.
      const fresh = { ...facts, isSuppressed: false };
      const any = groups.some((group) => group.every((one) => matches([[one]], fresh)));
      assert.equal(matches(groups, facts), isTried && any);
    }),
  );
});

test('the order of groups and conditions changes nothing', () => {
  fc.assert(
    fc.property(anyGroups, anyFacts, (groups, facts) => {
      const turned = groups.map((group) => group.toReversed()).toReversed();
      assert.equal(matches(turned, facts), matches(groups, facts));
    }),
  );
});

test('an explanation agrees with the judgement, in its parts too', () => {
  fc.assert(
    fc.property(anyGroups, anyFacts, (groups, facts) => {
      const compiled = compileRule(buildRule(groups));
      const explained = explain(compiled, facts);
      assert.equal(explained.matched, compiled.matches(facts));
      for (const [index, group] of explained.groups.entries()) {
        assert.equal(group.conditions.length, groups[index]?.length);
        assert.equal(
          group.matched,
          group.conditions.every(({ matched }) => matched),
        );
        for (const { text } of group.conditions) assert.match(text, /^[A-Z].*\.$/);
      }
    }),
  );
});

test('no more times are stored than change an evaluation', () => {
  fc.assert(
    fc.property(anyGroups, anyFacts, (groups, facts) => {
      const compiled = compileRule(buildRule(groups));
      const { repeats, suppressed } = timesNeeded([compiled]);
      const last = (all: readonly number[], count: number) => all.slice(all.length - count);
      const limited = {
        ...facts,
        repeatedAt: last(facts.repeatedAt, Math.min(repeats, facts.repeatedAt.length)),
        suppressedAt: last(facts.suppressedAt, Math.min(suppressed, facts.suppressedAt.length)),
      };
      assert.equal(compiled.matches(limited), compiled.matches(facts));
    }),
  );
});

test('a rule covers the integrations and services it names, both if both are named', () => {
  const [mine, other] = [buildFacts().integrationId ?? '', id(7)];
  const { serviceId } = buildFacts();
  const scopes: readonly [scope: Partial<Rule>, matched: boolean, text: RegExp][] = [
    [{}, true, /every integration of its team/],
    [{ integration_ids: [other, mine] }, true, /covers the integration/],
    [{ integration_ids: [other] }, false, /does not cover the integration/],
    [{ integration_ids: [mine], service_ids: [serviceId] }, true, /covers the integration/],
    [{ integration_ids: [mine], service_ids: [other] }, false, /does not cover the service/],
    [
      { integration_ids: [other], service_ids: [serviceId] },
      false,
      /does not cover the integration/,
    ],
  ];
  for (const [scope, matched, text] of scopes) {
    const compiled = compileRule(buildRule([[{ type: 'allIncidents' }]], scope));
    assert.equal(compiled.matches(buildFacts()), matched);
    assert.match(explain(compiled, buildFacts()).scope.text, text);
  }
});

test('suppressed events are only tried by rules that ask about suppressed events', () => {
  const facts = buildFacts({ isSuppressed: true, suppressedCount: 1 });
  const deaf = compileRule(buildRule([[{ type: 'allIncidents' }]]));
  assert.deepEqual([deaf.isTriedOnSuppressed, deaf.matches(facts)], [false, false]);
  assert.match(explain(deaf, facts).scope.text, /^The event was suppressed/);
  const groups = [[{ type: 'allIncidents' }], [{ type: 'incidentSuppressed', count: 9 }]] as const;
  const hearing = compileRule(buildRule(groups));
  assert.deepEqual([hearing.isTriedOnSuppressed, hearing.matches(facts)], [true, true]);
});

test('the longest look back of all rules is kept', () => {
  const within = (type: 'incidentRepeatedWithin' | 'incidentSuppressedWithin', count: number) =>
    compileRule(buildRule([[{ type, count, minutes: 5 }]]));
  assert.deepEqual(timesNeeded([]), { repeats: 0, suppressed: 0 });
  const rules = [
    within('incidentRepeatedWithin', 3),
    within('incidentRepeatedWithin', 8),
    within('incidentSuppressedWithin', 5),
  ];
  assert.deepEqual(timesNeeded(rules), { repeats: 8, suppressed: 5 });
});
