// The delivery log of outbound webhooks: the calls in the outbox, with all their tries.
import type { Faults } from '../../engine/faults.ts';
import type { CallContent } from '../../notices/webhooks/call.ts';
import type { Sealed } from '../../resources/declaration/field.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import type { Queries, Sql } from '../database/database.ts';
import { webhookRecipientKey } from '../outbox/recipient-key.ts';
import { find, type Scope } from '../records/queries.ts';
import { rowContext } from '../sealed/sealed-columns.ts';
import { opening, type Secrets } from '../sealed/secrets.ts';

type Parts = { readonly sql: Sql; readonly secrets: Secrets; readonly faults: Faults };

/** One try, its times in ISO 8601; how the webhook was called then, unless that was not kept. */
export type Try = {
  readonly number: number;
  readonly claimed_at: string;
  readonly finished_at: string | null;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly status: number | null;
  readonly answer: string | null;
  readonly called: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  } | null;
};

export type WebhookDelivery = {
  readonly id: string;
  readonly kind: string;
  /** Of a call about an incident. */
  readonly occasion: string | null;
  readonly is_test: boolean;
  readonly incident_id: string | null;
  readonly incident_number: number | null;
  readonly schedule: { readonly id: string; readonly name: string } | null;
  readonly state: 'pending' | 'sent' | 'failed' | 'cancelled';
  readonly reason: string | null;
  readonly redelivery_of: string | null;
  readonly created_at: Temporal.Instant;
  readonly finished_at: Temporal.Instant | null;
  readonly wake_at: Temporal.Instant | null;
  readonly tries: readonly Try[];
};
export type DeliveryWithContent = WebhookDelivery & { readonly content: CallContent | null };

/** The webhook, by id or counter, and who asks. */
type Of = { readonly key: string; readonly scope: Scope };
type Slice = { readonly limit: number; readonly before: string | null };

/** Newest first. */
export async function listDeliveries(
  parts: Parts,
  { key, scope }: Of,
  { limit, before }: Slice,
): Promise<readonly WebhookDelivery[] | 'not_found'> {
  const { sql } = parts;
  const webhook = await find(sql, outboundWebhook, { key, scope });
  if (webhook === undefined) return 'not_found';
  const older = before === null ? sql`` : sql`and o.delivery_id < ${before}`;
  const rows = await sql<Stored<WebhookDelivery>[]>`
    select ${columns(sql)} from ${outboxWithIncident(sql)}
    where ${isCallOf(sql, scope, webhook['id'])} ${older}
    order by o.delivery_id desc limit ${limit}`;
  return rows.map((row) => opened(row, parts));
}

export async function findDelivery(
  parts: Parts,
  { key, scope, deliveryId }: Of & { readonly deliveryId: string },
): Promise<DeliveryWithContent | 'not_found'> {
  const { sql } = parts;
  const webhook = await find(sql, outboundWebhook, { key, scope });
  if (webhook === undefined) return 'not_found';
  const [row] = await sql<Stored<DeliveryWithContent>[]>`
    select ${columns(sql)}, o.content from ${outboxWithIncident(sql)}
    where ${isCallOf(sql, scope, webhook['id'])} and o.delivery_id = ${deliveryId}`;
  return row ? opened(row, parts) : 'not_found';
}

/** The calls of one webhook, in the outbox `o`. */
export const isCallOf = (sql: Queries, { organizationId }: Scope, webhookId: string) => sql`
  o.organization_id = ${organizationId} and o.recipient_key = ${webhookRecipientKey(webhookId)}
  and o.delivery_id is not null`;

/** Without the content: it may be as large as an event, and a page of the log has many. */
const columns = (sql: Queries) => sql`
  o.organization_id, o.key, o.delivery_id as id, o.kind, o.notice->>'occasion' as occasion,
  coalesce(o.notice->>'test' = 'true', false) as is_test, o.incident_id,
  i.number as incident_number, o.notice->'story'->'schedule' as schedule, o.state, o.reason,
  o.notice->'original'->>'delivery_id' as redelivery_of, o.created_at, o.finished_at, o.wake_at,
  coalesce((
    select json_agg(json_build_object('number', a.number, 'claimed_at', a.claimed_at,
      'finished_at', a.finished_at, 'outcome', a.outcome, 'reason', a.reason,
      'status', a.status, 'answer', a.answer, 'called', a.called) order by a.number)
    from attempts a where a.organization_id = o.organization_id and a.key = o.key
  ), '[]'::json) as tries`;

const outboxWithIncident = (sql: Queries) => sql`
  outbox o left join incidents i on i.organization_id = o.organization_id and i.id = o.incident_id`;

/** As it is stored: with the key of its row, and addresses sealed. */
type Stored<Delivery> = Omit<Delivery, 'tries'> & {
  readonly organization_id: string;
  readonly key: string;
  readonly tries: readonly (Omit<Try, 'called'> & { readonly called: StoredCall | null })[];
};
type StoredCall = Omit<NonNullable<Try['called']>, 'url'> & { readonly url: Sealed };

function opened<Delivery extends WebhookDelivery>(
  { organization_id, key, tries, ...row }: Stored<Delivery>,
  { secrets, faults }: Parts,
) {
  return {
    ...row,
    tries: tries.map(({ called, ...one }) => {
      const open = opening(
        secrets,
        rowContext('attempts.called', organization_id, key, `${one.number}`),
      );
      try {
        return { ...one, called: called && { ...called, url: open(called.url) } };
      } catch (error) {
        // All else of the call is known all the same.
        faults({ of: 'call', id: key, error });
        return { ...one, called: null };
      }
    }),
  };
}
