import { queryOptions } from '@tanstack/react-query';
import type { Verdict } from '../../resources/verdicts.ts';
import { readBody } from '../api/pager.ts';
import type { Figures, Hour, Week } from './figures.ts';

type Query = Readonly<Record<string, string>>;

type Counted = { readonly complete: boolean; readonly counted_from?: string };

export type Key = {
  readonly integration_id: string;
  readonly integration?: string;
  readonly dedup_key: string;
  readonly opened: number;
  readonly unacknowledged: number;
  readonly suppressed: number;
  readonly incident_number: number;
  readonly incident_title: string;
};

export type VerdictCounts = Readonly<Record<Verdict | 'ended' | 'answered', number>>;

type Newest = 'integration_id' | 'integration' | 'dedup_key' | 'incident_number' | 'incident_title';

export type VerdictReport = {
  readonly total: VerdictCounts;
  readonly integrations: readonly (VerdictCounts & Pick<Key, 'integration_id' | 'integration'>)[];
  readonly rules: readonly (VerdictCounts & { readonly rule_id: string; readonly rule?: string })[];
  readonly keys: readonly (VerdictCounts & Pick<Key, Newest>)[];
};

export type IncidentReport = Counted & {
  readonly timelines_removed_before?: string;
  readonly total: Figures;
  readonly weeks: readonly Week[];
  readonly hours: readonly Hour[];
  readonly keys: readonly Key[];
  readonly verdicts: VerdictReport;
};

export type PersonPages = {
  readonly user_id: string;
  readonly name: string;
  readonly pages: number;
  readonly night: number;
};
export type ChannelPages = {
  readonly channel: string;
  readonly sent: number;
  readonly pending: number;
  readonly failed: number;
  readonly cancelled: number;
};
export type PageReport = Counted & {
  readonly pages_removed_before?: string;
  readonly people: readonly PersonPages[];
  readonly channels: readonly ChannelPages[];
};

/** Figures of weeks need not be of this minute, and are not cheap to count. */
const STALE_MS = 5 * 60_000;

export const incidentReportQuery = (query: Query) =>
  queryOptions({
    queryKey: ['reports', 'incidents', query],
    queryFn: () => readBody<IncidentReport>('/reports/incidents', query),
    staleTime: STALE_MS,
  });

export const pageReportQuery = (query: Query) =>
  queryOptions({
    queryKey: ['reports', 'pages', query],
    queryFn: () => readBody<PageReport>('/reports/pages', query),
    staleTime: STALE_MS,
  });
