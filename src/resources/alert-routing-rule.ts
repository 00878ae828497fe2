import { actionProblems, ruleAction } from './action.ts';
import { conditionGroups } from './condition.ts';
import { description, flag, id, listOf, name, optional, wholeNumber } from './declaration/field.ts';
import { expressionProblems } from './declaration/regular-expression.ts';
import { type Problem, resource } from './declaration/resource.ts';

const ofTeam = { within: 'team' } as const;

export const alertRoutingRule = resource({
  name: 'alert_routing_rule',
  table: 'alert_routing_rules',
  route: 'alert-rules',
  doc: 'Changes incidents as they arrive.',
  fields: {
    name: name('The name of the rule, as the timelines of the incidents that it changes show it.'),
    condition_groups: conditionGroups(
      'When the rule matches: if all conditions hold of at least one of these groups.',
    ),
    actions: listOf(ruleAction, {
      doc: 'What the rule does to an incident that it matches, in this order.',
      max: 100,
    }),
    integration_ids: optional(
      listOf(id('The id of an integration of the team.', { to: 'integration', ...ofTeam }), {
        doc: 'The integrations whose incidents the rule looks at; all of the team when absent.',
        max: 1_000,
      }),
    ),
    service_ids: optional(
      listOf(id('The id of a service of the team.', { to: 'service', ...ofTeam }), {
        doc: 'The services whose incidents the rule looks at; all of them when absent. Needs integration_ids to be set.',
        max: 1_000,
      }),
    ),
    description: description('rule'),
    enabled: optional(
      flag({ doc: 'Whether the rule runs; while false, it is skipped.', default: true }),
    ),
    position: optional(
      wholeNumber({
        doc: "Where the rule stands in the order of the team's rules, the lowest first; rules without a position run last, by counter.",
        min: 0,
        max: 1_000_000,
        setElsewhere: true,
      }),
    ),
  },
  lostByReplacement: 'The new one runs last, unless position is configured.',
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
