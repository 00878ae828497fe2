// What an override that is not saved would change: whose shifts, and which begin or end at once.
import { affordablePart } from '../oncall/effort.ts';
import { isAfter, later } from '../oncall/order.ts';
import { type History, scheduleAsOf } from '../oncall/revisions/history.ts';
import { changesIn, withinAndBeyond } from '../oncall/revisions/moves.ts';
import type { Override } from '../oncall/schedule.ts';
import { advanceCursor, type ShiftCursor } from '../shifts/advance.ts';
import { idsLike, withOverride } from './proposed-schedule.ts';

type Input = {
  readonly cursor: ShiftCursor;
  readonly history: History;
  readonly override: Override;
  /** When it would be made. */
  readonly at: Temporal.Instant;
};

/** As the engine will find it: the shifts that begin and end at once, and those that move. */
export function effectsOfOverride({ cursor, history, override, at }: Input) {
  const newId = idsLike('shift');
  // What is not announced yet is not the doing of this override.
  const { cursor: before } = advanceCursor(cursor, { history, now: at, newId });
  const edit = before.edits + 1;
  const after = withOverride(history, { override, edit, at });
  const from = later(override.start, at);
  const [was, is] = [scheduleAsOf(history), scheduleAsOf(after)];
  const compared = affordablePart(is, { from, to: later(override.end, from) });
  return {
    advance: advanceCursor({ ...before, edits: edit }, { history: after, now: at, newId }),
    changes: isAfter(compared.to, from) ? changesIn(was, is, withinAndBeyond(compared)) : [],
    /** Until when they are compared: not to the end, where that is too far for one request. */
    until: compared.to,
  };
}
