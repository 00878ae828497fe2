// What the pages of schedules ask for. All keys begin alike: a change of a schedule makes all stale.
import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { readBody, readList } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import type { DashboardRecord } from '../records/record.ts';
import type { ChangeNotice, ShiftEvent } from './announced.ts';
import type { Span } from './axis.ts';
import type {
  CutSpan,
  Gap,
  OnCallNow,
  Row,
  ScheduleTimeline,
  Shift,
  WholeShift,
} from './schedules.ts';

type Query = Readonly<Record<string, string>>;

const spanQuery = ({ start, end }: Span): Query => ({
  from: new Date(start).toISOString(),
  to: new Date(end).toISOString(),
});

type Names = Readonly<Record<string, string>>;
type TimelinePage = {
  readonly data: readonly ScheduleTimeline[];
  readonly names: Names;
  readonly next_cursor: string | null;
};

async function readTimelines(query: Query) {
  const rows: ScheduleTimeline[] = [];
  let names: Names = {};
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: Query = cursor === '' ? {} : { cursor };
    const page: TimelinePage = await readBody('/on-calls/timeline', {
      ...query,
      ...from,
      limit: '200',
    });
    rows.push(...page.data);
    names = { ...names, ...page.names };
    cursor = page.next_cursor;
  }
  return { rows, names };
}

export const schedulesQuery = (span: Span, team: string | undefined) =>
  queryOptions({
    queryKey: ['on-calls', 'all', span, team ?? null],
    queryFn: async (): Promise<{ rows: readonly Row[]; names: Names }> => {
      const scope = team === undefined ? {} : { team_id: team };
      const [{ rows, names }, now] = await Promise.all([
        readTimelines({ ...spanQuery(span), ...scope }),
        readList<OnCallNow>('/on-calls/now', scope),
      ]);
      const byId = new Map(now.map((one) => [one.oncall_schedule_id, one]));
      return {
        rows: rows.map((row) => ({ ...row, now: byId.get(row.oncall_schedule_id) })),
        names,
      };
    },
    refetchInterval: pollMs,
  });

export type Window = {
  readonly from_day: string;
  readonly from_time: string;
  readonly to_day: string;
  readonly to_time: string;
};
/** Of which days turns consist: of all, or of those on which the layer has hours. */
export type Counts = 'all' | 'open';
export type Layer = {
  readonly name?: string;
  readonly users: readonly (string | null)[];
  readonly rotation: {
    readonly length: number;
    readonly unit: 'days' | 'weeks';
    readonly handoff?: string;
    readonly handoff_day?: string;
    readonly since?: string;
    readonly counts?: Counts;
  };
  readonly restriction?: { readonly windows: readonly Window[] };
  readonly starts_at?: string;
  readonly ends_at?: string;
};
export type Schedule = DashboardRecord & {
  readonly name: string;
  readonly timezone: string;
  readonly layers: readonly Layer[];
  /** The hours of every week in which nobody is meant to be on call. */
  readonly uncovered_by_design?: readonly Window[];
};

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['on-calls', id, 'record'],
    queryFn: () => readBody<Schedule>(`/on-calls/${id}`),
    refetchInterval: pollMs,
  });

export type OverrideSpan = CutSpan & {
  readonly override_id: string;
  /** Null: nobody, so that the other person is taken off. */
  readonly user_id: string | null;
  readonly replaces_user_id?: string;
};
export type LaneShift = CutSpan & { readonly user_id: string };
export type WholeTimeline = {
  readonly shifts: readonly Shift[];
  /** Without those by design. */
  readonly gap_count: number;
  readonly gaps: readonly Gap[];
  readonly layers: readonly {
    readonly layer: number | null;
    readonly shifts: readonly LaneShift[];
  }[];
  readonly overrides: readonly OverrideSpan[];
  readonly names: Names;
};

export const timelineQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['on-calls', id, 'timeline', span],
    queryFn: () => readBody<WholeTimeline>(`/on-calls/${id}/timeline`, spanQuery(span)),
    refetchInterval: pollMs,
  });

export const nowQuery = (id: string) =>
  queryOptions({
    queryKey: ['on-calls', id, 'now'],
    queryFn: () =>
      readBody<{ now: WholeShift | null; next: WholeShift | null }>(`/on-calls/${id}/now`),
    refetchInterval: pollMs,
  });

export type Coverage = {
  readonly gap_count: number;
  readonly gaps: readonly Gap[];
  readonly missing_users: readonly { readonly user_id: string; readonly reason: string }[];
};

export const coverageQuery = (id: string) =>
  queryOptions({
    queryKey: ['on-calls', id, 'coverage'],
    queryFn: () => readBody<Coverage>(`/on-calls/${id}/coverage`),
  });

export type Override = {
  readonly id: string;
  readonly version: number;
  readonly user_id: string | null;
  readonly replaces_user_id?: string;
  readonly start: string;
  readonly end: string;
  readonly comment?: string;
};

/** Those that run or are yet to come. */
export const overridesQuery = (id: string) =>
  queryOptions({
    queryKey: ['on-calls', id, 'overrides'],
    queryFn: () => readList<Override>(`/on-calls/${id}/overrides`),
    refetchInterval: pollMs,
  });

export type CoverRequest = {
  readonly id: string;
  readonly oncall_schedule_id: string;
  readonly schedule_name: string;
  readonly user_id: string;
  readonly start: string;
  readonly end: string;
  readonly comment?: string;
  readonly requested_by: { readonly id: string };
  readonly state: 'open' | 'accepted' | 'withdrawn' | 'expired';
  readonly accepted_by?: string;
};

const requestsKey = 'cover-requests';

/** Open ones. */
export const coverRequestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['on-calls', id, requestsKey],
    queryFn: () => readList<CoverRequest>(`/on-calls/${id}/cover-requests`),
    refetchInterval: pollMs,
  });

export const coverRequestQuery = (id: string, request: string) =>
  queryOptions({
    queryKey: ['on-calls', id, requestsKey, request],
    queryFn: () => readBody<CoverRequest>(`/on-calls/${id}/cover-requests/${request}`),
    refetchInterval: pollMs,
  });

/** Open ones of all schedules that concern the reader. */
export const ownRequestsQuery = queryOptions({
  queryKey: ['on-calls', requestsKey],
  queryFn: () => readList<CoverRequest>('/cover-requests', { for: 'me' }),
  refetchInterval: pollMs,
});

export type Member = {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly timezone?: string;
  readonly active?: boolean;
};

export type LogPage<One> = {
  readonly data: readonly One[];
  readonly next_cursor: string | null;
  readonly removed_before?: string;
};

const useLog = <One>(id: string, list: string) =>
  useInfiniteQuery({
    queryKey: ['on-calls', id, list],
    queryFn: ({ pageParam }) =>
      readBody<LogPage<One>>(
        `/on-calls/${id}/${list}`,
        pageParam === '' ? {} : { cursor: pageParam },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollMs,
  });

export type RevisionLayer = Layer & { readonly id: string };
export type Revision = {
  readonly number: number;
  readonly from: string;
  readonly archived: boolean;
  readonly timezone: string;
  readonly layers: readonly RevisionLayer[];
  readonly actor?: { readonly type: 'user' | 'key' | 'server'; readonly name: string };
  readonly managed_by?: { readonly tool: string; readonly workspace?: string };
};

export const useShiftEvents = (id: string) => useLog<ShiftEvent>(id, 'events');
export const useRevisions = (id: string) => useLog<Revision>(id, 'revisions');
export const useChangeNotices = (id: string) => useLog<ChangeNotice>(id, 'change-notices');

/** A chat channel that hears of shifts: by its incoming webhook, or by its id. */
export type TeamChannel = {
  readonly webhook_url?: string;
  readonly channel_id?: string;
  readonly channel_name?: string;
  readonly mention?: string;
};
/** A channel of Slack that a connection can post to. */
export type ChatChannel = {
  readonly channel_id: string;
  readonly name: string;
  readonly is_private: boolean;
  readonly connection_id: string;
  readonly connection: string;
};
type ChatChannels = { readonly data: readonly ChatChannel[]; readonly complete: boolean };

export const chatChannelsQuery = (via: string, search: string) =>
  queryOptions({
    queryKey: ['chat-channels', via, search],
    queryFn: () => readBody<ChatChannels>('/chat-channels', { via, search }),
  });

/** Of a schedule: an absent list is that of the organisation. */
export type TeamNotices = {
  readonly slack?: readonly TeamChannel[];
  readonly msteams?: readonly TeamChannel[];
  readonly outbound_webhook_ids?: readonly string[];
};

export const teamNoticesQuery = (id: string) =>
  queryOptions({
    queryKey: ['on-calls', id, 'notifications'],
    queryFn: () => readBody<TeamNotices>(`/on-calls/${id}/notifications`),
  });

export const organizationNoticesQuery = queryOptions({
  queryKey: ['session', 'shift notifications'],
  queryFn: async () =>
    (await readBody<{ shift_notifications?: TeamNotices }>('/organization')).shift_notifications ??
    {},
});

export const webhooksQuery = (team: string) =>
  queryOptions({
    queryKey: ['outbound-webhooks', team],
    queryFn: () => readList<{ id: string; name: string }>('/outbound-webhooks', { team_id: team }),
  });
