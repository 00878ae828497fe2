/** Some are remembered before a rule asks for them. */
const keptMin = 20;

/** The last of the times, as many as are asked for. */
export const lastOf = (times: readonly number[], asked: number): readonly number[] =>
  times.slice(-Math.max(keptMin, asked));
