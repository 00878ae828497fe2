import type { Shift } from '../../oncall/schedule.ts';
import type { Span } from '../../oncall/spans.ts';
import type { CutShift } from '../../oncall/wholes.ts';
import type { OnCallPerson } from '../../storage/oncall/people.ts';
import type { ScheduleWithHistory } from '../../storage/oncall/schedules.ts';
import { timeText } from '../../storage/records/rows.ts';

export type People = ReadonlyMap<string, OnCallPerson>;

/** A shift in a list of them. */
export const renderShift = ({ user_id, layer, start, end }: Shift) => ({
  user_id,
  layer,
  start: timeText(start),
  end: timeText(end),
});

/** The same of one that an interval may cut: where it does, also when the whole starts and ends. */
export const renderCutShift = ({ whole, ...shift }: CutShift) => ({
  ...renderShift(shift),
  ...wholeOf(shift, whole),
});

/** When the whole of what is cut starts and ends; nothing where it is not cut. */
export function wholeOf({ start, end }: Span, whole: Span) {
  if (start.equals(whole.start) && end.equals(whole.end)) return {};
  return { shift_start: timeText(whole.start), shift_end: timeText(whole.end) };
}

/** Somebody who is gone keeps the id. */
export function renderUser(id: string, people: People) {
  const { first_name = '', last_name = '' } = people.get(id) ?? {};
  return { id, first_name, last_name };
}

/** A whole shift, with whose it is. */
export function renderWholeShift(shift: Shift | null, people: People) {
  if (shift === null) return null;
  const { user_id, ...rest } = renderShift(shift);
  return { user: renderUser(user_id, people), ...rest };
}

/** Which schedule an entry of a list is about. */
export const renderSchedule = ({ id: oncall_schedule_id, name, team_id }: ScheduleWithHistory) => ({
  oncall_schedule_id,
  name,
  team_id,
});
