// Playbooks that run automatically: when an incident's status changes, and when it escalates.
import { incidentsLimits } from '../../limits/incidents.ts';
import type { RunOccasion } from '../../resources/playbook.ts';
import type { DecisionContext, Playbook } from '../configuration.ts';
import {
  entry,
  type Incident,
  type Intent,
  type Outcome,
  only,
  type Refused,
  reachesSomebody,
  type Status,
  then,
} from '../incident.ts';
import { advance, type IncidentEvent } from '../lifecycle.ts';
import { cancellationReason } from '../notice-cancellation.ts';
import { runPlaybook } from './playbook.ts';
import { factsOf, type RuleSet, ruleSetOf } from './routing-rules.ts';
import { actorOf } from './timeline-entries.ts';

/** Advances an incident, then runs the team's playbooks for the change. */
export function advanceWithPlaybooks(
  incident: Incident,
  event: IncidentEvent,
  deciding: DecisionContext,
): Outcome | Refused {
  const outcome = advance(incident, event, deciding);
  if ('refused' in outcome) return outcome;
  return runPlaybooksOnChange(incident.status, outcome, { ...deciding, isOpening: false });
}

type AutomationContext = DecisionContext & { readonly isOpening: boolean };

/** Runs the playbooks for a change of status or an escalation, if there was one. A merge does not
 * count as resolving, nor paging that starts again as triggering. */
export function runPlaybooksOnChange(
  before: Status,
  outcome: Outcome,
  following: AutomationContext,
): Outcome {
  const { status, merged_into_id } = outcome.incident;
  const isAgain = before === 'acknowledged' && status === 'triggered';
  const isChanged = status !== before && merged_into_id === null && !isAgain;
  const changed = isChanged ? runStatusPlaybooks(outcome, following) : outcome;
  return runEscalationPlaybooks(changed, outcome.intents, following);
}

/** Runs the playbooks for the incident's status. */
export function runStatusPlaybooks(outcome: Outcome, following: AutomationContext): Outcome {
  const occasion = outcome.incident.status;
  const at = `${following.now.epochMilliseconds}`;
  return runAll(outcome, { ...following, occasion, at });
}

/** Runs the playbooks for an escalation, if a page of a step after the first is still to be sent. */
export function runEscalationPlaybooks(
  outcome: Outcome,
  intents: readonly Intent[],
  following: AutomationContext,
): Outcome {
  const page = intents.find(
    (one) =>
      one.kind === 'page' &&
      one.step > 0 &&
      reachesSomebody(one) &&
      cancellationReason(one, outcome.incident) === null,
  );
  if (!page) return outcome;
  const at = `${page.cycle}-${page.step}`;
  return runAll(outcome, { ...following, occasion: 'escalated', at });
}

/** `at` identifies the occasion among others of its kind of this incident. */
type OccasionContext = AutomationContext & { readonly occasion: RunOccasion; readonly at: string };

/** The changes that these playbooks make do not run other playbooks. */
function runAll(outcome: Outcome, occurring: OccasionContext): Outcome {
  const { incident } = outcome;
  const { occasion, now } = occurring;
  const { automatic: all, playbooks } = ruleSetOf(incident, occurring);
  const facts = factsOf(incident, { now, isSuppressed: false });
  const due = all.filter(
    ({ occasions, compiled }) => occasions.includes(occasion) && compiled.matches(facts),
  );
  return due.reduce(
    (done, { playbook }) => then(done, (one) => run(one, playbook, { ...occurring, playbooks })),
    outcome,
  );
}

type RunContext = OccasionContext & Pick<RuleSet, 'playbooks'>;

function run(incident: Incident, playbook: Playbook, running: RunContext): Outcome {
  const { occasion, at } = running;
  if (occasion === 'escalated' && incident.escalation.cycle >= incidentsLimits.playbookCycles)
    return couldNotRun(
      incident,
      playbook,
      `it has already been paged in ${incidentsLimits.playbookCycles} cycles`,
    );
  const by = actorOf('playbook', playbook);
  const once = `playbook-${playbook.id}-${occasion}-${at}`;
  const performing = { ...running, by, occasion: `incident_${occasion}`, once } as const;
  try {
    return runPlaybook(incident, playbook, performing);
  } catch (error) {
    // A fault in a playbook must not prevent the acknowledgement that it follows.
    return couldNotRun(incident, playbook, (error as Error).message);
  }
}

function couldNotRun(incident: Incident, playbook: Playbook, reason: string): Outcome {
  const text = `The playbook ${playbook.name} could not be run: ${reason}`;
  const actor = actorOf('playbook', playbook);
  return only(incident, entry(incident, 'action_failed', text, { actor }));
}
