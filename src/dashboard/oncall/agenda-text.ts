import type { AgendaEntry } from './agenda.ts';
import { dayOf } from './axis.ts';
import { onBothClocks } from './both-clocks.ts';
import { clockText, weekdayText } from './times.ts';
import { agendaWords as words } from './words.ts';

type Part = Omit<AgendaEntry, 'bar'>;

/** What part of the day it is, such as `until 09:00`. `own`: the reader's zone, to be shown, too. */
export function entryText(entry: Part, zone: string, own: string | null = null): string {
  const at = entry.from ?? entry.to;
  if (at === null) return words.allDay;
  return onBothClocks(zone, at, (shown) => partText(entry, (edge) => edgeText(edge, shown)), own);

  /** With its day, where that is another one than that of the entry. */
  function edgeText(edge: number, shown: string): string {
    const isSameDay = dayOf(shown, edge) === dayOf(zone, edge);
    const clock = clockText(shown, edge);
    return isSameDay ? clock : `${weekdayText(shown, edge)} ${clock}`;
  }
}

function partText({ from, to }: Part, textOf: (edge: number) => string): string {
  if (from === null) return to === null ? words.allDay : words.until(textOf(to));
  return to === null ? words.from(textOf(from)) : words.fromTo(textOf(from), textOf(to));
}
