export type Page<T> = { readonly data: readonly T[]; readonly next_cursor: string | null };

export type ListQuery<Filter> = {
  readonly organizationId: string;
  readonly filter: Filter;
  /** The last id already seen; '' at the start. */
  readonly after: string;
  readonly limit: number;
};

/**
 * Of rows in the order of ids, read with one more than the limit. Servers give ids apart from each
 * other, so of two rows the one with the smaller id may be committed later. A list that is read
 * newest first, or from end to end, does not mind: all that was there at the beginning is in it.
 * Lists that clients follow as they grow use cursors numbered in the order of commits instead.
 */
export const pageOf = <T extends { readonly id: string }>(rows: readonly T[], limit: number) =>
  pageBy(rows, limit, ({ id }) => id);

/** The same of rows in another order. */
export function pageBy<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (last: T) => string | number,
): Page<T> {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last === undefined ? null : String(cursorOf(last)) };
}
