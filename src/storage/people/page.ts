export type Page<T> = { readonly data: readonly T[]; readonly next_cursor: string | null };

export type Sought<Filter> = {
  readonly organizationId: string;
  readonly filter: Filter;
  /** The last id already seen; '' at the start. */
  readonly after: string;
  readonly limit: number;
};

/** Of rows in the order of ids, read with one more than the limit. */
export function pageOf<T extends { readonly id: string }>(rows: readonly T[], limit: number) {
  const data = rows.slice(0, limit);
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}
