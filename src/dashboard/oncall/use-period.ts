import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Axis, axisOf, dateText, dayNumber, dayOf, firstDay, steppedDay } from './axis.ts';
import type { Period } from './periods.ts';
import { onCallsSearch, type PeriodSearch } from './search.ts';

/** What the address says is shown, and how to show something else. */
export function usePeriod(zone: string) {
  const { from, period = 'fortnight' }: PeriodSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const dayNow = dayOf(zone, Date.now());
  const current = firstDay(dayNow, period);
  const first = firstDay(dayNumber(from ?? '') ?? current, period);
  // What was on yesterday is what a handover is about.
  const before = period === 'fortnight' && first === dayNow ? 1 : 0;
  const axis: Axis = useMemo(
    () => axisOf(first, period, zone, before),
    [first, period, zone, before],
  );
  const show = (next: PeriodSearch) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => {
        const { from: _, period: __, ...rest } = before;
        return { ...rest, ...onCallsSearch(next) };
      },
      replace: true,
      resetScroll: false,
    });
  return {
    axis,
    period,
    isNow: first === current,
    choose: (next: Period) => show({ period: next, ...(from !== undefined && { from }) }),
    step(steps: number) {
      const next = steppedDay(first, period, steps);
      show({ period, ...(next !== current && { from: dateText(next) }) });
    },
    today: () => show({ period }),
    /** Of this week, or of so many weeks later. */
    showWeekend: (weeks: number) => {
      const from = steppedDay(firstDay(dayNow, 'weekend'), 'weekend', weeks);
      show({ period: 'weekend', ...(weeks > 0 && { from: dateText(from) }) });
    },
    /** How many weeks from now the weekend is that is shown; null: another period is. */
    weekendIn: period === 'weekend' ? (first - current) / 7 : null,
    /** The period that an instant is in. */
    goTo: (at: number) => show({ period, from: dateText(firstDay(dayOf(zone, at), period)) }),
  };
}
