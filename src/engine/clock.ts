/** The only way the program learns the time: injected, read once per unit of work at its edge. */
export type Clock = { now(): Temporal.Instant };

/** The machine's own clock, cut to milliseconds: the precision that is stored and shown. */
export const systemClock: Clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
};
