// News that the pages so far did not show starts paging again at step 1, whoever has acknowledged or
// muted the incident before. docs/decisions/0111-grouping.md.
import type { DecisionContext } from './configuration.ts';
import { startCycle } from './escalation.ts';
import {
  after,
  type Entry,
  entry,
  forGood,
  type Incident,
  isDue,
  minutesAfter,
  type Outcome,
  only,
  withEscalation,
} from './incident.ts';
import { isWorseThanShown, type Reported } from './raise-severity.ts';

/** Joins that are no worse start paging again at most this often. */
const pauseMinutes = 5;

/**
 * After an alert that is worse than what `before` showed: a mute that ends holds the pages until then,
 * one for good is over. What is about to page for the first time shows the alert anyway.
 */
export function pageForWorse(
  incident: Incident,
  { before, alert }: { readonly before: Incident; readonly alert: Reported },
  context: DecisionContext,
): Outcome {
  const isNews = isWorseThanShown(before, alert) && incident.status !== 'resolved';
  const isMutedForGood = incident.muted_until?.equals(forGood) ?? false;
  // A rule may have started paging again already; one that is acknowledged or muted it only moves.
  const isRestarted =
    incident.escalation.cycle !== before.escalation.cycle &&
    incident.status === 'triggered' &&
    !isMutedForGood;
  if (!isNews || isRestarted || (awaitsFirstStep(incident) && !isMutedForGood))
    return only(incident);
  const entries: Entry[] = [];
  let again = incident;
  if (isMutedForGood) {
    again = { ...again, muted_until: null };
    entries.push(entry(incident, 'unmuted', 'The mute ended because a worse alert arrived'));
  }
  if (incident.status === 'acknowledged') {
    const text = 'The acknowledgement ended because a worse alert arrived, so paging starts again';
    entries.push(entry(incident, 'unacknowledged', text));
    again = {
      ...withEscalation(again, { ackTimeoutAt: null }),
      status: 'triggered',
      acknowledged_at: null,
    };
  } else entries.push(entry(incident, 'paged_again', 'Paging starts again at step 1'));
  return after(entries, startCycle(again, context.configuration, context.now));
}

/**
 * After an alert has joined it that is no worse: only if no step is left that would show it, and at
 * most every five minutes.
 */
export function pageForJoin(incident: Incident, context: DecisionContext): Outcome {
  const { now, configuration } = context;
  const { stepAt, stepRemainingMs, steppedAt, repeatsLeft } = incident.escalation;
  const isOver = stepAt === null && stepRemainingMs === null;
  if (incident.status !== 'triggered' || incident.muted_until !== null || !isOver)
    return only(incident);
  // What joins in the moment of a page is on it.
  if (steppedAt?.equals(now)) return only(incident);
  const due = steppedAt === undefined ? now : minutesAfter(steppedAt, pauseMinutes);
  const why = 'Another alert joined after the last step, so paging starts again at step 1';
  if (isDue(due, now))
    return after([entry(incident, 'paged_again', why)], startCycle(incident, configuration, now));
  const waiting = { stepAt: due, repeatsLeft: Math.max(1, repeatsLeft) };
  const text = `${why} at ${due.toString({ smallestUnit: 'second' })}`;
  return only(
    withEscalation(incident, waiting),
    entry(incident, 'paged_again', text, { details: { at: `${due}` } }),
  );
}

const awaitsFirstStep = ({ status, escalation }: Incident): boolean =>
  status === 'triggered' &&
  escalation.nextStep === 0 &&
  (escalation.stepAt !== null || escalation.stepRemainingMs !== null);
