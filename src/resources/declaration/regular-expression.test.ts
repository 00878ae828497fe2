import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBody } from '../../api/records/body.ts';
import { compileExpression } from '../../rules/expression.ts';
import { alertRoutingRule } from '../alert-routing-rule.ts';
import type { Comparator, ConditionGroups } from '../condition.ts';
import { expressionProblems } from './regular-expression.ts';

type Condition = ConditionGroups[number]['conditions'][number];
const message = (comparator: Comparator, text: string): Condition => ({
  type: 'incidentMessage',
  comparator,
  text,
});
const problemsOf = (...groups: Condition[][]) =>
  expressionProblems(
    groups.map((conditions) => ({ conditions })),
    compileExpression,
  );

test('each expression that does not compile is a mistake at its path', () => {
  const inDetails: Condition = {
    type: 'incidentDetails',
    key: 'k',
    comparator: 'doesNotMatch',
    text: 'b)',
  };
  const problems = problemsOf(
    [message('matches', 'fine'), message('matches', 'a(')],
    [{ type: 'allIncidents' }, inDetails],
  );
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['condition_groups[0].conditions[1].text', 'condition_groups[1].conditions[1].text'],
  );
  assert.match(problems[0]?.message ?? '', /^is not a valid RE2 regular expression: missing/);
});

test('the texts of other comparators are no expressions', () => {
  assert.deepEqual(problemsOf([message('contains', 'a('), message('doesNotEqual', '*')]), []);
});

test('expressions that are too large together are one mistake, at the first that is too much', () => {
  const large = message('matches', 'a{450}b');
  const groups = Array.from({ length: 30 }, () => [large]);
  assert.deepEqual(problemsOf(...groups), [
    {
      path: 'condition_groups[11].conditions[0].text',
      message: 'is too large a regular expression in total with those before it',
    },
  ]);
});

test('a rule checks its expressions', () => {
  const rule = { condition_groups: [{ conditions: [message('matches', '(')] }], actions: [] };
  const [problem] = alertRoutingRule.check(rule, compileExpression);
  assert.equal(problem?.path, 'condition_groups[0].conditions[0].text');
});

test('a wrong expression is listed with all other mistakes', () => {
  const conditions = [{ type: 'incidentMessage', comparator: 'matches' }, message('matches', '(')];
  const actions = [{ type: 'acknowledgeIncident' }];
  const { problems } = readBody(alertRoutingRule, {
    name: 'r',
    condition_groups: [{ conditions }, {}],
    actions,
    service_ids: ['a'.repeat(24)],
  });
  assert.deepEqual(
    problems.map(({ path }) => path),
    [
      ...['condition_groups[0].conditions[0].text', 'condition_groups[1].conditions'],
      ...['condition_groups[0].conditions[1].text', 'service_ids'],
    ],
  );
});

test('a rule without conditions has the mistakes of its actions too', () => {
  const actions = [{ type: 'resolveTimer', after: 1_000, unit: 'days' }];
  const { problems } = readBody(alertRoutingRule, { name: 'r', actions });
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['condition_groups', 'actions[0].after'],
  );
});

test('a template that names what no incident has is a mistake at its path', () => {
  const actions = [{ type: 'acknowledgeIncident' }, { type: 'title', template: '{{host}}' }];
  const [problem, ...others] = alertRoutingRule.check({ condition_groups: [], actions });
  assert.equal(problem?.path, 'actions[1].template');
  assert.deepEqual(others, []);
});
