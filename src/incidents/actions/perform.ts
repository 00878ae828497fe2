// What a rule or a playbook does to an incident. An action that cannot be done does not throw: it has
// a timeline entry that says why, and the next action runs.
import type { Incident, Outcome } from '../incident.ts';
import { applyEffect } from './effects.ts';
import type { Action, PerformContext } from './perform-context.ts';
import { playbookIn, runPlaybook } from './playbook.ts';

/** The incident after one action, with notices and timeline entries. */
export function perform(incident: Incident, action: Action, performing: PerformContext): Outcome {
  if (action.type !== 'playbook') return applyEffect(incident, action, performing);
  return runPlaybook(incident, playbookIn(performing, action.playbook_id), performing);
}
