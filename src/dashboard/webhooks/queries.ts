import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import { pollMs } from '../live/live.ts';
import { type Delivery, isAwaited } from './deliveries.ts';
import { webhooks } from './kind.ts';

/** No hint says that a call was made. */
const AWAITED_MS = 1_000;

type DeliveriesPage = {
  readonly data: readonly Delivery[];
  readonly next_cursor: string | null;
  readonly removed_before?: string;
};

const pathOf = (id: string) => `${webhooks.path}/${id}`;

/** Of every change of a webhook, below the key of its kind. */
export const deliveriesKey = (id: string) => ['outbound-webhooks', id, 'deliveries'] as const;

export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: deliveriesKey(id),
    queryFn: ({ pageParam }) =>
      readBody<DeliveriesPage>(
        `${pathOf(id)}/deliveries`,
        pageParam === '' ? {} : { cursor: pageParam },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    ...ofItsOwn,
    refetchInterval: ({ state: { data } }) =>
      isAwaited(data?.pages.flatMap((page) => page.data) ?? []) ? AWAITED_MS : pollMs(),
  });

type Content = { readonly type: string; readonly body: string };

export const contentQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['outbound-webhooks', id, 'content', deliveryId],
    queryFn: async () =>
      (await readBody<{ readonly content?: Content }>(`${pathOf(id)}/deliveries/${deliveryId}`))
        .content ?? null,
  });

export type SigningSecret = {
  readonly id: string;
  readonly secret: string;
  readonly created_at: string;
};

export const secretsKey = (id: string) => ['outbound-webhooks', id, 'secrets'] as const;

export const secretsQuery = (id: string) =>
  queryOptions({
    queryKey: secretsKey(id),
    queryFn: async () =>
      (await readBody<{ readonly data: readonly SigningSecret[] }>(`${pathOf(id)}/secrets`)).data,
    ...ofItsOwn,
  });
