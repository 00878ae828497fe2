// What a list is narrowed by, as its address has it.
import { verdicts } from '../../resources/verdicts.ts';

/** How long ago incidents were opened at most. */
export const ages = ['1h', '24h', '7d', '30d'] as const;
export type AgeMax = (typeof ages)[number];

export const verdictFilters = [...verdicts, 'none'] as const;

/** Of tests only, or without them. */
export const testFilters = ['only', 'none'] as const;

export type Filters = {
  readonly priority?: string;
  readonly service?: string;
  readonly responder?: string;
  readonly since?: AgeMax;
  readonly verdict?: (typeof verdictFilters)[number];
  readonly test?: (typeof testFilters)[number];
};
export const filterNames = [
  'priority',
  'service',
  'responder',
  'since',
  'verdict',
  'test',
] as const;
export type FilterName = (typeof filterNames)[number];

const HOUR_MS = 3_600_000;
const hours: Readonly<Record<AgeMax, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

const isId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{24}$/.test(text);

/** What is not understood narrows nothing. */
export function filtersOf(search: Record<string, unknown>): Filters {
  const { priority, service, responder } = search;
  const since = ages.find((age) => age === search['since']);
  const test = testFilters.find((one) => one === search['test']);
  const verdict = verdictFilters.find((one) => one === search['verdict']);
  return {
    ...(typeof priority === 'string' && /^p[1-5]$/.test(priority) && { priority }),
    ...(isId(service) && { service }),
    ...(isId(responder) && { responder }),
    ...(since && { since }),
    ...(verdict && { verdict }),
    ...(test && { test }),
  };
}

/** As the list is asked for; `since` is a time only when it is read. */
export const queryOfFilters = ({ service, responder, test, ...rest }: Filters) => ({
  ...rest,
  ...(test && { test: `${test === 'only'}` }),
  ...(service !== undefined && { service_id: service }),
  ...(responder !== undefined && { responder_id: responder }),
});

type Query = Readonly<Record<string, string>>;

/** As the API takes it. */
export function atTime({ since, ...query }: Query, now: number): Query {
  const age = ages.find((one) => one === since);
  if (age === undefined) return query;
  return { ...query, from: new Date(now - hours[age] * HOUR_MS).toISOString() };
}
