// What a list is narrowed by, as its address has it.

/** How long ago incidents were opened at most. */
export const ages = ['1h', '24h', '7d', '30d'] as const;
export type AgeMax = (typeof ages)[number];

export type Filters = {
  readonly priority?: string;
  readonly service?: string;
  readonly responder?: string;
  readonly since?: AgeMax;
};
export const filterNames = ['priority', 'service', 'responder', 'since'] as const;
export type FilterName = (typeof filterNames)[number];

const HOUR_MS = 3_600_000;
const hours: Readonly<Record<AgeMax, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

const isId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{24}$/.test(text);

/** What is not understood narrows nothing. */
export function filtersOf(search: Record<string, unknown>): Filters {
  const { priority, service, responder } = search;
  const since = ages.find((age) => age === search['since']);
  return {
    ...(typeof priority === 'string' && /^p[1-5]$/.test(priority) && { priority }),
    ...(isId(service) && { service }),
    ...(isId(responder) && { responder }),
    ...(since && { since }),
  };
}

/** As the list is asked for; `since` is a time only when it is read. */
export const queryOfFilters = ({ priority, service, responder, since }: Filters) => ({
  ...(priority !== undefined && { priority }),
  ...(service !== undefined && { service_id: service }),
  ...(responder !== undefined && { responder_id: responder }),
  ...(since !== undefined && { since }),
});

type Query = Readonly<Record<string, string>>;

/** As the API takes it. */
export function atTime({ since, ...query }: Query, now: number): Query {
  const age = ages.find((one) => one === since);
  if (age === undefined) return query;
  return { ...query, from: new Date(now - hours[age] * HOUR_MS).toISOString() };
}
