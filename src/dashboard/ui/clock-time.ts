import { once } from '../../resources/once.ts';

/** Every time of day in the dashboard: on a clock of 12 or 24 hours, as the reader's locale has it. */
export const clock = { hour: 'numeric', minute: '2-digit' } as const;

const format = once(() => new Intl.DateTimeFormat(undefined, { ...clock, timeZone: 'UTC' }));

/** A stored time, such as `09:00`. What is typed may not be one yet. */
export function clockTime(time: string): string {
  const at = new Date(`1970-01-01T${time}Z`);
  return Number.isNaN(at.getTime()) ? time : format().format(at);
}

/** Of the full hour, from 0 to 23. */
export const hourTime = (hour: number): string => clockTime(`${String(hour).padStart(2, '0')}:00`);
