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
  name: name('The name of the playbook, shown on the timelines of the incidents that it changes.'),
  actions: listOf(playbookAction, {
    doc: 'The actions of the playbook, in order. An action that fails does not stop the rest.',
    max: 100,
  }),
  run_automatically: optional(
    listOf(
      choice(occasions, {
        doc: 'An incident status. escalated: a step after the first has been paged.',
      }),
      {
        doc: 'The playbook runs automatically when an incident of the team gets one of these statuses. If empty or absent, it never does.',
        min: 0,
        max: occasions.length,
      },
    ),
  ),
  condition_groups: optional(
    conditionGroups(
      'The playbook runs automatically only if all conditions of at least one of these groups match. If absent, it always does. Requires run_automatically.',
    ),
  ),
  description: description('playbook'),
  enabled: optional(
    flag({
      doc: 'Whether the playbook can run. If false, neither people nor rules can run it.',
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
  doc: 'Ordered actions that a rule, a person or another playbook runs, or that run automatically.',
  fields,
  effectsAt: 'actions',
  check(one, compile): Problem[] {
    const problems = [
      ...expressionProblems(one.condition_groups, compile),
      ...actionProblems(one.actions),
    ];
    if (one.condition_groups !== undefined && one.run_automatically === undefined)
      problems.push({ path: 'condition_groups', message: 'requires run_automatically' });
    return problems;
  },
});
