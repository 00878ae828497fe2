import { queryLimits } from '../limits/queries.ts';
import { timelineOf } from './layer-precedence.ts';
import type { Interval, Schedule, Shift } from './schedule.ts';

export type OnCall = Pick<Shift, 'user_id' | 'layer'>;

/** Who is on call at an instant, and by which layer or override. */
export function onCallAt(schedule: Schedule, at: Temporal.Instant): OnCall | null {
  const { holder } = timelineOf(schedule).effectiveAt(at.epochMilliseconds);
  return holder && { user_id: holder.user_id, layer: holder.layer };
}

/** Whether a person is on call at any time in an interval, as far as that is followed in so many steps. */
export function isOnCallIn(
  schedule: Schedule,
  userId: string,
  { from, to }: Interval,
  most: number = queryLimits.shiftSteps,
): boolean {
  const { effectiveAt } = timelineOf(schedule);
  let at = from.epochMilliseconds;
  for (let step = 0; at < to.epochMilliseconds && step < most; step += 1) {
    const { holder, end } = effectiveAt(at);
    if (holder?.user_id === userId) return true;
    at = end;
  }
  return false;
}

/** Whose turn it is, though an override takes them off or they are inactive. */
export type Absent = { readonly user_id: string; readonly isTakenOff: boolean };

/** Null: it is nobody's turn. Asked only where nobody is on call. */
export function absentAt(schedule: Schedule, at: Temporal.Instant): Absent | null {
  const { holder, takenOff } = timelineOf(schedule).absentAt(at.epochMilliseconds) ?? {};
  const user_id = holder?.user_id ?? takenOff?.replaces_user_id;
  return user_id === undefined ? null : { user_id, isTakenOff: !holder };
}
