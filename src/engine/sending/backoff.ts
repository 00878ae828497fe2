const firstSeconds = 1;
const longestSeconds = 60;
/** No use telling anybody after this long. */
const giveUpAfterHours = 24;
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
};

/** When a notice is tried again after a failure; null: it is given up. */
export function retryAt(tried: Tried, { now, random, retryAfterSeconds = 0 }: At) {
  const isWebhook = tried.channel === 'webhook';
  const wait = (isWebhook ? webhookBackoffSeconds : backoffSeconds)(tried.attempt, random);
  if (wait === null) return null;
  const at = now.add({ milliseconds: Math.round(Math.max(wait, retryAfterSeconds) * 1_000) });
  if (isWebhook) return at;
  const givenUp = tried.created_at.add({ hours: giveUpAfterHours });
  return Temporal.Instant.compare(at, givenUp) > 0 ? null : at;
}

/** Seconds to wait before attempt `attempt + 1`: doubling, at most a minute, half of it by luck. */
export function backoffSeconds(attempt: number, random: () => number): number {
  const full = Math.min(longestSeconds, firstSeconds * 2 ** Math.min(attempt - 1, 10));
  return full / 2 + (full / 2) * random();
}

/** The same for an outbound webhook, a tenth of it by luck; null after its last try. */
export function webhookBackoffSeconds(attempt: number, random: () => number): number | null {
  const full = webhookSeconds[attempt - 1];
  return full === undefined ? null : full * (0.9 + 0.1 * random());
}
