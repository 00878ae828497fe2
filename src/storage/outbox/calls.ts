// Calls of outbound webhooks in the outbox: how they come in, and what makes them ready to go out.
import type { Changes } from '../../engine/ports/changes.ts';
import type { ClaimedCall } from '../../engine/sending/claimed.ts';
import type { Incident } from '../../incidents/incident.ts';
import type { CallContent } from '../../notices/webhooks/call.ts';
import type { IncidentSnapshot } from '../../notices/webhooks/incident.ts';
import { isSealed } from '../../resources/declaration/field.ts';
import { versioned } from '../../resources/declaration/stored-document.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { keyed } from '../ledger/keys.ts';
import { integrationName } from '../records/names.ts';
import { json } from '../records/rows.ts';
import { rowContext } from '../sealed/sealed-columns.ts';
import { sealing } from '../sealed/secrets.ts';
import { secretPlace } from '../webhooks/secrets.ts';
import { type Lazy, memoized } from './lazy.ts';
import { recipientKeyOf } from './recipient-key.ts';
import type { StoredNotice } from './stored-notice.ts';

/** In the order in which they are to leave, each incident's for itself. */
export async function insertCalls(
  context: LedgerContext,
  intents: Changes['intents'],
  now: Temporal.Instant,
): Promise<void> {
  const { sql, ids } = context;
  if (intents.length === 0) return;
  const rows = intents.map((intent) => {
    const { organization_id, key, incident_id, kind, channel, cycle, step, rank } = intent;
    const { address, recipient, mention, why, occasion } = intent;
    const recipient_key = recipientKeyOf(context, intent);
    return {
      organization_id,
      key,
      incident_id,
      kind,
      channel,
      recipient_key,
      cycle,
      step,
      rank,
      notice: versioned({ address, recipient, mention, why, occasion }),
      ordering_key: `${recipient_key} ${incident_id}`,
      delivery_id: ids.next(),
    };
  });
  await sql`
    insert into outbox (organization_id, key, incident_id, kind, channel, recipient_key, notice, cycle,
      step, rank, ordering_key, delivery_id, sequence, state, attempts, created_at, wake_at)
    select organization_id, key, incident_id, kind, channel, recipient_key, notice, cycle, step, rank,
      ordering_key, delivery_id, nextval('outbox_sequence'), 'pending', 0, ${now}::timestamptz,
      ${now}::timestamptz
    from json_populate_recordset(null::outbox, ${json(sql, rows)})
    on conflict (organization_id, key) do nothing`;
}

/** Stores the contents that were rendered for first tries; later tries reuse them. */
export async function keepContents(
  { sql }: LedgerContext,
  calls: readonly Pick<ClaimedCall, 'organization_id' | 'key' | 'content'>[],
): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map(({ organization_id, key, content }) => ({
    organization_id,
    key,
    content,
  }));
  await sql`
    update outbox o set content = r.content
    from json_populate_recordset(null::outbox, ${json(sql, rows)}) r
    where o.organization_id = r.organization_id and o.key = r.key`;
}

/**
 * How a call is made, as the delivery log stores it: later changes of the webhook do not affect it.
 */
export function calledOf({ secrets }: LedgerContext, call: ClaimedCall) {
  const { organization_id, key, attempt, event, webhook, address } = call;
  const sealContext = rowContext('attempts.called', organization_id, key, `${attempt}`);
  return {
    method: webhook.method,
    url: sealing(secrets, sealContext)(address),
    headers: event.type === 'shift' ? {} : webhook.headers,
  };
}

export type CallRow = {
  readonly organization_id: string;
  readonly incident_id: string | null;
  readonly kind: ClaimedCall['kind'];
  readonly channel: string;
  readonly delivery_id: string | null;
  readonly content: CallContent | null;
  readonly notice: StoredNotice;
};

const webhookIdOf = ({ notice: { address } }: CallRow) => (isSealed(address) ? '' : address);

type Webhook = ClaimedCall['webhook'] & { readonly url: string };

export type CallSurroundings = {
  readonly webhooks: ReadonlyMap<string, Lazy<Webhook>>;
  /** By the incident's id. */
  readonly names: ReadonlyMap<string, Omit<IncidentSnapshot, 'incident'>>;
};

export async function readCallSurroundings(
  context: LedgerContext,
  rows: readonly CallRow[],
): Promise<CallSurroundings> {
  const calls = rows.filter((row) => row.channel === 'webhook');
  if (calls.length === 0) return { webhooks: new Map(), names: new Map() };
  const [webhooks, names] = await Promise.all([
    readWebhooks(context, webhookKeys(calls)),
    readNames(context, incidentKeys(calls)),
  ]);
  return { webhooks, names };
}

/** What the rows are about, once each. */
export function incidentKeys(rows: readonly Pick<CallRow, 'organization_id' | 'incident_id'>[]) {
  const keys = rows.flatMap(({ organization_id, incident_id: id }) =>
    id === null ? [] : [{ organization_id, id }],
  );
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

function webhookKeys(calls: readonly CallRow[]) {
  const keys = calls.map((row) => ({
    organization_id: row.organization_id,
    id: webhookIdOf(row),
  }));
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

type WebhookRow = {
  id: string;
  url: string;
  method: Webhook['method'];
  content_type: Webhook['contentType'];
  headers: Webhook['headers'] | null;
  archived: boolean;
  organization_id: string;
  secrets: readonly { readonly id: string; readonly sealed: string }[];
};

async function readWebhooks(
  { sql, secrets }: LedgerContext,
  keys: ReturnType<typeof webhookKeys>,
): Promise<CallSurroundings['webhooks']> {
  const rows = await sql<WebhookRow[]>`
    select w.organization_id, w.id, w.url, w.method, w.content_type, w.headers,
      w.archived_at is not null as archived,
      array(
        select json_build_object('id', s.id, 'sealed', s.secret_encrypted) from webhook_secrets s
        where s.organization_id = w.organization_id and s.outbound_webhook_id = w.id
        order by s.id) as secrets
    from ${keyed(sql, keys)}
    join outbound_webhooks w on w.organization_id = k.organization_id and w.id = k.id`;
  return new Map(
    rows.map(({ organization_id: of, id, content_type, headers, ...row }) => [
      id,
      memoized(() => ({
        method: row.method,
        archived: row.archived,
        contentType: content_type,
        headers: headers ?? {},
        url: secrets.open(row.url, urlContext(of, id)),
        secrets: row.secrets.map((one) => secrets.open(one.sealed, secretPlace(of, one.id))),
      })),
    ]),
  );
}

const urlContext = (organizationId: string, id: string) =>
  rowContext('outbound_webhooks.url', organizationId, id);

type NamesRow = Omit<IncidentSnapshot, 'incident'> & { readonly id: string };

async function readNames(
  { sql }: LedgerContext,
  incidents: ReturnType<typeof incidentKeys>,
): Promise<CallSurroundings['names']> {
  if (incidents.length === 0) return new Map();
  const rows = await sql<NamesRow[]>`
    select i.id,
      json_build_object('id', t.id, 'name', t.name) as team,
      json_build_object('id', s.id, 'name', s.name) as service,
      case when g.id is not null then json_build_object('id', g.id,
        'name', ${integrationName(sql, 'g')}) end as integration,
      coalesce((
        select json_agg(json_build_object('id', u.id, 'first_name', u.first_name,
          'last_name', u.last_name, 'email', u.email) order by r.position)
        from json_array_elements_text(i.responder_ids) with ordinality as r (id, position)
        join users u on u.organization_id = i.organization_id and u.id = r.id
      ), '[]'::json) as responders
    from ${keyed(sql, incidents)}
    join incidents i on i.organization_id = k.organization_id and i.id = k.id
    join teams t on t.organization_id = i.organization_id and t.id = i.team_id
    join services s on s.organization_id = i.organization_id and s.id = i.service_id
    left join integrations g
      on g.organization_id = i.organization_id and g.id = i.integration_id`;
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

type Surroundings = CallSurroundings & {
  readonly incidents: ReadonlyMap<string, Lazy<{ readonly incident: Incident }>>;
};

/** What is a call's own; throws when what it needs is not there. */
export function callOf(row: CallRow, surroundings: Surroundings) {
  const { kind, delivery_id, content, notice } = row;
  const webhook = surroundings.webhooks.get(webhookIdOf(row));
  const event = eventOf(row, surroundings);
  if (webhook === undefined || event === null)
    throw new Error('its webhook, or the incident or shift it is about, is missing');
  const { url: address, ...call } = webhook();
  return {
    about: 'call' as const,
    kind,
    delivery_id: delivery_id ?? '',
    content,
    event,
    address,
    webhook: call,
    original: notice.original?.key ?? null,
  };
}

function eventOf(
  { kind, notice, incident_id }: CallRow,
  { incidents, names }: Surroundings,
): ClaimedCall['event'] | null {
  const { story, occasion } = notice;
  if (kind !== 'webhook') return story ? { type: 'shift', kind, story } : null;
  if (incident_id === null) return { type: 'test' };
  const [incident, known] = [incidents.get(incident_id), names.get(incident_id)];
  if (!incident || !known || occasion === undefined) return null;
  return { type: 'incident', occasion, subject: { incident: incident().incident, ...known } };
}
