import { queryOptions } from '@tanstack/react-query';
import { readBody } from '../../api/pager.ts';
import { detailKeysOf } from '../../rules/detail-keys.ts';

const RECENT = '50';

/** The paths of values in the details of its recent incidents. */
export const ownDetailKeysQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ['incidents', 'detail keys', integrationId],
    queryFn: async () => {
      const { data } = await readBody<{ data: readonly { details?: unknown }[] }>('/incidents', {
        source_integration_id: integrationId,
        limit: RECENT,
      });
      return detailKeysOf(data.map(({ details }) => details));
    },
    staleTime: 60_000,
    enabled: integrationId !== '',
  });
