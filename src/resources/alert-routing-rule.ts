import { actionProblems, type RuleAction, ruleAction } from './action.ts';
import { type ConditionGroups, conditionGroups } from './condition.ts';
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
    name: name('The name of the rule, shown on the timelines of the incidents that it changes.'),
    condition_groups: conditionGroups(
      'The rule matches if all conditions of at least one of these groups match.',
    ),
    actions: listOf(ruleAction, {
      doc: 'The actions of the rule, in order.',
      max: 100,
    }),
    integration_ids: optional(
      listOf(id('The id of an integration of the team.', { to: 'integration', ...ofTeam }), {
        doc: 'The integrations that the rule covers. If absent, all integrations of the team.',
        max: 1_000,
      }),
    ),
    service_ids: optional(
      listOf(id('The id of a service of the team.', { to: 'service', ...ofTeam }), {
        doc: 'The services that the rule covers. If absent, all services. Requires integration_ids.',
        max: 1_000,
      }),
    ),
    description: description('rule'),
    enabled: optional(
      flag({ doc: 'Whether the rule runs. If false, it is skipped.', default: true }),
    ),
    position: optional(
      wholeNumber({
        doc: "The position of the rule among the team's rules, lowest first. Rules without a position run last, oldest first.",
        min: 0,
        max: 1_000_000,
        setElsewhere: true,
      }),
    ),
  },
  effectsAt: 'actions',
  lostByReplacement: 'The new rule runs last unless position is configured.',
  check(rule, compile): Problem[] {
    const problems = [
      ...expressionProblems(rule.condition_groups, compile),
      ...actionProblems(rule.actions),
      ...groupingProblems(rule),
    ];
    if (rule.service_ids !== undefined && rule.integration_ids === undefined)
      problems.push({ path: 'service_ids', message: 'requires integration_ids' });
    return problems;
  },
});

type RuleFields = {
  /** Absent in a body that lacks it. */
  readonly condition_groups?: ConditionGroups;
  readonly actions: readonly RuleAction[];
};

/** What alerts are grouped by is decided before they are counted, and once. */
function groupingProblems({ condition_groups = [], actions }: RuleFields): readonly Problem[] {
  const counting = condition_groups
    .flatMap(({ conditions }) => conditions)
    .find(
      ({ type }) => type.startsWith('incidentRepeated') || type.startsWith('incidentSuppressed'),
    );
  const grouping = actions.flatMap(({ type }, index) => (type === 'groupIncident' ? [index] : []));
  return grouping.flatMap((index, place) => [
    ...(place > 0
      ? [{ path: `actions[${index}]`, message: 'cannot be combined with another groupIncident' }]
      : []),
    ...(counting
      ? [
          {
            path: `actions[${index}]`,
            message: `cannot be combined with the condition ${counting.type}, because alerts are grouped before they are counted`,
          },
        ]
      : []),
  ]);
}
