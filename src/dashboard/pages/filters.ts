// What the list of pages is narrowed by, as its address has it.
import { testFilters } from '../incidents/filters.ts';

/** As the API has them. */
export const states = ['sent', 'pending', 'failed', 'cancelled'] as const;
export type State = (typeof states)[number];

export const filterNames = [
  ...(['person', 'channel', 'state', 'from', 'to'] as const),
  ...(['teams', 'service', 'integration', 'night', 'test'] as const),
] as const;
export type FilterName = (typeof filterNames)[number];

export type PageFilters = {
  readonly person?: string;
  readonly channel?: string;
  readonly state?: State;
  /** Days where the reader is; the last one is part of the interval. */
  readonly from?: string;
  readonly to?: string;
  /** Of the incidents; ids of teams with commas between. */
  readonly teams?: string;
  readonly service?: string;
  readonly integration?: string;
  /** At night where the person is; only between two days. */
  readonly night?: true;
  /** Only pages about tests, or without those, which reports do not count. */
  readonly test?: (typeof testFilters)[number];
  /** As it was typed. */
  readonly incident?: string;
};

const DAY = /^\d{4}-\d\d-\d\d$/;

/** What is not understood narrows nothing, but the number of an incident, which is shown as typed. */
export function pageFiltersOf(search: Record<string, unknown>): PageFilters {
  const { person, channel, from, to, incident, teams, service, integration } = search;
  const test = testFilters.find((one) => one === search['test']);
  const state = states.find((one) => one === search['state']);
  return {
    ...(isId(person) && { person }),
    ...(typeof channel === 'string' && /^[a-z-]{1,30}$/.test(channel) && { channel }),
    ...(state && { state }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(typeof teams === 'string' && teams.split(',').every(isId) && { teams }),
    ...(isId(service) && { service }),
    ...(isId(integration) && { integration }),
    ...(search['night'] === true && isDay(from) && isDay(to) && { night: true }),
    ...(test && { test }),
    ...(incident !== undefined && { incident: String(incident) }),
  };
}

const isId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{24}$/.test(text);

const isDay = (text: unknown): text is string =>
  typeof text === 'string' && DAY.test(text) && !Number.isNaN(Date.parse(text));
