const firstSeconds = 1;
const longestSeconds = 60;
/** No use telling anybody after this long. */
export const giveUpAfterHours = 24;

/** Seconds to wait before attempt `attempt + 1`: doubling, at most a minute, half of it by luck. */
export function backoffSeconds(attempt: number, random: () => number): number {
  const full = Math.min(longestSeconds, firstSeconds * 2 ** Math.min(attempt - 1, 10));
  return full / 2 + (full / 2) * random();
}
