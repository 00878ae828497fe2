// Figures about the pages of a span: to whom they went, how many of them at night, by which channel,
// and whether they were sent. Of more pages than are counted, the newest are.
import type { NoticeState } from '../../engine/ports/sending.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Queries } from '../database/database.ts';
import { isAtNight, type Night, nightClocks } from './nights.ts';
import { baseOf, filtersOf, type PageFilters } from './pages.ts';

/** Of pages that were sent. */
export type PersonPages = {
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly pages: number;
  readonly night: number;
};

export type ChannelPages = { readonly channel: string } & Readonly<Record<NoticeState, number>>;

export type PageReport = {
  readonly people: readonly PersonPages[];
  readonly channels: readonly ChannelPages[];
  /** Since when all are counted; null: all are. */
  readonly since: Temporal.Instant | null;
};

export async function reportPages(
  sql: Queries,
  query: PageFilters,
  nights: Night,
): Promise<PageReport> {
  const most = queryLimits.pagesCounted;
  const { organizationId } = query;
  const inState = (state: NoticeState) => sql`count(*) filter (where state = ${state})`;
  const [report] = await sql<[PageReport]>`
    with searched as materialized (
      select organization_id, incident_id, user_id, channel, state, created_at
      from outbox where ${baseOf(sql, query)} order by created_at desc, key desc limit ${most}
    ), counted as materialized (
      select user_id, channel, state, created_at from searched where ${filtersOf(sql, query)}
    ), by_person as (
      select user_id, count(*) as pages, count(*) filter (where ${isAtNight(sql)}) as night
      from counted
      join ${nightClocks(sql, organizationId, nights)} on person_id = user_id
      where state = 'sent' group by user_id
      order by night desc, pages desc, user_id limit ${queryLimits.peopleReported}
    ), named as (
      select p.*, u.first_name, u.last_name
      from by_person p
      join users u on u.organization_id = ${organizationId} and u.id = p.user_id
      order by night desc, pages desc, user_id
    ), by_channel as (
      select channel, ${inState('pending')} as pending, ${inState('sent')} as sent,
        ${inState('failed')} as failed, ${inState('cancelled')} as cancelled
      from counted group by channel order by count(*) desc, channel
    )
    select
      coalesce((select json_agg(named) from named), '[]') as people,
      coalesce((select json_agg(by_channel) from by_channel), '[]') as channels,
      (select case when count(*) = ${most} then min(created_at) end from searched) as since`;
  return report;
}
