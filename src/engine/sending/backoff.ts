import { sendingLimits } from '../../limits/sending.ts';

const firstSeconds = 1;
// Eight tries over about a day: a machine's event is worth waiting for, and hammering helps nobody.
const webhookSeconds = [5, 300, 1_800, 7_200, 18_000, 25_200, 32_400] as const;

type Tried = {
  readonly channel: string;
  readonly attempt: number;
  readonly created_at: Temporal.Instant;
};
type At = {
  readonly now: Temporal.Instant;
  readonly random: () => number;
  /** What the other side asked for. */
  readonly retryAfterSeconds?: number | undefined;
  /** How long the step of a page waits for an answer, if it does. */
  readonly stepMinutes?: number | undefined;
};

/** When a notice is tried again after a failure; null: it is given up. */
export function retryAt(tried: Tried, at: At): Temporal.Instant | null {
  const { now, random, retryAfterSeconds = 0, stepMinutes = sendingLimits.retryAfterMinutes } = at;
  if (tried.channel === 'webhook') {
    const wait = webhookBackoffSeconds(tried.attempt, random);
    return wait === null ? null : secondsAfter(now, Math.max(wait, retryAfterSeconds));
  }
  // Whoever waits for an answer must not wait for a page that nobody tries to send.
  const asked = Math.min(retryAfterSeconds, stepMinutes * 60);
  const again = secondsAfter(now, Math.max(backoffSeconds(tried.attempt, random), asked));
  const givenUp = tried.created_at.add({ hours: sendingLimits.givenUpHours });
  const isLate = Temporal.Instant.compare(again, givenUp) > 0;
  return isLate && tried.attempt >= sendingLimits.triesAtLeast ? null : again;
}

const secondsAfter = (now: Temporal.Instant, seconds: number) =>
  now.add({ milliseconds: Math.round(seconds * 1_000) });

/** Seconds to wait before attempt `attempt + 1`: doubling, at most a minute, half of it by luck. */
export function backoffSeconds(attempt: number, random: () => number): number {
  const full = Math.min(sendingLimits.retryWait, firstSeconds * 2 ** Math.min(attempt - 1, 10));
  return full / 2 + (full / 2) * random();
}

/** The same for an outbound webhook, a tenth of it by luck; null after its last try. */
export function webhookBackoffSeconds(attempt: number, random: () => number): number | null {
  const full = webhookSeconds[attempt - 1];
  return full === undefined ? null : full * (0.9 + 0.1 * random());
}
