// The events of integrations in each of the last 24 hours, as the API answers them.
type Hour = { readonly events: number; readonly failed: number };
type Counted = {
  readonly integration_id: string;
  readonly hours: readonly Hour[];
  readonly counted_from?: string;
};
export type LastDays = { readonly from: string; readonly data: readonly Counted[] };

export type EventHour = Hour & { readonly start: number };
export type LastDay = { readonly hours: readonly EventHour[]; readonly countedFrom?: number };

const HOUR_MS = 3_600_000;
/** By integration. */
export function lastDaysOf({ from, data }: LastDays): ReadonlyMap<string, LastDay> {
  const first = Date.parse(from);
  return new Map(
    data.map(({ integration_id, hours, counted_from }) => [
      integration_id,
      {
        hours: hours.map((hour, index) => ({ ...hour, start: first + index * HOUR_MS })),
        ...(counted_from !== undefined && { countedFrom: Date.parse(counted_from) }),
      },
    ]),
  );
}

type Summary = {
  readonly events: number;
  readonly failed: number;
  /** When the hour with the most begins; of several, the latest. Null: there were no events. */
  readonly busiest: number | null;
};

export function summaryOf(hours: readonly EventHour[]): Summary {
  const sum = (name: 'events' | 'failed') => hours.reduce((all, one) => all + one[name], 0);
  const most = Math.max(0, ...hours.map(({ events }) => events));
  const busiest = most === 0 ? undefined : hours.findLast(({ events }) => events === most);
  return { events: sum('events'), failed: sum('failed'), busiest: busiest?.start ?? null };
}
