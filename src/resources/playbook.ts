import type { Static, TProperties } from 'typebox';
import { actionProblems, playbookAction } from './action.ts';
import { conditionGroups } from './condition.ts';
import {
  choice,
  description,
  flag,
  listOf,
  name,
  type objectOf,
  optional,
} from './declaration/field.ts';
import { expressionProblems } from './declaration/regular-expression.ts';
import { type Problem, resource } from './declaration/resource.ts';

const occasions = ['triggered', 'escalated', 'acknowledged', 'resolved'] as const;
/** When a playbook may run by itself; `escalated`: a step after the first is paged. */
export type RunOccasion = (typeof occasions)[number];

const fields = {
  name: name(
    'The name of the playbook, as the timelines of the incidents that it changes show it.',
  ),
  actions: listOf(playbookAction, {
    doc: 'What the playbook does to an incident, in this order; an action that fails does not stop the rest.',
    max: 100,
  }),
  run_automatically: optional(
    listOf(
      choice(occasions, {
        doc: 'A status of incidents; escalated: a step after the first is paged.',
      }),
      {
        doc: 'When the playbook runs by itself: as soon as an incident of the team becomes one of these; never when empty or absent.',
        min: 0,
        max: occasions.length,
      },
    ),
  ),
  condition_groups: optional(
    conditionGroups(
      'When the playbook runs by itself: if all conditions hold of at least one of these groups; always when absent. Needs run_automatically.',
    ),
  ),
  description: description('playbook'),
  enabled: optional(
    flag({
      doc: 'Whether the playbook can be run; while false, neither people nor rules run it.',
      default: true,
    }),
  ),
} satisfies TProperties;

/** As it is stored. */
export type PlaybookFields = Static<ReturnType<typeof objectOf<typeof fields>>>;

export const playbook = resource({
  name: 'playbook',
  table: 'playbooks',
  route: 'playbooks',
  doc: 'Actions in order, run by a rule, a person, another playbook, or by itself.',
  fields,
  check(one, compile): Problem[] {
    const problems = [
      ...expressionProblems(one.condition_groups, compile),
      ...actionProblems(one.actions),
    ];
    if (one.condition_groups !== undefined && one.run_automatically === undefined)
      problems.push({ path: 'condition_groups', message: 'needs run_automatically to be set too' });
    return problems;
  },
});
