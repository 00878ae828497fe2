// What a rule or a playbook does to an incident. Nothing that goes wrong in the world throws here:
// an action that cannot be done says so on the timeline, and the next one goes on.
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
  /** Names this run of actions: what it tells somebody, it tells once. */
  readonly once: string;
  /** The incident was just made: its first step fires after all that is done to it here. */
  readonly isOpening: boolean;
};

/** The incident after one action, with whom to tell and what the timeline says. */
export function perform(incident: Incident, action: Action, performing: PerformContext): Outcome {
  if (action.type !== 'playbook') return applyEffect(incident, action, performing);
  return runPlaybook(incident, playbookIn(performing, action.playbook_id), performing);
}
