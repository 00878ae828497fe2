// What an edit moves, as `POST /preview` answers it.
import type { LaneShift } from './queries.ts';

type Person = { readonly id: string; readonly name: string };
export type MovedShift = {
  readonly from: string;
  readonly to: string | null;
  readonly before: readonly Person[];
  readonly after: readonly Person[];
};
export type Effects = {
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly moved_shifts: readonly MovedShift[];
  readonly moved_shifts_count: number;
};

/** Who is on call once shifts have moved; up to the last of those that are listed. */
export function withMoves(
  shifts: readonly LaneShift[],
  { moved_shifts, moved_shifts_count }: Effects,
): readonly LaneShift[] {
  const far = '9999';
  const isAll = moved_shifts.length === moved_shifts_count;
  const until = isAll ? far : (moved_shifts.at(-1)?.to ?? far);
  const moves = moved_shifts.map(({ from, to, after }) => ({
    start: instant(from),
    end: to === null ? far : instant(to),
    user_id: after[0]?.id,
  }));
  const left = moves.reduce<readonly LaneShift[]>(
    (rest, move) =>
      rest.flatMap((shift) => [
        ...(shift.start < move.start ? [{ ...shift, end: lesser(shift.end, move.start) }] : []),
        ...(shift.end > move.end ? [{ ...shift, start: greater(shift.start, move.end) }] : []),
      ]),
    shifts,
  );
  const last = shifts.at(-1)?.end ?? far;
  const gained = moves.flatMap(({ user_id, ...span }) =>
    user_id === undefined || span.start >= last
      ? []
      : [{ ...span, end: lesser(span.end, last), user_id }],
  );
  const horizon = until === far ? far : instant(until);
  return [...left, ...gained]
    .filter(({ start }) => start < horizon)
    .map((shift) => ({ ...shift, end: lesser(shift.end, horizon) }))
    .toSorted((one, other) => (one.start < other.start ? -1 : 1));
}

/** In UTC, so that texts are in the order of time. */
const instant = (text: string) => new Date(text).toISOString();
const lesser = (one: string, other: string) => (one < other ? one : other);
const greater = (one: string, other: string) => (one > other ? one : other);
