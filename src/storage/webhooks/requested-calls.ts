// Calls of outbound webhooks that a person asks for: one of the log again, or a test.
import type { Ids } from '../../engine/ids.ts';
import type { CallContent } from '../../notices/webhooks/call.ts';
import { incidentContentOf, testPayload } from '../../notices/webhooks/incident.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { versioned } from '../../resources/declaration/stored-document.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { webhookRecipientKey } from '../outbox/recipient-key.ts';
import { parseNotice, type StoredNotice } from '../outbox/stored-notice.ts';
import { find } from '../records/queries.ts';
import { json } from '../records/rows.ts';
import { isCallOf } from './deliveries.ts';

export type RequestParts = {
  readonly sql: Sql;
  readonly ids: Ids;
  readonly publicUrl: string;
};

/** The webhook, by id or counter, and in whose name. */
type WebhookAct = { readonly key: string; readonly act: Act };
type Made = { readonly deliveryId: string };
export type Refused = 'not_found' | 'archived' | 'untried';

/** What goes into the outbox of a call. */
type CallDraft = {
  readonly incident_id: string | null;
  readonly kind: string;
  /** Null for one that was never tried: it is written at its first try. */
  readonly content: CallContent | null;
  readonly notice: StoredNotice;
};
type Known = Omit<CallDraft, 'notice'> & {
  readonly notice: unknown;
  readonly key: string;
  readonly state: string;
};

/**
 * The same once more, as a delivery of its own, under the id by which the receiver knows it. What
 * was cancelled before it was written is not known there: it gets an id of its own.
 */
export function redeliver(
  parts: RequestParts,
  { deliveryId: originalId, ...request }: WebhookAct & Made,
): Promise<Made | Refused> {
  return callNow(parts, request, async (tx, { act, webhook, deliveryId }) => {
    const [row] = await tx<Known[]>`
      select o.key, o.state, o.incident_id, o.kind, o.content, o.notice from outbox o
      where ${isCallOf(tx, act, webhook.id)} and o.delivery_id = ${originalId}`;
    if (row === undefined) return 'not_found';
    const { key, state, ...draft } = row;
    const notice = parseNotice(draft.notice);
    const isWritten = draft.content !== null;
    if (state === 'pending' && !isWritten) return 'untried';
    const before = notice.original ?? { key, delivery_id: originalId };
    const original = { ...before, key: isWritten ? before.key : keyOf(deliveryId) };
    const why = `${act.actor.name} requested it again`;
    return { ...draft, notice: { ...notice, why, original } };
  });
}

/** Calls the webhook with an invented incident. */
export function testWebhook(parts: RequestParts, request: WebhookAct): Promise<Made | Refused> {
  return callNow(parts, request, async (tx, { act, webhook }) => {
    const { organizationId, now, actor } = act;
    const [named] = await tx<{ organization: string; team: string }[]>`
      select o.name as organization, t.name as team
      from organizations o join teams t on t.organization_id = o.id
      where o.id = ${organizationId} and t.id = ${webhook.team_id}`;
    if (named === undefined) return 'not_found';
    const payload = testPayload({
      organization: { id: organizationId, name: named.organization },
      team: { id: webhook.team_id, name: named.team },
      url: parts.publicUrl,
      webhook: webhook.name,
      now,
    });
    const to = { address: webhook.id, recipient: webhook.name, mention: null };
    const why = `${actor.name} tests the webhook`;
    return {
      incident_id: null,
      kind: 'webhook',
      content: incidentContentOf(payload, webhook.content_type),
      notice: { ...to, why, occasion: payload.event_type, test: true },
    };
  });
}

type Webhook = {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly content_type: 'json' | 'url-encoded';
  readonly archived_at: Temporal.Instant | null;
};
type RequestedCall = Made & { readonly act: Act; readonly webhook: Webhook };

const keyOf = (deliveryId: string) => `call/${deliveryId}`;

async function callNow(
  { sql, ids }: RequestParts,
  { key, act }: WebhookAct,
  draftOf: (tx: Transaction, call: RequestedCall) => Promise<CallDraft | Refused>,
): Promise<Made | Refused> {
  return await transact(sql, async (tx) => {
    // As its table is declared.
    const webhook = (await find(tx, outboundWebhook, { key, scope: act })) as Webhook | undefined;
    if (webhook === undefined) return 'not_found';
    if (webhook.archived_at !== null) return 'archived';
    const deliveryId = ids.next();
    const call = { act, webhook, deliveryId };
    const draft = await draftOf(tx, call);
    if (typeof draft === 'string') return draft;
    await insertCall(tx, call, draft);
    const after = { outbound_webhook_id: webhook.id, why: draft.notice.why };
    await audit(tx, ids, { act, ...audited, action: 'create', id: deliveryId, after });
    return { deliveryId };
  });
}

const audited = { kind: 'webhook_delivery', schema: objectOf({}) } as const;

/** Without an ordering key: it waits for no other call, and no other waits for it. */
async function insertCall(
  tx: Transaction,
  { act, webhook, deliveryId }: RequestedCall,
  { incident_id, kind, content, notice }: CallDraft,
): Promise<void> {
  const { organizationId, now } = act;
  await tx`
    insert into outbox (organization_id, key, incident_id, kind, channel, recipient_key, notice, content,
      delivery_id, cycle, step, rank, state, attempts, created_at, wake_at)
    values (${organizationId}, ${keyOf(deliveryId)}, ${incident_id}, ${kind}, 'webhook',
      ${webhookRecipientKey(webhook.id)}, ${json(tx, versioned(notice))}, ${content && json(tx, content)},
      ${deliveryId}, 0, -1, 2, 'pending', 0, ${now}, ${now})`;
}
