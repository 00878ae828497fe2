// What an override that is not saved would change: whose shifts, and which begin or end at once.
import { affordablePart } from '../oncall/effort.ts';
import { isAfter, later } from '../oncall/order.ts';
import { scheduleAsOf } from '../oncall/revisions/history.ts';
import { changesIn, withinAndBeyond } from '../oncall/revisions/moves.ts';
import type { Override } from '../oncall/schedule.ts';
import { advanceByEdit, nextEdit, type Recorded } from './announced-edit.ts';
import { withOverride } from './proposed-schedule.ts';

type Input = Recorded & {
  readonly override: Override;
  /** When it would be made. */
  readonly at: Temporal.Instant;
};

/** As the engine will find it: the shifts that begin and end at once, and those that move. */
export function effectsOfOverride({ override, at, ...recorded }: Input) {
  const { history } = recorded;
  const after = withOverride(history, { override, edit: nextEdit(recorded), at });
  const from = later(override.start, at);
  const [was, is] = [scheduleAsOf(history), scheduleAsOf(after)];
  const compared = affordablePart(is, { from, to: later(override.end, from) });
  return {
    advance: advanceByEdit({ recorded, edited: after, at }),
    changes: isAfter(compared.to, from) ? changesIn(was, is, withinAndBeyond(compared)) : [],
    /** Until when they are compared: not to the end, where that is too far for one request. */
    until: compared.to,
  };
}
