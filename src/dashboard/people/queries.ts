import { queryOptions } from '@tanstack/react-query';
import type { Reachability as ContactReachability } from '../../resources/contact-reachability.ts';
import { readBody, readComputed, readList } from '../api/pager.ts';
import type { Factors, ListedPerson, Person, Reachability } from './person.ts';

const RARELY_MS = 60_000;

type PeoplePage = {
  readonly data: readonly Person[];
  readonly next_cursor: string | null;
  readonly reachability: Readonly<Record<string, Reachability>>;
};

/** All pages of the list of people, which have what is included beside their data. */
async function readPages<Page extends Pick<PeoplePage, 'next_cursor'>>(
  include: string,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await readBody('/users', {
      include,
      limit: '200',
      ...(cursor !== '' && { cursor }),
    });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

/** Everybody of the organisation: a list is by name, and the API's by id. */
export const peopleQuery = queryOptions({
  queryKey: ['users'],
  staleTime: RARELY_MS,
  queryFn: async () => {
    const pages = await readPages<PeoplePage>('reachability');
    return pages.flatMap(({ data, reachability }) =>
      data.map(
        (person): ListedPerson => ({
          ...person,
          reachability: reachability[person.id] ?? { reachable: false, channels: [] },
        }),
      ),
    );
  },
});

/** Of somebody who has not set a password yet. */
export type OpenInvitation = {
  /** Absent: they were added and never invited. */
  readonly invited_at?: string;
  readonly invited_by?: string;
  /** Absent: there is no link. */
  readonly expires_at?: string;
};

type InvitationsPage = Pick<PeoplePage, 'next_cursor'> & {
  readonly invitations: Readonly<Record<string, OpenInvitation>>;
};

/** For admins, by the person’s id. */
export const invitationsQuery = queryOptions({
  queryKey: ['users', 'invitations'],
  queryFn: async () => {
    const pages = await readPages<InvitationsPage>('invitations');
    return new Map(pages.flatMap(({ invitations }) => Object.entries(invitations)));
  },
});

export type Contact = {
  readonly id: string;
  readonly channel: ListedPerson['reachability']['channels'][number]['channel'];
  readonly address: string;
  readonly verified: boolean;
  /** Its place among those on its channel, from 1. */
  readonly position: number;
  readonly label?: string;
  /** Why it is verified no more; the sentence says it. */
  readonly state?: string;
  readonly state_reason?: string;
  readonly state_at?: string;
  /** When the person last answered through it. */
  readonly proved_at?: string;
  readonly reachability: ContactReachability;
  /** Why it is not proved. */
  readonly reachability_reason?: string;
};

export const contactsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'contacts'],
    queryFn: async () =>
      (await readBody<{ data: readonly Contact[] }>(`/users/${userId}/contacts`)).data,
  });

export const factorsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'factors'],
    queryFn: () => readBody<Factors>(`/users/${userId}/factors`),
  });

export type Shift = {
  readonly oncall_schedule_id: string;
  readonly name: string;
  readonly start: string;
  readonly end: string;
};
export type OnCall = { readonly now: readonly Shift[]; readonly next: readonly Shift[] };

/** The running shifts of a person, and those of the next weeks. */
export const onCallQuery = (userId: string) =>
  queryOptions({
    queryKey: ['on-calls', 'of', userId],
    queryFn: () => readBody<OnCall>(`/users/${userId}/on-call`),
  });

export type Use = {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly team_id: string | null;
  /** Of an override. */
  readonly oncall_schedule_id?: string;
};

export const usesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'uses'],
    queryFn: async () => (await readBody<{ data: readonly Use[] }>(`/users/${userId}/uses`)).data,
  });

type Named = { readonly id: string; readonly name: string };
export type MovedShift = {
  readonly from: string;
  readonly to: string | null;
  readonly after: readonly Named[];
};
export type ChangedSchedule = {
  readonly oncall_schedule_id: string;
  readonly name: string;
  readonly gaps: readonly { readonly from: string; readonly to: string | null }[];
  readonly gaps_count: number;
  readonly moved_shifts: readonly MovedShift[];
  readonly moved_shifts_count: number;
};

type Deactivation = {
  readonly data: {
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
    readonly schedules?: readonly ChangedSchedule[];
  };
};

/** Of events and of steps that name the person: schedules are shown by themselves. */
const pagingCodes: readonly string[] = ['pages_stop', 'pages_move', 'step_reaches_nobody'];

/** What a deactivation would change of who is on call, by schedule, and of whom events page. */
export const deactivationQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'deactivation'],
    queryFn: async () => {
      const record = { id: userId, active: false };
      const body = { kind: 'user', record };
      const { data } = await readComputed<Deactivation>('/preview', body);
      const { schedules = [], warnings } = data;
      const paging = warnings.filter(({ code }) => pagingCodes.includes(code));
      return { schedules, paging: paging.map(({ message }) => message) };
    },
    staleTime: 0,
  });

type NowRow = {
  readonly oncall_schedule_id: string;
  readonly name: string;
  readonly user: { readonly id: string } | null;
};

/** The schedules that each person is on call for, by the person's id. */
export const onCallNowQuery = queryOptions({
  queryKey: ['on-calls', 'now'],
  queryFn: async () => {
    const rows = await readList<NowRow>('/on-calls/now');
    const held = rows.filter(({ user }) => user !== null);
    return Map.groupBy(held, ({ user }) => user?.id ?? '');
  },
});
