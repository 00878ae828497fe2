// Runs a playbook: its actions in order. An action that names a playbook is replaced by its actions.
import { incidentsLimits } from '../../limits/incidents.ts';
import { NotConfigured, type Playbook } from '../configuration.ts';
import {
  type Actor,
  type Entry,
  entry,
  type Incident,
  type Outcome,
  only,
  type Refused,
  then,
} from '../incident.ts';
import { applyEffect, type Effect } from './effects.ts';
import type { PerformContext } from './perform-context.ts';
import { actorOf, failed } from './timeline-entries.ts';

/** One that an action of the team's own names. */
export function playbookIn({ playbooks }: Pick<PerformContext, 'playbooks'>, id: string): Playbook {
  const match = playbooks.get(id);
  if (!match) throw new NotConfigured(`the team has no playbook ${id}`);
  return match;
}

/** All of it happens that can: an action that cannot be done does not stop the rest. */
export function runPlaybook(
  incident: Incident,
  playbook: Playbook,
  performing: PerformContext,
): Outcome {
  const nesting = { playbooks: performing.playbooks, within: [] };
  let outcome = only(incident);
  let done = 0;
  for (const part of partsOf(playbook, performing.by, nesting)) {
    // The first part is the beginning of the playbook itself.
    const isTooMuch = done > incidentsLimits.playbookActions;
    const fitting = isTooMuch ? { by: part.by, fails: tooMuch } : part;
    outcome = then(outcome, (one) => runPart(one, fitting, performing));
    if (isTooMuch) break;
    done += 1;
  }
  return outcome;
}

const tooMuch = `a run ends after ${incidentsLimits.playbookActions} actions`;

/** What happens next in a run, and who does it. */
type Part = { readonly by: Actor } & (
  | { readonly begins: Playbook }
  | { readonly does: Effect }
  | { readonly fails: string }
);

type NestingContext = {
  readonly playbooks: ReadonlyMap<string, Playbook>;
  /** Playbooks that are running, the outermost first. */
  readonly within: readonly string[];
};

function* partsOf(playbook: Playbook, by: Actor, nesting: NestingContext): Generator<Part> {
  const runs = runnable(playbook, nesting.within);
  if ('refused' in runs) return yield { by, fails: runs.refused };
  yield { by, begins: runs };
  const itself = actorOf('playbook', runs);
  const within = [...nesting.within, runs.id];
  for (const action of runs.actions) {
    if (action.type !== 'playbook') yield { by: itself, does: action };
    else yield* partsOf(playbookIn(nesting, action.playbook_id), itself, { ...nesting, within });
  }
}

/** The playbook, if it may run; `within`: those that are running. */
export function runnable(playbook: Playbook, within: readonly string[] = []): Playbook | Refused {
  if (playbook.archived) return { refused: `${playbook.name} is archived` };
  if (!playbook.enabled) return { refused: `${playbook.name} is disabled` };
  return within.includes(playbook.id)
    ? { refused: `${playbook.name} is already running and would never end` }
    : playbook;
}

function runPart(incident: Incident, part: Part, performing: PerformContext): Outcome {
  const { by } = part;
  if ('fails' in part) return failed(incident, { by, action: 'playbook' }, part.fails);
  if ('begins' in part) return only(incident, beginning(incident, part.begins, by));
  return applyEffect(incident, part.does, { ...performing, by });
}

function beginning(incident: Incident, { id, name }: Playbook, by: Actor): Entry {
  const isItself = by.type === 'playbook' && by.id === id;
  const text = isItself ? `${by.name} ran automatically` : `${by.name} ran the playbook ${name}`;
  const details = { ...(by.type === 'rule' && { rule_id: by.id }), playbook_id: id };
  return entry(incident, 'playbook_run', text, { actor: by, details });
}
