import type { AgendaEntry } from './agenda.ts';
import { clockText } from './times.ts';
import { agendaWords as words } from './words.ts';

/** What part of the day it is, such as `until 09:00`. */
export function entryText({ from, to }: Omit<AgendaEntry, 'bar'>, zone: string): string {
  if (from === null) return to === null ? words.allDay : words.until(clockText(zone, to));
  const begin = clockText(zone, from);
  return to === null ? words.from(begin) : words.fromTo(begin, clockText(zone, to));
}
