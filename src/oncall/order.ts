/** Whether one instant comes after another. */
export const isAfter = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) > 0;

export const later = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  isAfter(one, other) ? one : other;

export const earlier = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  isAfter(one, other) ? other : one;

/** The index of the last number that is not greater; -1 when all are. */
export function lastNotAfter(ascending: readonly number[], at: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
