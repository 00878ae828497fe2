import { queryOptions } from '@tanstack/react-query';
import { readBody, readComputed } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import { type Connection, isAwaited } from './connection.ts';

/** No hint says that a vendor has answered. */
const AWAITED_MS = 1_500;

export const connectionsPath = '/channel-connections';

/** In the order in which they are used. */
export const connectionsQuery = queryOptions({
  queryKey: ['channel-connections'],
  queryFn: async () => (await readBody<{ data: readonly Connection[] }>(connectionsPath)).data,
  refetchInterval: ({ state: { data } }) =>
    data !== undefined && isAwaited(data, Date.now()) ? AWAITED_MS : pollMs(),
});

type VendorHere = {
  readonly vendor: string;
  readonly unused_reason?: string;
  readonly callback_warning?: string;
};

/** In sentences, what limits connections of a vendor on this server; known before there is one. */
export const vendorLimitsQuery = (vendor: string) =>
  queryOptions({
    queryKey: ['channel-connections', 'vendors'],
    queryFn: async () =>
      (await readBody<{ data: readonly VendorHere[] }>(`${connectionsPath}/vendors`)).data,
    select: (all) => {
      const { unused_reason, callback_warning } = all.find((one) => one.vendor === vendor) ?? {};
      return [unused_reason, callback_warning].filter((one) => one !== undefined);
    },
  });

export const archivedQuery = queryOptions({
  queryKey: ['channel-connections', 'archived'],
  queryFn: async () => {
    const query = { archived: 'true' };
    return (await readBody<{ data: readonly Connection[] }>(connectionsPath, query)).data;
  },
});

type Preview = { readonly data: { readonly warnings: readonly { readonly message: string }[] } };

/** In sentences, what saving or archiving it so would change for people. */
export const effectsQuery = (record: Readonly<Record<string, unknown>>) =>
  queryOptions({
    // Of what was shown before the write, also after it.
    queryKey: ['connection-effects', record],
    queryFn: async () => {
      const body = { kind: 'channel_connection', record };
      const { data } = await readComputed<Preview>('/preview', body);
      return data.warnings.map(({ message }) => message);
    },
    staleTime: 0,
  });

/** What relies on the connections. */
export const staleConnections = [
  ['channel-connections'],
  ['channels'],
  ['users'],
  ['attention'],
] as const;
