// A playbook runs: its actions in order, with those of a playbook that it names in their place.
import type { PlaybookFields } from '../resources/playbook.ts';
import { actorOf, failed } from './effect-entry.ts';
import { type Effect, takeEffect } from './effects.ts';
import {
  type Actor,
  type Entry,
  entry,
  type Incident,
  type Outcome,
  only,
  then,
} from './incident.ts';
import type { Performing } from './perform.ts';

/** As it is stored; conditions are judged by whoever runs it automatically. */
export type Playbook = Pick<
  PlaybookFields,
  'name' | 'actions' | 'run_automatically' | 'condition_groups'
> & {
  readonly id: string;
  readonly team_id: string;
  readonly archived: boolean;
  readonly enabled: boolean;
};

const actionsAtMost = 100;

/** All of it happens that can: an action that cannot be done does not stop the rest. */
export function runPlaybook(
  incident: Incident,
  playbook: Playbook | undefined,
  performing: Performing,
): Outcome {
  const given = { playbooks: performing.targets.playbooks, within: [] };
  let outcome = only(incident);
  let done = 0;
  for (const part of partsOf(playbook, performing.by, given)) {
    // The first part is the beginning of the playbook itself.
    const isTooMuch = done > actionsAtMost;
    const fitting = isTooMuch ? { by: part.by, fails: tooMuch } : part;
    outcome = then(outcome, (one) => play(one, fitting, performing));
    if (isTooMuch) break;
    done += 1;
  }
  return outcome;
}

const tooMuch = `a run has at most ${actionsAtMost} actions, and ends here`;

/** What happens next in a run, and who does it. */
type Part = { readonly by: Actor } & (
  | { readonly begins: Playbook }
  | { readonly does: Effect }
  | { readonly fails: string }
);

type Given = {
  readonly playbooks: ReadonlyMap<string, Playbook>;
  /** Playbooks that are running, the outermost first. */
  readonly within: readonly string[];
};

function* partsOf(playbook: Playbook | undefined, by: Actor, given: Given): Generator<Part> {
  if (!playbook) return yield { by, fails: 'there is no such playbook' };
  const trouble = troubleWith(playbook, given.within);
  if (trouble !== null) return yield { by, fails: `${playbook.name} ${trouble}` };
  yield { by, begins: playbook };
  const itself = actorOf('playbook', playbook);
  const within = [...given.within, playbook.id];
  for (const action of playbook.actions) {
    if (action.type !== 'playbook') yield { by: itself, does: action };
    else yield* partsOf(given.playbooks.get(action.playbook_id), itself, { ...given, within });
  }
}

function troubleWith(playbook: Playbook, within: readonly string[]): string | null {
  if (playbook.archived) return 'is archived';
  if (!playbook.enabled) return 'is disabled';
  return within.includes(playbook.id) ? 'is running already, and would never end' : null;
}

function play(incident: Incident, part: Part, performing: Performing): Outcome {
  const { by } = part;
  if ('fails' in part) return failed(incident, { by, action: 'playbook' }, part.fails);
  if ('begins' in part) return only(incident, beginning(incident, part.begins, by));
  return takeEffect(incident, part.does, { ...performing, by });
}

function beginning(incident: Incident, { id, name }: Playbook, by: Actor): Entry {
  const isItself = by.type === 'playbook' && by.id === id;
  const says = isItself ? `${by.name} ran by itself` : `${by.name} ran the playbook ${name}`;
  const details = { ...(by.type === 'rule' && { rule_id: by.id }), playbook_id: id };
  return entry(incident, 'playbook_run', says, { actor: by, details });
}
