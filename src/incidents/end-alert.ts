// The end of one of several alerts: the incident goes on as long as another fires.
import {
  type Actor,
  after,
  type Entry,
  entry,
  type Incident,
  isDue,
  isSooner,
  type Outcome,
  only,
  type Reporting,
  timer,
  withEscalation,
} from './incident.ts';
import {
  type AlertKey,
  alertIn,
  endedAt,
  focused,
  hasOthersFiring,
  isFiring,
  marked,
  settled,
} from './incident-alerts.ts';

type Ending = {
  readonly by: Actor;
  readonly now: Temporal.Instant;
  /** The event that reported it. */
  readonly eventId?: string;
};

/** Of an incident in which others fire; focused on the alert. */
export function endAlert(view: Incident, key: AlertKey, { by, now, eventId }: Ending): Outcome {
  const alert = alertIn(view, key);
  if (alert === undefined) return only(view);
  const { reporting, ...ended } = endedAt(alert, now);
  const over = withEscalation(
    { ...marked(view, key, { ...ended, reporting }), updated_at: now },
    reporting,
  );
  const { title, dedup_key, integration_id } = alert;
  const details = {
    ...(eventId !== undefined && { event_id: eventId }),
    title,
    integration_id,
    dedup_key,
  };
  return only(over, entry(view, 'alert_resolved', `${title} ended`, { actor: by, details }));
}

type Silence = {
  /** When it counts as over, by how it is reported. */
  readonly dueOf: (reporting: Reporting) => Temporal.Instant | null;
  /** The same, without the time in which nobody could listen; focused on the alert. */
  readonly laterOf: (view: Incident) => Partial<Reporting> | null;
  /** Of the last that fires. */
  readonly end: (view: Incident) => Outcome;
};

/** Ends those alerts of which the source has not spoken for too long. */
export function endSilent(
  incident: Incident,
  now: Temporal.Instant,
  { dueOf, laterOf, end }: Silence,
): Outcome {
  const entries: Entry[] = [];
  let current = incident;
  for (const alert of incident.alerts ?? []) {
    if (!isFiring(alert) || !isDue(dueOf(alert.reporting), now)) continue;
    const view = focused(current, alert);
    const later = laterOf(view);
    const until = later && dueOf({ ...alert.reporting, ...later });
    if (later && until && isSooner(now, until)) {
      current = settled(withEscalation(view, later), alert, current);
    } else if (hasOthersFiring(current, alert)) {
      const ended = endAlert(view, alert, { by: timer, now });
      entries.push(...ended.entries);
      current = settled(ended.incident, alert, current);
    } else {
      return after(entries, end(current));
    }
  }
  return { ...only(current), entries };
}
