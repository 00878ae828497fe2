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
export function merged<Draft extends object>({ base, theirs, yours }: Edits<Draft>): Draft {
  const names = Object.keys({ ...theirs, ...yours }) as (keyof Draft)[];
  const entries = names.flatMap((name) => {
    const side = isSame(yours[name], base[name]) ? theirs : yours;
    return name in side ? [[name, side[name]]] : [];
  });
  return Object.fromEntries(entries) as Draft;
}

/** What has changed, as a merge patch: null for what is no more. */
export function patchOf<Draft extends object>({ base, yours }: Omit<Edits<Draft>, 'theirs'>) {
  const names = Object.keys({ ...base, ...yours }) as (keyof Draft)[];
  const changed = names.filter((name) => !isSame(base[name], yours[name]));
  return Object.fromEntries(changed.map((name) => [name, yours[name] ?? null]));
}
