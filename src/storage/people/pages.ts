// Pages to one person, about any incident.
import { pageKinds } from '../../incidents/incident.ts';
import { deviceChannel } from '../../resources/channels.ts';
import type { Queries } from '../database/database.ts';
import { type NoticeRow, noticeColumns } from '../incidents/incidents.ts';
import type { Owner } from './contacts.ts';

export type PageRow = NoticeRow & {
  readonly incident_id: string;
  readonly incident_number: number;
  readonly muted_until: Temporal.Instant | null;
};

/** Of the last page already seen. */
export type PageCursor = { readonly at: Temporal.Instant; readonly key: string };

type PagesQuery = Owner & { readonly limit: number; readonly before: PageCursor | null };

/** Newest first. With the address of the present contact, but of pushes: they go to all devices. */
export const listPages = (
  sql: Queries,
  { organizationId, userId, limit, before }: PagesQuery,
): Promise<readonly PageRow[]> => sql<PageRow[]>`
  select ${noticeColumns(sql)}, o.incident_id, i.number as incident_number, i.muted_until,
    case when o.channel <> ${deviceChannel} then o.notice->>'address' end as address
  from outbox o
  join incidents i on i.organization_id = o.organization_id and i.id = o.incident_id
  where o.organization_id = ${organizationId} and o.user_id = ${userId}
    and o.incident_id is not null and o.kind = any(${[...pageKinds]})
    ${before === null ? sql`` : sql`and (o.created_at, o.key) < (${before.at}, ${before.key})`}
  order by o.created_at desc, o.key desc limit ${limit}`;
