// Incidents as those who were paged for them name them: by a key in a call, by a text.

import type { AttemptKey, OutboxKey } from '../../engine/ports/sending.ts';
import type { ClaimedIncidentNotice } from '../../engine/sending/claimed.ts';
import { addressOf, type TriedContact } from '../../engine/sending/retry-routes.ts';
import { type Incident, isPage, type NoticeKind, pageKinds } from '../../incidents/incident.ts';
import { isWanted } from '../../incidents/notice-cancellation.ts';
import type { Queries } from '../database/database.ts';
import { parseEscalation } from '../ledger/stored-incident.ts';

type Paged = {
  readonly organizationId: string;
  readonly channel: string;
  /** Those who share an address. */
  readonly userIds: readonly string[];
};

export type PagedIncident = {
  readonly id: string;
  readonly number: number;
  readonly status: Incident['status'];
  readonly userId: string;
};

/** Open ones for which a page to one of them was tried, newest first. */
export const openPagedIncidents = (
  sql: Queries,
  { organizationId, channel, userIds }: Paged,
  limit: number,
): Promise<readonly PagedIncident[]> =>
  sql<PagedIncident[]>`
    select i.id, i.number, i.status, p.user_id as "userId" from incidents i
    cross join lateral (
      select o.user_id from outbox o
      where o.organization_id = i.organization_id and o.incident_id = i.id
        and o.kind = any(${[...pageKinds]}) and o.channel = ${channel} and o.attempts > 0
        and o.user_id = any(${[...userIds]})
      order by o.created_at desc limit 1) p
    where i.organization_id = ${organizationId} and i.status <> 'resolved'
    order by i.id desc limit ${limit}`;

export type LastSent = {
  /** Null: it is about no incident. */
  readonly incidentId: string | null;
  readonly isPage: boolean;
  readonly at: Temporal.Instant;
};

type SentRow = {
  readonly incident_id: string | null;
  readonly kind: string;
  readonly at: Temporal.Instant;
  readonly number: number;
  readonly address: string;
  readonly tried: readonly TriedContact[] | null;
};

/** So many, because some may have been sent to another of their contacts. */
const SENT_READ = 50;

/** The notices that were sent to the address, the last first. */
export async function lastSentTo(
  sql: Queries,
  { organizationId, channel, userIds, address }: Paged & { readonly address: string },
): Promise<readonly LastSent[]> {
  const rows = await sql<SentRow[]>`
    select o.incident_id, o.kind, coalesce(a.finished_at, a.claimed_at) as at, a.number,
      o.notice->>'address' as address, o.notice->'tried' as tried
    from (
      select * from outbox
      where organization_id = ${organizationId} and user_id = any(${[...userIds]})
        and channel = ${channel} and tried_at is not null
      order by tried_at desc limit ${SENT_READ}) o
    join attempts a on a.organization_id = o.organization_id and a.key = o.key
    where a.outcome in ('delivered', 'handed_over')
    order by at desc`;
  return rows
    .filter(({ number, tried, address: last }) => addressOf(number, tried ?? [], last) === address)
    .map(({ incident_id, at, ...row }) => ({ incidentId: incident_id, isPage: isPage(row), at }));
}

type Unanswered = {
  readonly organizationId: string;
  readonly userId: string;
  readonly channel: string;
  /** Incidents that are left out. */
  readonly except: readonly string[];
};

export type UnansweredPage = {
  readonly key: string;
  readonly incidentId: string;
  /** How far its incident has escalated. */
  readonly at: Pick<Incident['escalation'], 'cycle' | 'nextStep'>;
};

type UnansweredRow = Omit<UnansweredPage, 'at'> &
  Deciding & {
    readonly kind: NoticeKind;
    readonly recipient: string | null;
    readonly channel: string;
    readonly cycle: number;
    readonly step: number;
    readonly wave: number;
  };

/**
 * Pages to a person that are still wanted and that nobody has answered, whether or not they were
 * tried: one of each incident, in the order in which they are sent.
 */
export async function unansweredPages(
  sql: Queries,
  { organizationId, userId, channel, except }: Unanswered,
  limit: number,
): Promise<readonly UnansweredPage[]> {
  const rows = await sql<UnansweredRow[]>`
    select p.key, i.id as "incidentId", p.kind, p.recipient, p.channel, p.cycle, p.step, p.wave, i.status,
      i.muted_until, i.escalation
    from incidents i
    cross join lateral (
      select o.key, o.kind, o.notice->>'recipient' as recipient, o.channel, o.cycle, o.step,
        coalesce((o.notice->>'wave')::integer, 0) as wave, o.rank,
        o.tried_at, o.created_at
      from outbox o
      where o.organization_id = i.organization_id and o.incident_id = i.id
        and o.kind = any(${[...pageKinds]}) and o.channel = ${channel} and o.user_id = ${userId}
        and (o.state = 'pending' or o.state in ('sent', 'failed') and not exists (
          select from attempts a
          where a.organization_id = o.organization_id and a.key = o.key
            and a.outcome = 'delivered'))
      order by o.created_at desc, o.key limit 1) p
    -- The first for the index of what is open.
    where i.organization_id = ${organizationId} and i.status <> 'resolved'
      and i.status = 'triggered' and i.id <> all(${[...except]})
    order by p.rank, p.tried_at is not null, p.created_at desc, p.key limit ${limit}`;
  return rows.flatMap(wantedPage);
}

/** One whose incident cannot be read is passed over: it is sent as usual. */
function wantedPage(row: UnansweredRow): readonly UnansweredPage[] {
  const { key, incidentId } = row;
  try {
    const escalation = parseEscalation(row.escalation);
    const { cycle, nextStep } = escalation;
    const page = { key, incidentId, at: { cycle, nextStep } };
    return isWanted(row, { ...row, escalation }) ? [page] : [];
  } catch {
    return [];
  }
}

type PagedSince = {
  readonly organizationId: string;
  readonly channel: string;
  readonly since: Temporal.Instant;
};

/** Whether an incident that was open since then was paged by the channel. */
export async function isAnyPaged(
  sql: Queries,
  { organizationId, channel, since }: PagedSince,
): Promise<boolean> {
  const [row] = await sql<{ is_any: boolean }[]>`
    select exists (
      select from (
        select organization_id, id from incidents
        where organization_id = ${organizationId} and status <> 'resolved'
        union all
        select organization_id, id from incidents
        where organization_id = ${organizationId} and status = 'resolved'
          and resolved_at > ${since}) i
      join outbox o on o.organization_id = i.organization_id and o.incident_id = i.id
      where o.kind = any(${[...pageKinds]}) and o.channel = ${channel} and o.attempts > 0
    ) as is_any`;
  return row?.is_any ?? false;
}

/** Which of them a page for the incident was tried to; null: none. */
export async function pagedFor(
  sql: Queries,
  { organizationId, channel, userIds }: Paged,
  incidentId: string,
): Promise<string | null> {
  const [row] = await sql<{ user_id: string }[]>`
    select user_id from outbox
    where organization_id = ${organizationId} and incident_id = ${incidentId}
      and kind = any(${[...pageKinds]}) and channel = ${channel} and attempts > 0
      and user_id = any(${[...userIds]})
    order by created_at desc limit 1`;
  return row?.user_id ?? null;
}

export type PagedNotice = { readonly incidentId: string; readonly userId: string };

/** The page that an attempt is of; null: it is of no page to a person, or removed. */
export async function findPage(
  sql: Queries,
  { organization_id, key }: OutboxKey,
): Promise<PagedNotice | null> {
  const [row] = await sql<PagedNotice[]>`
    select incident_id as "incidentId", user_id as "userId" from outbox
    where organization_id = ${organization_id} and key = ${key}
      and incident_id is not null and user_id is not null`;
  return row ?? null;
}

/** Of the contact that an attempt was made at; null: it is removed. */
export async function findAddress(
  sql: Queries,
  { organization_id, key, attempt }: AttemptKey,
): Promise<string | null> {
  const [row] = await sql<{ address: string; tried: readonly TriedContact[] | null }[]>`
    select notice->>'address' as address, notice->'tried' as tried from outbox
    where organization_id = ${organization_id} and key = ${key}`;
  return row ? addressOf(attempt, row.tried ?? [], row.address) : null;
}

/** When a notice was decided; null: it is removed. */
export async function noticeCreatedAt(
  sql: Queries,
  { organization_id, key }: OutboxKey,
): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant }[]>`
    select created_at as at from outbox where organization_id = ${organization_id} and key = ${key}`;
  return row?.at ?? null;
}

type Deciding = Pick<Incident, 'status' | 'muted_until'> & { readonly escalation: unknown };

/**
 * Whether a notice that was claimed is still to be sent, as its incident is now: an earlier attempt
 * may have been confirmed meanwhile.
 */
export async function isStillWanted(sql: Queries, notice: ClaimedIncidentNotice): Promise<boolean> {
  const [row] = await sql<Deciding[]>`
    select status, muted_until, escalation from incidents
    where organization_id = ${notice.organization_id} and id = ${notice.incident.id}
      and exists (
        select from outbox
        where organization_id = ${notice.organization_id} and key = ${notice.key}
          and state = 'pending')`;
  if (row === undefined) return false;
  return isWanted(notice, { ...row, escalation: parseEscalation(row.escalation) });
}
