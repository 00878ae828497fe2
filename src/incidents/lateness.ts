// What comes late. Only an end that the source itself reported, with an instant of its own, makes
// anything late: it says that an older problem is over, or may be. docs/decisions/0078-order.md.
import type { AlertEvent, SourceTime } from '../alerts/alert.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { DecisionContext } from './configuration.ts';
import { runStep } from './escalation.ts';
import {
  after,
  entry,
  type Incident,
  isDue,
  isMuted,
  isSooner,
  minutesAfter,
  type Outcome,
  only,
  withEscalation,
} from './incident.ts';
import type { KeyEnd } from './key-end.ts';
import { stillReportedBy } from './two-senders.ts';

/** For how long the paging of a firing is put off that may be a copy. */
const putOffMinutes = 6;
/** By so much an end may be older than the trigger that it ends. */
const TOLERANCE = { minutes: 1 } as const;

const shown = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'second' });

/** Why the alert opens nothing, or until when its paging is put off. */
export type Lateness =
  | { readonly opens: false; readonly reason: string }
  | { readonly opens: true; readonly until: Temporal.Instant; readonly end: KeyEnd };

/** Null: the trigger is not late. */
export function latenessOf(
  { sourceTime }: Pick<AlertEvent, 'sourceTime'>,
  end: KeyEnd | null | undefined,
  now: Temporal.Instant,
): Lateness | null {
  if (!sourceTime?.mayBeLate || !end || end.by !== sourceTime.by) return null;
  if (!isSooner(sourceTime.at, end.endedAt)) return null;
  if (isDue(end.takenAt.add({ hours: incidentsLimits.endHours }), now)) return null;
  if (sourceTime.by === 'mail') {
    const reason = `it was written at ${shown(sourceTime.at)}, before the end of ${shown(end.endedAt)} that already arrived`;
    return { opens: false, reason };
  }
  const isKnown = end.putOff?.beganAt.equals(sourceTime.at) ?? false;
  const since = isKnown && end.putOff ? end.putOff.since : now;
  const until = minutesAfter(since, putOffMinutes);
  return { opens: true, until, end: { ...end, putOff: { beganAt: sourceTime.at, since } } };
}

type PutOff = Extract<Lateness, { readonly opens: true }>;

/** The first step of an incident that is just opened waits. */
export function putOff(incident: Incident, { until, end }: PutOff): Outcome {
  const [began, ended] = [end.putOff?.beganAt ?? end.endedAt, end.endedAt].map(shown);
  const text = `Paging starts at ${shown(until)} unless the alert ends. The alert began at ${began}, before its last end at ${ended}, so it may be a late copy`;
  return only(
    withEscalation(incident, { stepAt: until, putOffUntil: until }),
    entry(incident, 'paging_put_off', text, { details: { until: `${until}` } }),
  );
}

/** Until when the first step waits for that; null: it does not. */
const putOffUntilOf = ({ status, escalation }: Incident): Temporal.Instant | null =>
  status === 'triggered' && escalation.cycle === 0 && escalation.nextStep === 0
    ? (escalation.putOffUntil ?? null)
    : null;

/** A trigger that is not late shows that the problem is there: the first step runs now. */
export function endPutOff(incident: Incident, context: DecisionContext): Outcome {
  const { now, configuration } = context;
  const until = putOffUntilOf(incident);
  if (until === null) return only(incident);
  const { delayMinutes, stepRemainingMs, stepAt } = incident.escalation;
  const due = minutesAfter(incident.created_at, delayMinutes);
  const begun = withEscalation(incident, { putOffUntil: null });
  const text = 'The alert arrived again and is not late, so paging is no longer delayed';
  const entries = [entry(incident, 'paging_resumed', text)];
  if (isMuted(incident))
    return only(withEscalation(begun, { stepRemainingMs: stepRemainingMs && 0 }), ...entries);
  // Somebody may have moved the step meanwhile, as by escalating.
  if (stepAt === null) return only(begun);
  if (!isDue(due, now)) return only(withEscalation(begun, { stepAt: due }), ...entries);
  return after(entries, runStep(withEscalation(begun, { stepAt: now }), configuration, now));
}

/** Whether the end is older than the last trigger, by the clock of their source. */
export const isLateEnd = (
  sourceTime: AlertEvent['sourceTime'],
  last: Incident['escalation']['lastSourceTime'],
): sourceTime is SourceTime =>
  sourceTime?.mayBeLate === true &&
  last?.by === sourceTime.by &&
  isSooner(sourceTime.at.add(TOLERANCE), last.at);

/** Why the end ends nothing of the incident; null: it ends it. */
export function lateEnd(
  { sourceTime, dedup_key }: Pick<AlertEvent, 'sourceTime' | 'dedup_key'>,
  incident: Incident,
): string | null {
  const { lastSourceTime } = incident.escalation;
  // Of an incident that was merged into another, the other's alerts are not its own.
  if (dedup_key !== incident.dedup_key) return null;
  if (!lastSourceTime || !isLateEnd(sourceTime, lastSourceTime)) return null;
  return `an end of ${shown(sourceTime.at)} arrived late: the alert was reported again at ${shown(lastSourceTime.at)}`;
}

/** Of the key. */
type Known = { readonly open: readonly Incident[]; readonly end?: KeyEnd | null };

/** The end as it is remembered; undefined: it makes nothing late. */
export function endTaken(
  alert: Pick<AlertEvent, 'sourceTime' | 'reporter'>,
  { open, end }: Known,
  now: Temporal.Instant,
): KeyEnd | undefined {
  if (!alert.sourceTime?.isSure) return undefined;
  const { by, at } = alert.sourceTime;
  const isOlder = end && end.by === by && isSooner(at, end.endedAt);
  return {
    by,
    endedAt: isOlder ? end.endedAt : at,
    takenAt: now,
    putOff: end?.putOff ?? null,
    ...(end?.senders && { senders: end.senders }),
    ...stillReportedBy(alert, open, end),
  };
}

/** The last of the instants that triggers of an incident had. */
export const lastSourceTimeOf = (
  incident: Incident,
  { sourceTime, dedup_key }: Pick<AlertEvent, 'sourceTime' | 'dedup_key'>,
): Incident['escalation']['lastSourceTime'] => {
  const { lastSourceTime } = incident.escalation;
  if (sourceTime === undefined || dedup_key !== incident.dedup_key) return lastSourceTime;
  if (lastSourceTime?.by === sourceTime.by && !isSooner(lastSourceTime.at, sourceTime.at))
    return lastSourceTime;
  return { by: sourceTime.by, at: sourceTime.at };
};
