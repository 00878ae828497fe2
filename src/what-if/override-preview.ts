// What an override that is not saved would change: whose shifts, and which begin or end at once.
import { affordablePart } from '../oncall/effort.ts';
import { earlier, isAfter, later } from '../oncall/order.ts';
import { scheduleAsOf } from '../oncall/revisions/history.ts';
import { type Change, changesIn, withinAndBeyond } from '../oncall/revisions/moves.ts';
import type { Override } from '../oncall/schedule.ts';
import { advanceByEdit, nextEdit, type Recorded } from './announced-edit.ts';
import type { PreviewWarning } from './change-preview.ts';
import type { People } from './coverage-words.ts';
import { movesText, onCallText, personText } from './moves-words.ts';
import { withOverrides } from './proposed-schedule.ts';

export type OverrideEdit = Recorded & {
  /** What is made, several at once too; none: `replaces` is removed. */
  readonly overrides: readonly Override[];
  /** The one that the only override takes the place of; absent: all are new. */
  readonly replaces?: Override | null;
  /** When the edit would be made. */
  readonly at: Temporal.Instant;
};

/** As the engine will find it: the shifts that begin and end at once, and those that move. */
export function effectsOfOverrides({ overrides, replaces = null, at, ...recorded }: OverrideEdit) {
  const { history } = recorded;
  const edit = { replaces: replaces?.id ?? null, edit: nextEdit(recorded), at };
  const after = withOverrides(history, { ...edit, overrides });
  const spans = [...overrides, ...(replaces ? [replaces] : [])];
  const start = spans.map((one) => one.start).reduce(earlier);
  const from = later(start, at);
  const [was, is] = [scheduleAsOf(history), scheduleAsOf(after)];
  const end = spans.map((one) => one.end).reduce(later);
  const compared = affordablePart(is, { from, to: later(end, from) });
  return {
    advance: advanceByEdit({ recorded, edited: after, at }),
    changes: isAfter(compared.to, from) ? changesIn(was, is, withinAndBeyond(compared)) : [],
    /** Until when they are compared: not to the end, where that is too far for one request. */
    until: compared.to,
  };
}

type Wording = {
  readonly at: Temporal.Instant;
  readonly timezone: string;
  readonly people: People;
};

/** Who is on call now and after it, and when who is on call instead of whom. */
export function overrideWarnings(
  changes: readonly Change[],
  { at, timezone, people }: Wording,
): readonly PreviewWarning[] {
  const [first] = changes;
  if (first === undefined) return [];
  const [was, is] = [personText(first.before, people), personText(first.after, people)];
  return [
    ...(isAfter(first.start, at)
      ? []
      : [{ code: 'on_call_changes', path: null, message: onCallText(was, is) } as const]),
    {
      code: 'shifts_move',
      path: null,
      message: `On call ${movesText(changes, { timezone, people })}.`,
    },
  ];
}
