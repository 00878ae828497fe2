// Two edits of the same record.
export type Edits<Draft> = {
  /** What both began with. */
  readonly base: Draft;
  readonly theirs: Draft;
  readonly yours: Draft;
};

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A field that one of them has left is as the other has it; of one that both changed, yours. */
export const merged = <Draft extends object>({ base, theirs, yours }: Edits<Draft>): Draft => ({
  ...yours,
  ...Object.fromEntries(
    Object.entries(theirs).filter(([name]) =>
      isSame(yours[name as keyof Draft], base[name as keyof Draft]),
    ),
  ),
});
