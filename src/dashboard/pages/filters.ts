// What the list of pages is narrowed by, as its address has it; in the entry, so small.

/** As the API has them. */
export const states = ['sent', 'pending', 'failed', 'cancelled'] as const;
export type State = (typeof states)[number];

export const filterNames = ['person', 'channel', 'state', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];

export type PageFilters = {
  readonly person?: string;
  readonly channel?: string;
  readonly state?: State;
  /** Days where the reader is; the last one is part of the interval. */
  readonly from?: string;
  readonly to?: string;
  /** As it was typed. */
  readonly incident?: string;
};

const DAY = /^\d{4}-\d\d-\d\d$/;

/** What is not understood narrows nothing, but the number of an incident, which is shown as typed. */
export function pageFiltersOf(search: Record<string, unknown>): PageFilters {
  const { person, channel, from, to, incident } = search;
  const state = states.find((one) => one === search['state']);
  return {
    ...(typeof person === 'string' && /^[0-9a-f]{24}$/.test(person) && { person }),
    ...(typeof channel === 'string' && /^[a-z-]{1,30}$/.test(channel) && { channel }),
    ...(state && { state }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(incident !== undefined && { incident: String(incident) }),
  };
}

const isDay = (text: unknown): text is string =>
  typeof text === 'string' && DAY.test(text) && !Number.isNaN(Date.parse(text));
