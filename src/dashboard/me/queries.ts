import { queryOptions } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import type { Page } from '../pages/queries.ts';
import type { Person } from '../people/person.ts';
import type { NoticeSettings } from './notices.ts';
import type { Passkeys } from './passkeys.ts';
import { pushHere } from './push.ts';

export type Channel = {
  readonly channel: string;
  readonly usable: boolean;
  readonly reason?: string;
  /** Of one that needs no connection. */
  readonly health?: {
    readonly state: 'unchecked' | 'ok' | 'degraded' | 'failing';
    readonly reason?: string;
    readonly failing_since?: string;
  };
  /** Of pushes. */
  readonly devices?: readonly {
    readonly kind: 'browser' | 'ntfy';
    readonly usable: boolean;
    readonly reason?: string;
  }[];
};

export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: async () => (await readBody<{ data: readonly Channel[] }>('/channels')).data,
});

/** Without a mail server mails are written to files, which somebody may read. */
export const isSetUp = (channels: readonly Channel[] | undefined, name: string): boolean =>
  name === 'email' ||
  (channels?.some(({ channel, usable }) => channel === name && usable) ?? false);

/** As `If-Match` needs it: with its version. */
export const ownQuery = queryOptions({
  queryKey: ['users', 'me'],
  queryFn: () => readBody<Person>('/users/me'),
});

export const pushKeyQuery = queryOptions({
  queryKey: ['push-key'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: () => readBody<{ readonly public_key: string }>('/push/key'),
});

export const pushHereQuery = queryOptions({
  queryKey: ['push-here'],
  queryFn: async ({ client }) => pushHere((await client.ensureQueryData(pushKeyQuery)).public_key),
});

export const noticesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'notifications'],
    queryFn: () => readBody<NoticeSettings>(`/users/${userId}/notifications`),
  });

const pagesShown = 5;

export const pagesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'pages'],
    refetchInterval: pollMs,
    queryFn: async () => {
      const path = `/users/${userId}/pages`;
      const query = { limit: String(pagesShown) };
      return (await readBody<{ data: readonly Page[] }>(path, query)).data;
    },
  });

export type SessionRow = {
  readonly id: string;
  readonly current: boolean;
  readonly device?: string;
  readonly address?: string;
  readonly last_used_at: string;
};

export const sessionsQuery = queryOptions({
  queryKey: ['users', 'me', 'sessions'],
  queryFn: async () => (await readBody<{ data: readonly SessionRow[] }>('/users/me/sessions')).data,
});

export const secondFactorPath = '/users/me/second-factor';
export const secondFactorQuery = queryOptions({
  queryKey: ['users', 'me', 'second-factor'],
  queryFn: () =>
    readBody<{ readonly enabled: boolean; readonly recovery_codes_left: number }>(secondFactorPath),
});

export const passkeysPath = '/users/me/passkeys';
export const passkeysQuery = queryOptions({
  queryKey: ['users', 'me', 'passkeys'],
  queryFn: () => readBody<Passkeys>(passkeysPath),
});

export type ChatAccount = {
  readonly id: string;
  readonly vendor: string;
  readonly name: string;
  /** Its name. */
  readonly connection: string;
  readonly linked_by: 'email' | 'link';
  readonly linked_at: string;
};

export const chatAccountsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'chat-accounts'],
    queryFn: async () =>
      (await readBody<{ data: readonly ChatAccount[] }>(`/users/${userId}/chat-accounts`)).data,
  });

export type ChatLink = {
  readonly vendor: string;
  readonly account?: string;
  readonly name: string;
};

export const chatLinkPath = (code: string) => `/chat-links/${encodeURIComponent(code)}`;
/** Used, it is no more: what it showed stays. */
export const chatLinkQuery = (code: string) =>
  queryOptions({
    queryKey: ['chat-links', code],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => readBody<ChatLink>(chatLinkPath(code)),
  });
