// What happens next to an incident if nobody acts, decided by the function that will do it.
import { advanceWithPlaybooks } from './actions/automatic-playbooks.ts';
import type { DecisionContext } from './configuration.ts';
import { type Incident, isDue, isOpen, type Outcome, wakeAt } from './incident.ts';
import { dueTimer, type TimerType } from './lifecycle.ts';
import { awaitingNothing } from './page-results.ts';

export type Upcoming = {
  readonly at: Temporal.Instant;
  readonly timer: TimerType;
  readonly outcome: Outcome;
};

type Forecast = {
  readonly upcoming: readonly Upcoming[];
  /** What comes after them; `more`: they are as many as were wanted. */
  readonly end: 'resolved' | 'nothing' | 'more';
};

/** The next timer of an incident, as if each page were sent; null: there is none. */
export function nextTimer(incident: Incident): Pick<Upcoming, 'at' | 'timer'> | null {
  const expected = awaitingNothing(incident);
  const at = wakeAt(expected);
  const timer = at && dueTimer(expected, at);
  return at && timer && timer !== 'taken' ? { at, timer } : null;
}

/** The next timers of an incident, so many at most, as if each page were sent. */
export function whatIsNext(
  incident: Incident,
  { configuration, now }: DecisionContext,
  most: number,
): Forecast {
  const upcoming: Upcoming[] = [];
  let current = awaitingNothing(incident);
  let at = now;
  for (;;) {
    const wake = wakeAt(current);
    if (wake === null) return { upcoming, end: isOpen(current) ? 'nothing' : 'resolved' };
    if (upcoming.length >= most) return { upcoming, end: 'more' };
    if (!isDue(wake, at)) at = wake;
    const timer = dueTimer(current, at);
    const outcome = advanceWithPlaybooks(current, { type: 'timer' }, { configuration, now: at });
    if (timer === null || timer === 'taken' || 'refused' in outcome)
      throw new Error(`INC-${current.number} wakes at ${at}, and nothing is due`);
    upcoming.push({ at, timer, outcome });
    current = awaitingNothing(outcome.incident);
  }
}
