// Several Alertmanagers that send one alert to one integration: the members of a pair, which soon
// report the same end, or two clusters whose alerts have equal labels, of which one goes on to report
// what the other has ended. docs/decisions/0081-two-senders.md.
import type { AlertEvent } from '../alerts/alert.ts';
import { oneLine } from '../alerts/text.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { Finding } from './findings.ts';
import { type Incident, isSooner } from './incident.ts';
import type { KeyEnd } from './key-end.ts';

/** Within that the members of a pair have sent the same end. */
const PAIR = { minutes: 6 } as const;

type Reporting = Pick<AlertEvent, 'reporter'>;

/** Who reports it firing after one more alert. */
export function reportersWith(
  known: readonly string[] = [],
  { reporter }: Reporting,
): Pick<Incident['escalation'], 'reporters'> {
  if (reporter === undefined || known.includes(reporter)) return {};
  return { reporters: [...known, reporter].slice(-incidentsLimits.reporters) };
}

/** Who ended it, and who still reports it. Of what had ended before, one fewer may. */
export function stillReportedBy(
  { reporter }: Reporting,
  open: readonly Incident[],
  end: KeyEnd | null | undefined,
): Pick<KeyEnd, 'reporter' | 'stillReportedBy'> {
  if (reporter === undefined) return {};
  const known =
    open.length > 0
      ? open.flatMap(({ escalation }) => escalation.reporters ?? [])
      : (end?.stillReportedBy ?? []);
  const others = [...new Set(known)].filter((one) => one !== reporter);
  return { reporter, ...(others.length > 0 && { stillReportedBy: others }) };
}

/** A firing of who reported it before the other ended it, and began before that end. */
export function disagreement(
  { reporter, sourceTime, title, dedup_key }: AlertEvent,
  end: KeyEnd | null | undefined,
): Finding | null {
  if (reporter === undefined || sourceTime === undefined || !end?.reporter) return null;
  if (!end.stillReportedBy?.includes(reporter) || !isSooner(sourceTime.at, end.endedAt))
    return null;
  const shown = oneLine(title).slice(0, 100);
  const text = `${reporter} still reports "${shown}" after ${end.reporter} reported its end. If these are two clusters, add a second integration for one of them. Otherwise an end in one cluster ends the incident of the other.`;
  return { kind: 'two_senders', subject: dedup_key, text };
}

/** The other has ended it soon after: they are members of a pair. */
export function agreement(
  { reporter, dedup_key }: AlertEvent,
  end: KeyEnd | null | undefined,
  now: Temporal.Instant,
): Finding | null {
  if (reporter === undefined || !end?.stillReportedBy?.includes(reporter)) return null;
  if (!isSooner(now, end.takenAt.add(PAIR))) return null;
  return { kind: 'two_senders', subject: dedup_key, text: null };
}
