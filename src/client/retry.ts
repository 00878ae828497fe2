const FIRST_WAIT_MS = 250;
const WAIT_MS_MAX = 10_000;
const RETRY_AFTER_SECONDS_MAX = 60;

/** How much is done for one request whose failure may pass. */
export type Budget = {
  /** After the first try. */
  readonly retriesMax: number;
  /** With all its tries and the waits between them. */
  readonly totalMs: number;
};

/** For somebody who waits at a terminal. */
export const briefly: Budget = { retriesMax: 4, totalMs: Number.POSITIVE_INFINITY };

export type Tried = {
  /** Whether the same request may be sent again without doing its work twice. */
  readonly isRepeatable: boolean;
  readonly tries: number;
  /** Since the first try began. */
  readonly elapsedMs: number;
  readonly retryAfter: string | undefined;
};

/** How long to wait before the next try: doubling, half of it by luck; null: no more tries. */
export function waitMs(tried: Tried, budget: Budget, random: () => number): number | null {
  if (!tried.isRepeatable || tried.tries > budget.retriesMax) return null;
  const full = Math.min(FIRST_WAIT_MS * 2 ** (tried.tries - 1), WAIT_MS_MAX);
  const ms = retryAfterMs(tried.retryAfter) + full / 2 + (full / 2) * random();
  return tried.elapsedMs + ms < budget.totalMs ? ms : null;
}

/** Only whole seconds are understood; a date would need to trust the other side's clock. */
function retryAfterMs(retryAfter = ''): number {
  if (!/^\d{1,9}$/.test(retryAfter)) return 0;
  return Math.min(Number(retryAfter), RETRY_AFTER_SECONDS_MAX) * 1_000;
}
