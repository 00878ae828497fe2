import { actionProblems, ruleAction } from './action.ts';
import { conditionGroups } from './condition.ts';
import { expressionProblems } from './declaration/expression.ts';
import { description, flag, id, listOf, name, optional, wholeNumber } from './declaration/field.ts';
import { type Problem, resource } from './declaration/resource.ts';

const ofTeam = { within: 'team' } as const;

export const alertRoutingRule = resource({
  name: 'alert_routing_rule',
  table: 'alert_routing_rules',
  route: 'alert-rules',
  doc: 'Changes incidents as they arrive.',
  fields: {
    name: name('Shown on the timeline of what it changed.'),
    condition_groups: conditionGroups(),
    actions: listOf(ruleAction, { doc: 'Run in order.', max: 100 }),
    integration_ids: optional(
      listOf(id('An integration.', { to: 'integration', ...ofTeam }), {
        doc: 'Only incidents of these; absent: every integration of the team.',
        max: 1_000,
      }),
    ),
    service_ids: optional(
      listOf(id('A service.', { to: 'service', ...ofTeam }), {
        doc: 'Narrows the rule; needs integration_ids.',
        max: 1_000,
      }),
    ),
    description: description(),
    enabled: optional(flag({ doc: 'Skipped while false.', default: true })),
    position: optional({
      ...wholeNumber({ doc: 'Rules run by position, then counter.', min: 0, max: 1_000_000 }),
      'x-api-only': true,
    }),
  },
  check(rule, compile): Problem[] {
    const problems = [
      ...expressionProblems(rule.condition_groups, compile),
      ...actionProblems(rule.actions),
    ];
    if (rule.service_ids !== undefined && rule.integration_ids === undefined)
      problems.push({ path: 'service_ids', message: 'needs integration_ids to be set too' });
    return problems;
  },
});
