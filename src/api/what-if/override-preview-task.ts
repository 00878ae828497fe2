// What an override that is not saved would change. Pure, as coverage-task.ts.
import { isAfter, later } from '../../oncall/order.ts';
import { type History, scheduleAsOf } from '../../oncall/revisions/history.ts';
import { changesIn } from '../../oncall/revisions/moves.ts';
import type { Override } from '../../oncall/schedule.ts';
import { advanceCursor, type ShiftCursor } from '../../shifts/advance.ts';
import { affordablePart } from '../oncall/effort.ts';

type Input = {
  readonly cursor: ShiftCursor;
  readonly history: History;
  readonly override: Override;
  /** When it would be made. */
  readonly at: Temporal.Instant;
};

/** As the engine will find it: the shifts that begin and end at once, and those that move. */
export function effectsOfOverride({ cursor, history, override, at }: Input) {
  let made = 0;
  const newId = () => {
    made += 1;
    return String(made);
  };
  // What is not announced yet is not the doing of this override.
  const { cursor: before } = advanceCursor(cursor, { history, now: at, newId });
  const edit = before.edits + 1;
  const version = { ...override, edit, in_force_from: at, ended: null };
  const after = { ...history, overrides: [...history.overrides, version] };
  const options = { history: after, now: at, newId };
  const from = later(override.start, at);
  const [was, is] = [scheduleAsOf(history), scheduleAsOf(after)];
  const compared = affordablePart(is, { from, to: later(override.end, from) });
  return {
    advance: advanceCursor({ ...before, edits: edit }, options),
    changes: isAfter(compared.to, from) ? changesIn(was, is, compared) : [],
    /** Until when they are compared: not to the end, where that is too far for one request. */
    until: compared.to,
  };
}
