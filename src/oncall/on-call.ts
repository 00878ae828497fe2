import { timelineOf } from './layer-precedence.ts';
import type { Schedule, Shift } from './schedule.ts';

export type OnCall = Pick<Shift, 'user_id' | 'layer'>;

/** Who is on call at an instant, and by which layer or override. */
export function onCallAt(schedule: Schedule, at: Temporal.Instant): OnCall | null {
  const { holder } = timelineOf(schedule).effectiveAt(at.epochMilliseconds);
  return holder && { user_id: holder.user_id, layer: holder.layer };
}
