import { queryOptions } from '@tanstack/react-query';
import { readList } from '../api/pager.ts';
import type { ApiKey } from './keys.ts';

export const keysPath = '/api-keys';

/** What is read anew after a write. */
export const staleKeys = ['api-keys'] as const;

export const keysQuery = (isRevoked: boolean) =>
  queryOptions({
    queryKey: ['api-keys', isRevoked],
    queryFn: () => readList<ApiKey>(keysPath, isRevoked ? { archived: 'true' } : {}),
  });
