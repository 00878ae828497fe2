const TRIES_MAX = 5;
const FIRST_WAIT_MS = 250;
const WAIT_SECONDS_MAX = 60;

export type Tried = {
  /** Whether the same request may be sent again without doing its work twice. */
  readonly isRepeatable: boolean;
  readonly tries: number;
  readonly retryAfter: string | undefined;
};

/** How long to wait before the next try: doubling, half of it by luck; null: no more tries. */
export function waitMs(tried: Tried, random: () => number): number | null {
  if (!tried.isRepeatable || tried.tries >= TRIES_MAX) return null;
  const full = FIRST_WAIT_MS * 2 ** (tried.tries - 1);
  return retryAfterMs(tried.retryAfter) + full / 2 + (full / 2) * random();
}

/** Only whole seconds are understood; a date would need to trust the other side's clock. */
function retryAfterMs(retryAfter = ''): number {
  return /^\d{1,9}$/.test(retryAfter) ? Math.min(Number(retryAfter), WAIT_SECONDS_MAX) * 1_000 : 0;
}
