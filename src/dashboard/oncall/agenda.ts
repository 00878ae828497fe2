// Who is on call day by day, as a phone shows it.
import type { Day } from './axis.ts';
import type { Bar } from './bar.ts';

export type AgendaEntry = {
  readonly bar: Bar;
  /** When it begins and ends within the day; null: it is there at the edge of the day. */
  readonly from: number | null;
  readonly to: number | null;
};
export type AgendaDay = { readonly day: Day; readonly entries: readonly AgendaEntry[] };

export const agendaOf = (days: readonly Day[], bars: readonly Bar[]): readonly AgendaDay[] =>
  days.map((day) => ({
    day,
    entries: bars
      .filter(({ start, end }) => start < day.end && day.start < end)
      .map((bar) => ({
        bar,
        from: bar.start > day.start ? bar.start : null,
        to: bar.end < day.end ? bar.end : null,
      })),
  }));
