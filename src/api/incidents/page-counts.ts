// Days of an interval, and what is counted on each.
import { type NoticeState, noticeStates } from '../../engine/ports/sending.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { DayCount } from '../../storage/incidents/pages.ts';
import { timeOrNull } from './render.ts';

export type Interval = { readonly from: Temporal.Instant; readonly to: Temporal.Instant };
export type Day = Interval & { readonly date: string };

/** Without a beginning, so many days, the last of which is cut at the end of the interval. */
export function daysOf(
  { from, to }: Pick<Interval, 'to'> & Partial<Interval>,
  timezone: string,
  count: number,
): readonly Day[] {
  // Of its last moment: an interval that ends at midnight does not begin another day.
  const last = clockIn(timezone, to.subtract({ nanoseconds: 1 })).startOfDay();
  const first = from ? clockIn(timezone, from) : last.subtract({ days: count - 1 }).startOfDay();
  const days: Day[] = [];
  for (let begin = first; ; ) {
    const next = begin.startOfDay().add({ days: 1 }).startOfDay();
    const date = begin.toPlainDate().toString();
    if (Temporal.Instant.compare(next.toInstant(), to) >= 0)
      return [...days, { date, from: begin.toInstant(), to }];
    days.push({ date, from: begin.toInstant(), to: next.toInstant() });
    begin = next;
  }
}

type Counts = Readonly<Record<NoticeState, number>>;

export function countsOf(days: readonly Day[], counts: readonly DayCount[]) {
  const none = Object.fromEntries(noticeStates.map((state) => [state, 0])) as Counts;
  return days.map(({ date, from, to }, index) => ({
    date,
    from: timeOrNull(from),
    to: timeOrNull(to),
    ...none,
    ...Object.fromEntries(
      counts.filter(({ day }) => day === index).map(({ state, count }) => [state, count]),
    ),
  }));
}
