/** The only source of the time: it is injected, and read once per unit of work. */
export type Clock = { now(): Temporal.Instant };

let last = Temporal.Instant.fromEpochMilliseconds(0);

/** The machine's clock in milliseconds, which is the precision that is stored and shown. */
export const systemClock: Clock = {
  now() {
    const ms = Date.now();
    // Creating an instant is slow, and under load the time is read several times a millisecond.
    if (last.epochMilliseconds !== ms) last = Temporal.Instant.fromEpochMilliseconds(ms);
    return last;
  },
};
