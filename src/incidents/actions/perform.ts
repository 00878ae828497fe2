// What a rule or a playbook does to an incident. An action that cannot be done does not throw: it has
// a timeline entry that says why, and the next action runs.
import type { PlaybookAction, RuleAction } from '../../resources/action.ts';
import type { Configuration } from '../configuration.ts';
import type { Actor, Incident, Occasion, Outcome } from '../incident.ts';
import { applyEffect } from './effects.ts';
import { type Playbook, playbookIn, runPlaybook } from './playbook.ts';

export type Action = RuleAction | PlaybookAction;

export type PerformContext = {
  /** Who does it, named as in a sentence (see actorOf). */
  readonly by: Actor;
  readonly configuration: Configuration;
  /** Of the team whose rule or playbook it is. */
  readonly playbooks: ReadonlyMap<string, Playbook>;
  readonly now: Temporal.Instant;
  readonly occasion: Occasion;
  /** Identifies this run of actions: nobody gets the same notice of it twice. */
  readonly once: string;
  /** The incident is being opened: its first step runs after all actions. */
  readonly isOpening: boolean;
};

/** The incident after one action, with notices and timeline entries. */
export function perform(incident: Incident, action: Action, performing: PerformContext): Outcome {
  if (action.type !== 'playbook') return applyEffect(incident, action, performing);
  return runPlaybook(incident, playbookIn(performing, action.playbook_id), performing);
}
