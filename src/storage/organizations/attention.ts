// Records that may need somebody: integrations by their last event, webhooks and channel connections
// that fail.

import type { Fragment } from 'postgres';
import { misreadPhrase } from '../../alerts/hints.ts';
import { testEventPath } from '../../engine/intake/arrival.ts';
import type { EventOutcome } from '../../engine/ports/events.ts';
import type { FindingKind } from '../../incidents/findings.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Queries } from '../database/database.ts';
import { readChannelHealth } from '../health/channel-health.ts';
import { integrationName } from '../records/names.ts';
import { inScope, type Scope } from '../records/queries.ts';

export type IntegrationActivity = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly service: { readonly archived: boolean };
  /** Of its last event that did not come from Pager; null: there is none. */
  readonly received_at: Temporal.Instant | null;
  readonly outcome: EventOutcome | null;
  /** Of its last events the newest note that another tool seems to send; null: none has one. */
  readonly misread: string | null;
  /** Why its last event was refused. */
  readonly reason: string | null;
  /** Whether that was before `silentSince`, and events had come in each of the weeks until it. */
  readonly silent: boolean;
};

/** In so many weeks one after the other, up to its last event, a tool sent some: it sends regularly. */
const REGULAR_WEEKS = 4;

/** So many of the last events of an integration are looked at for what is odd about them. */
const RECENT = 5;

/** Of the first active integrations. */
export async function readActivity(
  sql: Queries,
  scope: Scope,
  silentSince: Temporal.Instant,
): Promise<readonly IntegrationActivity[]> {
  // Ids begin with the second, and have an index.
  const firstIdOf = (week: Fragment) => sql`lpad(to_hex(
    floor(extract(epoch from last.received_at))::bigint - ${week} * 604800), 8, '0')`;
  return sql<IntegrationActivity[]>`
    select i.id, i.slug, i.name, i.enabled, last.received_at, last.outcome, last.reason,
      noted.misread,
      json_build_object('archived', s.archived_at is not null) as service,
      coalesce(last.received_at <= ${silentSince} and not exists (
        select from generate_series(1, ${REGULAR_WEEKS}::integer) as week
        where not exists (
          select from events e
          where e.organization_id = i.organization_id and e.integration_id = i.id
            and e.path <> ${testEventPath}
            and e.id >= ${firstIdOf(sql`week`)} and e.id < ${firstIdOf(sql`(week - 1)`)})),
        false) as silent
    from (
      select organization_id, counter, id, slug, ${integrationName(sql)} as name, enabled, service_id
      from integrations where ${inScope(sql, scope)} and archived_at is null
      order by counter limit ${queryLimits.attentionSearched}) as i
    join services s on s.organization_id = i.organization_id and s.id = i.service_id
    left join lateral (
      select e.received_at, e.outcome, e.reason from events e
      where e.organization_id = i.organization_id and e.integration_id = i.id
        and e.path <> ${testEventPath}
      order by e.id desc limit 1) as last on true
    left join lateral (
      select recent.reason as misread from (
        select e.id, e.reason from events e
        where e.organization_id = i.organization_id and e.integration_id = i.id
          and e.path <> ${testEventPath}
        order by e.id desc limit ${RECENT}) as recent
      where recent.reason like ${`%${misreadPhrase}%`}
      order by recent.id desc limit 1) as noted on true
    order by i.counter`;
}

export type CutIntegration = Pick<IntegrationActivity, 'id' | 'slug' | 'name'> & {
  /** When the last of its events was. */
  readonly cut_at: Temporal.Instant;
};

/** Integrations of which events were cut since then; the last first. */
export const readCut = (
  sql: Queries,
  scope: Scope,
  since: Temporal.Instant,
): Promise<readonly CutIntegration[]> =>
  sql<CutIntegration[]>`
    select i.id, i.slug, i.name, s.cut_at
    from (
      select organization_id, id, slug, ${integrationName(sql)} as name
      from integrations where ${inScope(sql, scope)} and archived_at is null) as i
    join stored_bytes s on s.organization_id = i.organization_id and s.integration_id = i.id
    where s.cut_at >= ${since}
    order by s.cut_at desc limit ${queryLimits.attention}`;

/** What deciding events found about an integration. */
export type ShownFinding = Pick<IntegrationActivity, 'id' | 'slug' | 'name'> & {
  readonly kind: FindingKind;
  readonly text: string;
  readonly event_id: string;
  readonly at: Temporal.Instant;
  readonly service_id: string;
  readonly escalation_policy_id: string;
};

/** Since then; the last first. What was mended since is left out. */
export const readFindings = (
  sql: Queries,
  scope: Scope,
  since: Temporal.Instant,
): Promise<readonly ShownFinding[]> =>
  sql<ShownFinding[]>`
    select i.id, i.slug, i.name, i.service_id, i.escalation_policy_id,
      f.kind, f.text, f.event_id, f.at
    from (
      select organization_id, team_id, id, slug, ${integrationName(sql)} as name, service_id,
        escalation_policy_id
      from integrations where ${inScope(sql, scope)} and archived_at is null and enabled) as i
    join integration_findings f
      on f.organization_id = i.organization_id and f.integration_id = i.id
    where f.at >= ${since}
      and not (f.kind = 'unmatched_end' and exists (
        select from incidents n
        where n.organization_id = i.organization_id and n.source_integration_id = i.id
          and n.dedup_key = f.subject and n.created_at >= f.at))
      and not (f.kind = 'two_senders' and exists (
        select from integrations n
        where n.organization_id = i.organization_id and n.team_id = i.team_id
          and n.slug = i.slug and n.created_at > f.at))
    order by f.at desc limit ${queryLimits.attention}`;

/** It has been mended; what else was odd about the event has not. */
export const removeUnmatchedEnd = (sql: Queries, organizationId: string, eventId: string) =>
  sql`
    delete from integration_findings
    where organization_id = ${organizationId} and event_id = ${eventId}
      and kind = 'unmatched_end'`;

export type FailingSince = {
  readonly id: string;
  readonly name: string;
  readonly failing_since: Temporal.Instant;
};

/** Of which every call failed since then; the longest first. */
export async function readFailing(
  sql: Queries,
  scope: Scope,
  before: Temporal.Instant,
): Promise<readonly FailingSince[]> {
  return sql<FailingSince[]>`
    select w.id, w.name, f.failing_since
    from (
      select id, name from outbound_webhooks
      where ${inScope(sql, scope)} and archived_at is null) as w
    join failing_webhooks f
      on f.organization_id = ${scope.organizationId} and f.outbound_webhook_id = w.id
    where f.failing_since <= ${before}
    order by f.failing_since limit ${queryLimits.attention}`;
}

export type FailingChannel = Pick<FailingSince, 'failing_since'> & {
  readonly channel: string;
  readonly reason: string;
};

/** That need no connection; the longest first. */
export async function readFailingChannels(
  sql: Queries,
  organizationId: string,
): Promise<readonly FailingChannel[]> {
  const all = await readChannelHealth(sql, organizationId);
  return [...all.values()]
    .flatMap(({ channel, reason, failing_since }) =>
      failing_since === null ? [] : [{ channel, reason: reason ?? '', failing_since }],
    )
    .toSorted((one, other) => Temporal.Instant.compare(one.failing_since, other.failing_since));
}

export type FailingConnection = FailingSince & { readonly reason: string };

/** Of which the vendor fails, or that it refuses; the longest first. */
export const readFailingConnections = (
  sql: Queries,
  organizationId: string,
): Promise<readonly FailingConnection[]> =>
  sql<FailingConnection[]>`
    select c.id, c.name, h.failing_since, coalesce(h.reason, '') as reason
    from connection_health h join channel_connections c
      on c.organization_id = h.organization_id and c.id = h.connection_id
    where h.organization_id = ${organizationId} and h.failing_since is not null
      and c.enabled and c.archived_at is null
    order by h.failing_since limit ${queryLimits.attention}`;
