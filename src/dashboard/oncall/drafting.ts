// The edges of a cover that is being drafted: where a drag or a key moves them, and the time around
// them that is shown. All in instants: what a clock does changes nothing of it.
import { type Span, snapped } from './axis.ts';

export type Edge = keyof Span;
type Around = {
  /** Where shifts begin and end. */
  readonly handoffs: readonly number[];
  /** What is past cannot be covered. */
  readonly now: number;
};

const QUARTER = 15 * 60_000;
const DAY = 86_400_000;

/** The draft with a drag of one edge: to a handoff that is near, else to a quarter of an hour. */
export function draggedTo(
  draft: Span,
  { edge, at, nearMs }: { readonly edge: Edge; readonly at: number; readonly nearMs: number },
  { handoffs, now }: Around,
): Span {
  return held(draft, { edge, at: snapped(at, handoffs, nearMs) }, now);
}

export type EdgeMove = 'earlier' | 'later' | 'earlier handoff' | 'later handoff';

/** The draft with one edge a quarter of an hour or a handoff further. */
export function steppedTo(
  draft: Span,
  { edge, move }: { readonly edge: Edge; readonly move: EdgeMove },
  { handoffs, now }: Around,
): Span {
  const was = draft[edge];
  const at = {
    earlier: (Math.ceil(was / QUARTER) - 1) * QUARTER,
    later: (Math.floor(was / QUARTER) + 1) * QUARTER,
    'earlier handoff': Math.max(...handoffs.filter((one) => one < was)),
    'later handoff': Math.min(...handoffs.filter((one) => one > was)),
  }[move];
  return Number.isFinite(at) ? held(draft, { edge, at }, now) : draft;
}

/** It keeps a quarter of an hour, and begins no earlier than now. */
function held(draft: Span, { edge, at }: { edge: Edge; at: number }, now: number): Span {
  if (edge === 'end') return { ...draft, end: Math.max(at, draft.start + QUARTER) };
  return { ...draft, start: Math.min(Math.max(at, now), draft.end - QUARTER) };
}

/** What is shown around a draft: half as much again on each side, a day at least. */
export function viewAround({ start, end }: Span): Span {
  const margin = Math.max((end - start) / 2, DAY);
  return { start: start - margin, end: end + margin };
}

/** The same view as long as the draft has room in it. */
export const viewFor = (view: Span, draft: Span): Span =>
  view.start < draft.start && draft.end < view.end ? view : viewAround(draft);
