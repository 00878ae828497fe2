import { useQuery } from '@tanstack/react-query';
import { readBody } from '../../api/pager.ts';
import type { Incident as Listed } from '../../incidents/incident.ts';
import type { Incident } from '../incident.ts';
import { keyOf, live } from '../queries.ts';

export type Changes = {
  readonly data: readonly {
    readonly at: string;
    readonly summary: string;
    readonly source?: string;
    readonly links: Incident['links'];
    readonly event_id: string;
  }[];
  readonly more: boolean;
};

/** Such as deployments. */
export const useChanges = (id: string) =>
  useQuery({
    ...live,
    queryKey: [...keyOf(id), 'changes'],
    queryFn: () => readBody<Changes>(`/incidents/${id}/changes`),
  });

const EARLIER = '6';

/** The last of the same key. */
export const useSameKey = (incident: Incident) => {
  const { dedup_key, source_integration_id } = incident;
  return useQuery({
    ...live,
    queryKey: ['incidents', 'of key', source_integration_id, dedup_key],
    queryFn: () =>
      readBody<{ data: readonly Listed[] }>('/incidents', {
        dedup_key,
        source_integration_id: source_integration_id ?? '',
        limit: EARLIER,
      }),
    select: ({ data }) => data.filter(({ id }) => id !== incident.id),
    enabled: source_integration_id !== undefined && incident.repeat_count > 0,
  });
};
