// Records that may need somebody: integrations by their last event, and webhooks that fail.
import type { EventOutcome } from '../engine/ledger.ts';
import { queryLimits } from '../limits/queries.ts';
import type { Queries } from './database.ts';
import { integrationName } from './names.ts';
import { inScope, type Scope } from './records/queries.ts';
import { testEventPath } from './setup.ts';

export type IntegrationActivity = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly service: { readonly archived: boolean };
  /** Of its last event that did not come from Pager. */
  readonly received_at: Temporal.Instant;
  readonly outcome: EventOutcome | null;
};

/** Of the first active integrations, those that ever had an event. */
export async function readActivity(
  sql: Queries,
  scope: Scope,
): Promise<readonly IntegrationActivity[]> {
  return sql<IntegrationActivity[]>`
    select i.id, i.slug, i.name, i.enabled, last.received_at, last.outcome,
      json_build_object('archived', s.archived_at is not null) as service
    from (
      select organization_id, id, slug, ${integrationName(sql)} as name, enabled, service_id
      from integrations where ${inScope(sql, scope)} and archived_at is null
      order by counter limit ${queryLimits.attentionSearched}) as i
    join services s on s.organization_id = i.organization_id and s.id = i.service_id
    cross join lateral (
      select e.received_at, e.outcome from events e
      where e.organization_id = i.organization_id and e.integration_id = i.id
        and e.path <> ${testEventPath}
      order by e.id desc limit 1) as last`;
}

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
