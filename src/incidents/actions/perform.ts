// What a rule or a playbook does to an incident. Nothing that goes wrong in the world throws here:
// an action that cannot be done says so on the timeline, and the next one goes on.
import type { PlaybookAction, RuleAction } from '../../resources/action.ts';
import type { Receiver } from '../arrival/receiver.ts';
import type { Directory } from '../directory.ts';
import type { Actor, Incident, Occasion, Outcome } from '../incident.ts';
import { takeEffect } from './effects.ts';
import { type Playbook, runPlaybook } from './playbook.ts';

export type Action = RuleAction | PlaybookAction;

type Webhook = { readonly team_id: string; readonly name: string; readonly archived: boolean };

/** What actions point to, by id: as it is now, archived or not. */
export type Targets = {
  readonly policies: ReadonlyMap<string, Receiver['policy']>;
  /** By the integration's id. */
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly webhooks: ReadonlyMap<string, Webhook>;
  readonly playbooks: ReadonlyMap<string, Playbook>;
};

export type Performing = {
  /** Who does it, named as in a sentence (see actorOf). */
  readonly by: Actor;
  readonly directory: Directory;
  readonly targets: Targets;
  readonly now: Temporal.Instant;
  readonly occasion: Occasion;
  /** Names this run of actions: what it tells somebody, it tells once. */
  readonly once: string;
  /** The incident was just made: its first step fires after all that is done to it here. */
  readonly isOpening: boolean;
};

/** The incident after one action, with whom to tell and what the timeline says. */
export function perform(incident: Incident, action: Action, performing: Performing): Outcome {
  if (action.type !== 'playbook') return takeEffect(incident, action, performing);
  const playbook = performing.targets.playbooks.get(action.playbook_id);
  return runPlaybook(incident, playbook, performing);
}
