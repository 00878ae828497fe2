// Resolving (by a person, a timer, or an alert that is no longer reported) and reopening.

import { incidentsLimits } from '../limits/incidents.ts';
import { spanText } from '../resources/plural.ts';
import type { DecisionContext } from './configuration.ts';
import { startCycle } from './escalation.ts';
import {
  type Actor,
  after,
  entry,
  type Incident,
  isDue,
  isOpen,
  nothingAwaited,
  type Outcome,
  type Refused,
  spanAfter,
  timer,
  withEscalation,
} from './incident.ts';
import { endAll, firingAgain } from './incident-alerts.ts';

export function resolve(incident: Incident, by: Actor, now: Temporal.Instant): Outcome {
  const stopped = withEscalation(incident, {
    ...nothingAwaited,
    ackTimeoutAt: null,
    resolveAt: null,
    expiresAt: null,
    ...(incident.escalation.quietAt && { quietAt: null }),
    storm: null,
    recentTriggers: [],
  });
  const byTimer = by.type === 'timer';
  const text = byTimer ? 'Resolved by the timer' : `${by.name} resolved`;
  const ended = endAll(stopped, now);
  return {
    incident: { ...ended, status: 'resolved', resolved_at: now, resolved_by_timer: byTimer },
    intents: [],
    entries: [entry(incident, 'resolved', text, { actor: by })],
    allClear: true,
  };
}

export function expire(incident: Incident, now: Temporal.Instant): Outcome {
  const expired = entry(incident, 'expired', 'The source no longer reports the alert', {
    actor: timer,
  });
  return after([expired], resolve(incident, timer, now));
}

/** What is repeated while it lasts has not been repeated for long enough. */
export function fallSilent(incident: Incident, now: Temporal.Instant): Outcome {
  const { quiet } = incident.escalation;
  const text = `The alert did not arrive again${quiet ? ` for ${spanText(quiet)}` : ''}`;
  const silent = entry(incident, 'fell_silent', text, { actor: timer });
  return after([silent], resolve(incident, timer, now));
}

type Reopen = { readonly by: Actor; readonly anotherIsOpen: boolean };

export function reopen(
  incident: Incident,
  event: Reopen,
  context: DecisionContext,
): Outcome | Refused {
  const { now } = context;
  if (isOpen(incident)) return { refused: `INC-${incident.number} is open` };
  if (incident.merged_into_id !== null)
    return { refused: `INC-${incident.number} was merged into another incident` };
  if (
    incident.resolved_at &&
    isDue(incident.resolved_at.add({ hours: incidentsLimits.reopenHours }), now)
  )
    return {
      refused: `INC-${incident.number} was resolved more than ${incidentsLimits.reopenHours} hours ago`,
    };
  if (event.anotherIsOpen) return { refused: 'another incident with the same key is open' };
  const heard = withEscalation(incident, {
    resolveAt: spanAfter(now, incident.escalation.autoResolve),
    ...(incident.escalation.quiet && {
      heardAt: now,
      quietAt: spanAfter(now, incident.escalation.quiet),
    }),
    ...(incident.alerts && { joinedAt: now }),
  });
  const opened: Incident = {
    ...firingAgain({ ...heard, status: 'triggered' }, incident.resolved_at),
    status: 'triggered',
    acknowledged_at: null,
    resolved_at: null,
    resolved_by_timer: false,
    muted_until: null,
  };
  const text = `${event.by.name} reopened it, so paging starts again at step 1`;
  const reopened = entry(incident, 'reopened', text, { actor: event.by });
  return after([reopened], startCycle(opened, context.configuration, now));
}
