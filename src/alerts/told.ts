// What tells whether an alert comes late: an instant of the source's own.
import { incidentsLimits } from '../limits/incidents.ts';
import type { Mail } from './alert.ts';
import { firstTakenAt, writtenAt } from './mail-date.ts';

/** When a problem began or ended, by the clock of its source. */
export type Told = {
  /** `mail`: when it was written. `group`: when the alert of a group began, or ended. */
  readonly by: 'mail' | 'group';
  readonly at: Temporal.Instant;
  /** What it says may be older than what came before it. */
  readonly mayBeLate: boolean;
  /** Of an end: what is older than it is late. */
  readonly isSure: boolean;
};

/** A mail that arrives within that is never late. */
const PROMPT = { minutes: 1 } as const;
/** A clock that is further off decides nothing. */
const SURE_MS = 5 * 60_000;

const compare = Temporal.Instant.compare;
const earlier = (one: Temporal.Instant, other: Temporal.Instant) =>
  compare(one, other) < 0 ? one : other;

export function toldByMail(
  mail: Pick<Mail, 'headers'>,
  receivedAt: Temporal.Instant,
): Told | undefined {
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
export const toldByGroup = (
  at: Temporal.Instant | undefined,
  receivedAt: Temporal.Instant,
): Told | undefined =>
  at && { by: 'group', at: earlier(at, receivedAt), mayBeLate: true, isSure: true };
