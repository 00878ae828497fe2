import type { PlaybookAction, RuleAction } from '../../resources/action.ts';
import type { Configuration, Playbook } from '../configuration.ts';
import type { Actor, Occasion } from '../incident.ts';

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
  /** It is done since the alert has become worse: it neither acknowledges nor resolves. */
  readonly isWorse?: boolean;
};
