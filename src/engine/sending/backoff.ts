import { sendingLimits } from '../../limits/sending.ts';

const firstSeconds = 1;
// Eight attempts over about a day, as the receiving system may be down for hours.
const webhookSeconds = [5, 300, 1_800, 7_200, 18_000, 25_200, 32_400] as const;

type FailedAttempt = {
  readonly channel: string;
  readonly attempt: number;
  readonly created_at: Temporal.Instant;
};
type RetryContext = {
  readonly now: Temporal.Instant;
  readonly random: () => number;
  /** The delay that the other side asked for. */
  readonly retryAfterSeconds?: number | undefined;
  /** After how long the step of a page escalates, if it does. */
  readonly stepMinutes?: number | undefined;
};

/** When a notice is tried again after a failure; null: never. */
export function retryAt(attempt: FailedAttempt, at: RetryContext): Temporal.Instant | null {
  const { now, random, retryAfterSeconds = 0, stepMinutes = sendingLimits.retryAfterMinutes } = at;
  if (attempt.channel === 'webhook') {
    const wait = webhookBackoffSeconds(attempt.attempt, random);
    return wait === null ? null : secondsAfter(now, Math.max(wait, retryAfterSeconds));
  }
  // A page must be tried again before its step escalates, whatever delay was asked for.
  const requested = Math.min(retryAfterSeconds, stepMinutes * 60);
  const retriedAt = secondsAfter(now, Math.max(backoffSeconds(attempt.attempt, random), requested));
  const deadline = attempt.created_at.add({ hours: sendingLimits.retriesEndHours });
  const isLate = Temporal.Instant.compare(retriedAt, deadline) > 0;
  return isLate && attempt.attempt >= sendingLimits.triesAtLeast ? null : retriedAt;
}

const secondsAfter = (now: Temporal.Instant, seconds: number) =>
  now.add({ milliseconds: Math.round(seconds * 1_000) });

/** Seconds to wait once a message may have been sent that often; null: it is not sent again. */
export function secondsAfterLost(answers: number): number | null {
  if (answers >= sendingLimits.lostAnswers) return null;
  return answers < 2 ? 0 : sendingLimits.lostAnswerWait * 10 ** (answers - 2);
}

const doublings = 10;

const fullBackoffSeconds = (attempt: number): number =>
  Math.min(sendingLimits.retryWait, firstSeconds * 2 ** Math.min(attempt - 1, doublings));

/** Seconds to wait before attempt `attempt + 1`: doubling, at most a minute, half of it random. */
export function backoffSeconds(attempt: number, random: () => number): number {
  const full = fullBackoffSeconds(attempt);
  return full / 2 + (full / 2) * random();
}

/** The longest wait after each attempt; after later ones it is the last of these. */
export const longestBackoffs: readonly number[] = Array.from(
  { length: doublings + 1 },
  (_, index) => fullBackoffSeconds(index + 1),
);

/** The same for an outbound webhook, a tenth of it random; null after its last attempt. */
export function webhookBackoffSeconds(attempt: number, random: () => number): number | null {
  const full = webhookSeconds[attempt - 1];
  return full === undefined ? null : full * (0.9 + 0.1 * random());
}
