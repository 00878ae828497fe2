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
  /** A server of the release before has none. */
  readonly gaps_by_design?: readonly { readonly from: string; readonly to: string | null }[];
  readonly gaps_by_design_count?: number;
  readonly moved_shifts: readonly MovedShift[];
  readonly moved_shifts_count: number;
};

const far = '9999';

/** Who is on call once shifts have moved; up to the last of those that are listed. */
export function withMoves(
  shifts: readonly LaneShift[],
  { moved_shifts, moved_shifts_count }: Effects,
): readonly LaneShift[] {
  const isAll = moved_shifts.length === moved_shifts_count;
  const until = isAll ? far : (moved_shifts.at(-1)?.to ?? far);
  const horizon = until === far ? far : instant(until);
  const [first] = shifts;
  const view = {
    start: first?.shift_start === undefined ? '' : first.start,
    end: lesser(shifts.at(-1)?.end ?? far, horizon),
  };
  const moves = moved_shifts.map(({ from, to, after }) => ({
    start: instant(from),
    end: to === null ? far : instant(to),
    user_id: after[0]?.id,
  }));
  const left = moves.reduce<readonly Piece[]>(
    (rest, move) =>
      rest.flatMap((shift) => [
        ...(shift.start < move.start ? [{ ...shift, end: lesser(shift.end, move.start) }] : []),
        ...(shift.end > move.end ? [{ ...shift, start: greater(shift.start, move.end) }] : []),
      ]),
    shifts.map(wholeOf),
  );
  const gained = moves.flatMap(({ user_id, ...span }) =>
    user_id === undefined ? [] : [{ ...span, user_id }],
  );
  return [...left, ...gained]
    .filter(({ start, end }) => start < view.end && end > view.start)
    .map((piece) => cutTo(view, piece))
    .toSorted((one, other) => (one.start < other.start ? -1 : 1));
}

type Piece = { readonly user_id: string; readonly start: string; readonly end: string };

const wholeOf = ({
  user_id,
  start,
  end,
  shift_start = start,
  shift_end = end,
}: LaneShift): Piece => ({
  user_id,
  start: shift_start,
  end: shift_end ?? far,
});

function cutTo(view: Omit<Piece, 'user_id'>, { user_id, start, end }: Piece): LaneShift {
  const cut = { user_id, start: greater(start, view.start), end: lesser(end, view.end) };
  if (cut.start === start && cut.end === end) return cut;
  return { ...cut, shift_start: start, shift_end: end === far ? null : end };
}

/** In UTC, so that texts are in the order of time. */
const instant = (text: string) => new Date(text).toISOString();
const lesser = (one: string, other: string) => (one < other ? one : other);
const greater = (one: string, other: string) => (one > other ? one : other);
