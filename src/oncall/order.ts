/** Whether one instant comes after another. */
export const isAfter = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) > 0;

export const later = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  isAfter(one, other) ? one : other;

export const earlier = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  isAfter(one, other) ? other : one;
