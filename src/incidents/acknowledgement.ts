// Acknowledging stops paging; after the acknowledgement timeout, or when it is taken back, paging
// starts again.
import { counted } from '../resources/plural.ts';
import type { DecisionContext } from './configuration.ts';
import { startCycle } from './escalation.ts';
import {
  type Actor,
  after,
  entry,
  type Incident,
  minutesAfter,
  noted,
  nothingAwaited,
  type Outcome,
  only,
  withEscalation,
} from './incident.ts';

export function acknowledge(incident: Incident, by: Actor, now: Temporal.Instant): Outcome {
  if (incident.status === 'acknowledged')
    return only(incident, noted(incident, by, 'acknowledge', 'it was already acknowledged'));
  const { ackTimeoutMinutes } = incident.escalation;
  const stopped = withEscalation(incident, {
    ...nothingAwaited,
    ackTimeoutAt: ackTimeoutMinutes === null ? null : minutesAfter(now, ackTimeoutMinutes),
    ...byRule(incident, by.type === 'rule' || by.type === 'playbook'),
  });
  const text = `${by.name} acknowledged, so nobody else is paged`;
  return only(
    { ...stopped, status: 'acknowledged', acknowledged_at: now },
    entry(incident, 'acknowledged', text, { actor: by }),
  );
}

const byRule = ({ escalation }: Incident, isByRule: boolean) =>
  isByRule || escalation.isAcknowledgedByRule ? { isAcknowledgedByRule: isByRule } : {};

/** By a person, or by the acknowledgement timeout. */
export function unacknowledge(incident: Incident, by: Actor, context: DecisionContext): Outcome {
  const text =
    by.type === 'timer'
      ? `Acknowledged ${counted(incident.escalation.ackTimeoutMinutes ?? 0, 'minute')} ago but not resolved, so paging starts again at step 1`
      : `${by.name} removed the acknowledgement, so paging starts again at step 1`;
  const unacknowledged = entry(incident, 'unacknowledged', text, { actor: by });
  const cleared = withEscalation(incident, { ackTimeoutAt: null });
  const triggered: Incident = { ...cleared, status: 'triggered', acknowledged_at: null };
  return after([unacknowledged], startCycle(triggered, context.configuration, context.now));
}
