// Playbooks that run by themselves when an incident is triggered, acknowledged or resolved.
import {
  entry,
  type Incident,
  type Outcome,
  only,
  type Refused,
  type Status,
  then,
} from '../incident.ts';
import { advance, type IncidentEvent } from '../life.ts';
import { actorOf } from './effect-entry.ts';
import type { Targets } from './perform.ts';
import { type Playbook, runPlaybook } from './playbook.ts';
import { bookFor, type Deciding, factsOf } from './ruled.ts';

/** The life of an incident, with what the team's playbooks do about it. */
export function live(
  incident: Incident,
  event: IncidentEvent,
  deciding: Deciding,
): Outcome | Refused {
  const outcome = advance(incident, event, deciding);
  if ('refused' in outcome) return outcome;
  return followed(incident.status, outcome, { ...deciding, isOpening: false });
}

type Following = Deciding & { readonly isOpening: boolean };

/** Runs what runs on a change of status, if there was one. A merge ends nothing, and paging that
 * starts again is no new incident. */
export function followed(before: Status, outcome: Outcome, following: Following): Outcome {
  const { status, merged_into_id } = outcome.incident;
  const isAgain = before === 'acknowledged' && status === 'triggered';
  if (status === before || merged_into_id !== null || isAgain) return outcome;
  return automatic(outcome, following);
}

/** What they do does not make others run: it ends after one round. */
export function automatic(outcome: Outcome, following: Following): Outcome {
  const { incident } = outcome;
  const { status } = incident;
  const { automatic: all, playbooks } = bookFor(incident, following);
  const facts = factsOf(incident, { now: following.now, isSuppressed: false });
  const due = all.filter(
    ({ statuses, compiled }) => statuses.includes(status) && compiled.matches(facts),
  );
  const running = { ...following, status, targets: { ...following.targets, playbooks } };
  return due.reduce(
    (done, { playbook }) => then(done, (one) => run(one, playbook, running)),
    outcome,
  );
}

type Running = Following & { readonly status: Status; readonly targets: Targets };

function run(incident: Incident, playbook: Playbook, running: Running): Outcome {
  const { id, name } = playbook;
  const { status, now } = running;
  const by = actorOf('playbook', playbook);
  const occasion = `incident_${status}` as const;
  const once = `playbook-${id}-${status}-${now.epochMilliseconds}`;
  try {
    return runPlaybook(incident, playbook, { ...running, by, occasion, once });
  } catch (error) {
    // Whoever acknowledges must not be kept from it by a fault in what follows.
    const says = `The playbook ${name} could not be run: ${(error as Error).message}`;
    return only(incident, entry(incident, 'action_failed', says, { actor: by }));
  }
}
