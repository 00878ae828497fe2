// When people are asked what an incident was: never at night, where the reader is.
import { nightHours } from '../../resources/night-hours.ts';

export function isNight(now: number): boolean {
  const hour = new Date(now).getHours();
  return hour >= nightHours.from || hour < nightHours.to;
}

type Span = { readonly from: number; readonly to: number };

/** The day and the night before this morning; null: it is night. */
export function beforeThisMorning(now: number): Span | null {
  if (isNight(now)) return null;
  const [from, to] = [new Date(now), new Date(now)];
  to.setHours(nightHours.to, 0, 0, 0);
  from.setDate(from.getDate() - 1);
  from.setHours(nightHours.to, 0, 0, 0);
  return { from: from.getTime(), to: to.getTime() };
}
