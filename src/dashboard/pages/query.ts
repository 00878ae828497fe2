// What the API is asked for the filters of the address.
import { dayAfter } from '../ui/days.ts';
import type { PageFilters } from './filters.ts';

type Query = Readonly<Record<string, string>>;

const DAYS_SHOWN = 30;
/** The API counts two more; a change of the clock makes days longer. */
const DAYS_COUNTED = 90;

/** The number that was typed, also as INC-42; null: it is none. */
export function incidentIn(typed: string): string | null {
  const [, number] = /^(?:INC-?)?0*([1-9]\d{0,8})$/i.exec(typed.trim()) ?? [];
  return number ?? null;
}

/** Null: no incident has what was typed as its number. */
export function queryOf(filters: PageFilters): Query | null {
  const { person, channel, state, from, to, incident } = filters;
  const { teams, service, integration, night, test } = filters;
  const number = incident === undefined ? undefined : incidentIn(incident);
  if (number === null || (from !== undefined && to !== undefined && from > to)) return null;
  return {
    ...(person !== undefined && { user_id: person }),
    ...(channel !== undefined && { channel }),
    ...(state !== undefined && { state }),
    ...(number !== undefined && { incident: number }),
    ...(teams !== undefined && { team_id: teams }),
    ...(service !== undefined && { service_id: service }),
    ...(integration !== undefined && { integration_id: integration }),
    ...(test && { test: `${test === 'only'}` }),
    ...(night && from !== undefined && to !== undefined && { night: 'true' }),
    ...(from !== undefined && { from: midnightOf(from) }),
    ...(to !== undefined && { to: midnightOf(dayAfter(to, 1)) }),
  };
}

/**
 * The days that are counted: those of the filter, the last of them if they are many, or the last month.
 * A single day is shown among the others around it.
 */
export function countedDays(
  { from, to }: PageFilters,
  today: string,
): { from: string; to: string } {
  const month = (last: string) => ({ from: dayAfter(last, 1 - DAYS_SHOWN), to: last });
  const last = to ?? (from !== undefined && from > today ? from : today);
  if (from === undefined) return month(last);
  const recent = month(today);
  if (from === last) return from >= recent.from && last <= recent.to ? recent : month(last);
  const earliest = dayAfter(last, 1 - DAYS_COUNTED);
  return { from: from < earliest ? earliest : from, to: last };
}

/** The counts of these days, by the same filters; without that of the state, as each bar shows all. */
export function countsQueryOf(filters: PageFilters, today: string, timezone: string): Query | null {
  const query = queryOf(filters);
  if (query === null) return null;
  const { from, to } = countedDays(filters, today);
  const { state: _, ...rest } = query;
  return { ...rest, from: midnightOf(from), to: midnightOf(dayAfter(to, 1)), timezone };
}

/** Where the reader is. */
export const midnightOf = (day: string): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).toISOString();
};

export function dayOf(now: number): string {
  const date = new Date(now);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The same list as a file, which the browser saves. */
export const csvAddressOf = (query: Query): string =>
  `/api/v1/pages?${new URLSearchParams({ ...query, format: 'csv' })}`;
