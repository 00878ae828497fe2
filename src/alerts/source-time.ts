// What tells whether an alert comes late: an instant of the source's own.
import { incidentsLimits } from '../limits/incidents.ts';
import type { Mail, SourceTime } from './alert.ts';
import { firstTakenAt, writtenAt } from './mail-date.ts';

/** A mail that arrives within that is never late. */
const PROMPT = { minutes: 1 } as const;
/** A clock that is further off decides nothing. */
const SURE_MS = 5 * 60_000;

const compare = Temporal.Instant.compare;
const earlier = (one: Temporal.Instant, other: Temporal.Instant) =>
  compare(one, other) < 0 ? one : other;

export function mailTime(
  mail: Pick<Mail, 'headers'>,
  receivedAt: Temporal.Instant,
): SourceTime | undefined {
  const written = writtenAt(mail);
  if (written === undefined) return undefined;
  const taken = firstTakenAt(mail) ?? receivedAt;
  const isPrompt = compare(written.add(PROMPT), receivedAt) >= 0;
  const isTooOld = compare(written.add({ hours: incidentsLimits.endHours }), receivedAt) < 0;
  return {
    by: 'mail',
    at: earlier(written, receivedAt),
    mayBeLate: !isPrompt && !isTooOld,
    isSure: Math.abs(written.epochMilliseconds - taken.epochMilliseconds) <= SURE_MS,
  };
}

/** Of an alert in a group, as Alertmanager and Grafana send it. */
export const groupTime = (
  at: Temporal.Instant | undefined,
  receivedAt: Temporal.Instant,
): SourceTime | undefined =>
  at && { by: 'group', at: earlier(at, receivedAt), mayBeLate: true, isSure: true };
