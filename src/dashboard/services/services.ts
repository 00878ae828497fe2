// How services fare.
export type ListedIncident = {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly status: 'triggered' | 'acknowledged' | 'resolved';
  readonly service_id: string;
  readonly created_at: string;
};

export type OpenCounts = {
  readonly byService: ReadonlyMap<string, number>;
  /** Otherwise there are more than were read. */
  readonly isWhole: boolean;
};

export function openByService(
  incidents: readonly Pick<ListedIncident, 'service_id'>[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { service_id } of incidents) counts.set(service_id, (counts.get(service_id) ?? 0) + 1);
  return counts;
}
