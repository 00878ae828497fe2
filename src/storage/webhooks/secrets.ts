// What deliveries of an outbound webhook are signed with, written as Standard Webhooks has it.
import { randomBytes } from 'node:crypto';
import type { Ids } from '../../engine/ids.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { objectOf, text } from '../../resources/declaration/field.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { find } from '../records/queries.ts';
import type { RecordHooks, Use, UsedRecord } from '../records/record-hooks.ts';
import { timeText } from '../records/rows.ts';
import { rowContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../sealed/secrets.ts';

const SECRET_BYTES = 32;

type WebhookSecret = {
  readonly id: string;
  readonly secret: string;
  readonly created_at: string;
};

export type WebhookSecretParts = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly ids: Ids;
};

/** The webhook, by id or counter, and in whose name. */
type WebhookAct = { readonly key: string; readonly act: Act };
type Of = { readonly webhookId: string; readonly act: Act };

/** A webhook that has none yet gets its first. */
export function listWebhookSecrets(
  parts: WebhookSecretParts,
  request: WebhookAct,
): Promise<readonly WebhookSecret[] | 'not_found'> {
  return transact(parts.sql, async (tx) => {
    const webhook = await lockWebhook(tx, request);
    if (webhook === undefined) return 'not_found';
    const of = { webhookId: webhook.id, act: request.act };
    const active = await secretsOf(tx, parts, of);
    return active.length > 0 ? active : [await insertWebhookSecret(tx, parts, of)];
  });
}

export function addWebhookSecret(
  parts: WebhookSecretParts,
  request: WebhookAct,
): Promise<WebhookSecret | 'not_found' | 'archived' | 'too_many'> {
  return transact(parts.sql, async (tx) => {
    const webhook = await lockWebhook(tx, request);
    if (webhook === undefined) return 'not_found';
    if (webhook.archived) return 'archived';
    const of = { webhookId: webhook.id, act: request.act };
    const active = await secretsOf(tx, parts, of);
    return active.length < sendingLimits.signingSecrets
      ? insertWebhookSecret(tx, parts, of)
      : 'too_many';
  });
}

export function removeWebhookSecret(
  parts: WebhookSecretParts,
  request: WebhookAct & { readonly secretId: string },
): Promise<{ readonly id: string } | 'not_found' | 'archived' | 'last'> {
  const { act, secretId: id } = request;
  return transact(parts.sql, async (tx) => {
    const webhook = await lockWebhook(tx, request);
    if (webhook === undefined) return 'not_found';
    const active = await secretsOf(tx, parts, { webhookId: webhook.id, act });
    const before = active.find((each) => each.id === id);
    if (before === undefined) return 'not_found';
    if (webhook.archived) return 'archived';
    if (active.length === 1) return 'last';
    await tx`
      delete from webhook_secrets
      where organization_id = ${act.organizationId} and id = ${id}`;
    const shown = { ...before, outbound_webhook_id: webhook.id };
    await audit(tx, parts.ids, { act, ...audited, action: 'delete', id, before: shown });
    return { id };
  });
}

async function insertWebhookSecret(
  tx: Transaction,
  { secrets, ids }: Omit<WebhookSecretParts, 'sql'>,
  { webhookId, act }: Of,
): Promise<WebhookSecret> {
  const id = ids.next();
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const sealed = secrets.seal(secret, secretPlace(act.organizationId, id));
  await tx`
    insert into webhook_secrets
      (organization_id, id, outbound_webhook_id, secret_encrypted, created_at)
    values (${act.organizationId}, ${id}, ${webhookId}, ${sealed}, ${act.now})`;
  const made = { id, secret, created_at: timeText(act.now) };
  const after = { ...made, outbound_webhook_id: webhookId };
  await audit(tx, ids, { act, ...audited, action: 'create', id, after });
  return made;
}

/** A new webhook gets its first secret. */
export const webhookHooks: RecordHooks = {
  created: ({ tx, act, ...parts }, { id }) =>
    insertWebhookSecret(tx, parts, { webhookId: id, act }),
  uses: callersOf,
};

/** Whose shift notifications call the webhook: schedules', and the organisation's. */
function callersOf(tx: Queries, { organizationId, id }: UsedRecord): Promise<readonly Use[]> {
  return tx<Use[]>`
    select 'oncall_schedule' as kind, s.id, s.name, s.team_id as "teamId", null as "managedBy"
    from schedule_notifications n
    join oncall_schedules s on s.organization_id = n.organization_id and s.id = n.oncall_schedule_id
    where n.organization_id = ${organizationId} and s.archived_at is null
      and ${id} in (select json_array_elements_text(n.settings -> 'outbound_webhook_ids'))
    union all
    select 'organization', o.id, o.name, null, null from organizations o
    where o.id = ${organizationId} and ${id} in (
      select json_array_elements_text(o.shift_notifications -> 'outbound_webhook_ids'))`.execute();
}

const audited = {
  kind: 'webhook_secret',
  schema: objectOf({ secret: text({ doc: 'Signs deliveries.', sensitive: true }) }),
} as const;

/** Held until the transaction ends, so that its secrets are counted by one write at a time. */
async function lockWebhook(tx: Transaction, { key, act }: WebhookAct) {
  const row = await find(tx, outboundWebhook, { key, scope: act, lock: true });
  return row && { id: String(row['id']), archived: row['archived_at'] !== null };
}

/** Where one of an organisation's is kept. */
export const secretPlace = (organizationId: string, id: string) =>
  rowContext('webhook_secrets.secret_encrypted', organizationId, id);

type Row = {
  readonly id: string;
  readonly secret_encrypted: string;
  readonly created_at: Temporal.Instant;
};

async function secretsOf(
  tx: Transaction,
  { secrets }: WebhookSecretParts,
  { webhookId, act }: Of,
): Promise<readonly WebhookSecret[]> {
  const rows = await tx<Row[]>`
    select id, secret_encrypted, created_at from webhook_secrets
    where organization_id = ${act.organizationId} and outbound_webhook_id = ${webhookId}
    order by id`;
  return rows.map(({ id, secret_encrypted, created_at }) => ({
    id,
    secret: secrets.open(secret_encrypted, secretPlace(act.organizationId, id)),
    created_at: timeText(created_at),
  }));
}
