import type { Static, TProperties } from 'typebox';
import { actionProblems, playbookAction } from './action.ts';
import { conditionGroups } from './condition.ts';
import { expressionProblems } from './declaration/expression.ts';
import {
  choice,
  description,
  flag,
  listOf,
  name,
  type objectOf,
  optional,
} from './declaration/field.ts';
import { type Problem, resource } from './declaration/resource.ts';

const occasions = ['triggered', 'escalated', 'acknowledged', 'resolved'] as const;
/** When a playbook may run by itself; `escalated`: a step after the first is paged. */
export type RunOccasion = (typeof occasions)[number];

const fields = {
  name: name('Shown on the timeline of what it changed.'),
  actions: listOf(playbookAction, {
    doc: 'Run in order; one that cannot be done does not stop the rest.',
    max: 100,
  }),
  run_automatically: optional(
    listOf(choice(occasions, { doc: 'A status, or that a step after the first is paged.' }), {
      doc: 'Runs by itself when an incident of the team becomes one of these; none: never.',
      min: 0,
      max: occasions.length,
    }),
  ),
  condition_groups: optional(conditionGroups()),
  description: description(),
  enabled: optional(flag({ doc: 'Nobody and nothing runs it while false.', default: true })),
} satisfies TProperties;

/** As it is stored. */
export type PlaybookFields = Static<ReturnType<typeof objectOf<typeof fields>>>;

/** No Terraform resource: made in the dashboard and by the API. */
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
