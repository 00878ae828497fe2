import { allClearFields, allClearPrefix, anyNumber, mergedWhy } from '../../incidents/all-clear.ts';
import { type Incident, pageKinds } from '../../incidents/incident.ts';
import { channelsWithoutAllClear } from '../../resources/channels.ts';
import { DOCUMENT_VERSION } from '../../resources/declaration/stored-document.ts';
import type { LedgerContext } from './context.ts';

type Clearing = {
  readonly now: Temporal.Instant;
  /** To this recipient alone. */
  readonly recipientKey?: string;
};

/**
 * Inserts an all-clear for every recipient to whom a page of the incident, or of one merged into
 * it, was or may have been sent. A page of its own that can be changed where it stands becomes the
 * all-clear instead. Some channels carry none: nobody is called for it.
 */
export async function insertAllClear(
  { sql }: LedgerContext,
  incident: Incident,
  { now, recipientKey }: Clearing,
): Promise<void> {
  const { organization_id, id, escalation } = incident;
  const { kind, step, rank } = allClearFields;
  const isFor = recipientKey === undefined ? sql`` : sql`and o.recipient_key = ${recipientKey}`;
  await sql`
    with recursive ended as (
      select ${organization_id}::pager_id as organization_id, ${id}::pager_id as id,
        null::integer as merged
      union all
      select i.organization_id, i.id, i.number from ended e
      join incidents i on i.organization_id = e.organization_id and i.merged_into_id = e.id
    ), shown_to as (
      select p.organization_id, s.recipient_key
      from posted p join outbox s on s.organization_id = p.organization_id and s.key = p.key
      where p.organization_id = ${organization_id} and p.incident_id = ${id}
    )
    insert into outbox (organization_id, key, incident_id, kind, channel, recipient_key, notice, cycle,
      step, user_id, rank, state, attempts, created_at, wake_at)
    select distinct on (o.recipient_key) o.organization_id, ${allClearPrefix(incident)} || o.recipient_key,
      ${id}, ${kind}, o.channel, o.recipient_key,
      (jsonb_build_object('v', coalesce(o.notice->'v', to_json(${DOCUMENT_VERSION}::integer)),
        'address', o.notice->'address', 'recipient', o.notice->'recipient',
        'mention', o.notice->'mention', 'why', coalesce(
          replace(${mergedWhy(anyNumber)}, ${anyNumber}, e.merged::text),
          o.notice->>'why'))
        || jsonb_strip_nulls(jsonb_build_object('route', o.notice->'route')))::json,
      ${escalation.cycle}, ${step}, o.user_id, ${rank}, 'pending', 0, ${now}::timestamptz, ${now}::timestamptz
    from ended e
    join outbox o on o.organization_id = e.organization_id and o.incident_id = e.id
    where o.kind = any(${[...pageKinds]}) and (o.state = 'sent' or o.attempts > 0) ${isFor}
      and o.channel <> all(${[...channelsWithoutAllClear]})
      and not (e.merged is null and o.recipient_key in (select recipient_key from shown_to))
    order by o.recipient_key, e.merged nulls first, o.key
    on conflict (organization_id, key) do nothing`;
}
