import { once } from '../../resources/once.ts';
import { clock } from './clock-time.ts';

const styles = {
  minute: clock,
  second: { ...clock, second: '2-digit' },
} as const;
const formats = {
  minute: once(() => new Intl.DateTimeFormat(undefined, styles.minute)),
  second: once(() => new Intl.DateTimeFormat(undefined, styles.second)),
};
const day = once(() => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }));

export type To = keyof typeof formats;

/** A time of day where the reader is; with the day, unless it is today. */
export function momentText(at: string, now: number, to: To = 'minute'): string {
  const date = new Date(at);
  const time = formats[to]().format(date);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? time : `${day().format(date)}, ${time}`;
}
