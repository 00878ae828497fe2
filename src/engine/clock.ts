/** The only way the program learns the time: injected, read once per unit of work at its edge. */
export type Clock = { now(): Temporal.Instant };

let last = Temporal.Instant.fromEpochMilliseconds(0);

/** The machine's own clock, cut to milliseconds: the precision that is stored and shown. */
export const systemClock: Clock = {
  now() {
    const ms = Date.now();
    // An instant is dear to make, and asked for several times a millisecond when much arrives.
    if (last.epochMilliseconds !== ms) last = Temporal.Instant.fromEpochMilliseconds(ms);
    return last;
  },
};
