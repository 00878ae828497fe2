// Keys of other services that integrations have adopted. Of each only a digest is stored.
import type { Ids } from '../../engine/ids.ts';
import { accessLimits } from '../../limits/access.ts';
import { anything } from '../../resources/declaration/field.ts';
import { integration } from '../../resources/integration.ts';
import { endOf, type IntegrationKeyFields } from '../../resources/integration-key.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { find, type Scope } from '../records/queries.ts';
import { timeText } from '../records/rows.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { readByKey } from './integrations-by-key.ts';

export type IntegrationKey = {
  readonly id: string;
  readonly integration_id: string;
  readonly kind: string;
  readonly last4: string;
  readonly created_at: string;
  readonly last_used_at?: string;
};

export type IntegrationKeyParts = {
  readonly sql: Sql;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly ids: Ids;
};

/** The integration, by id or counter. */
type Of = { readonly integration: string; readonly scope: Scope };
type ActOn = { readonly integration: string; readonly act: Act };

const audited = { kind: 'integration_key', schema: anything('Without the key.') } as const;

/** All of them, oldest first; of an archived integration too. */
export async function listIntegrationKeys(
  sql: Queries,
  of: Of,
): Promise<readonly IntegrationKey[] | 'not_found'> {
  const row = await find(sql, integration, { key: of.integration, scope: of.scope });
  return row === undefined ? 'not_found' : keysOf(sql, of.scope.organizationId, row['id']);
}

type Refused =
  | 'not_found'
  | 'archived'
  | 'too_many'
  | 'taken'
  /** It stands for this integration already; null: as its token. */
  | { readonly known: string | null };

export function adoptKey(
  { sql, secrets, ids }: IntegrationKeyParts,
  { integration: named, act, fields }: ActOn & { readonly fields: IntegrationKeyFields },
): Promise<IntegrationKey | Refused> {
  return transact(sql, async (tx) => {
    const row = await find(tx, integration, { key: named, scope: act, lock: true });
    if (row === undefined) return 'not_found';
    if (row['archived_at'] !== null) return 'archived';
    const integrationId = String(row['id']);
    const digest = secrets.digest(fields.key);
    const holder = await readByKey(tx, digest, act.now);
    if (holder) return holder.id === integrationId ? { known: holder.key_id } : 'taken';
    const before = await keysOf(tx, act.organizationId, integrationId);
    if (before.length >= accessLimits.adoptedKeys) return 'too_many';
    const after = {
      id: ids.next(),
      integration_id: integrationId,
      kind: fields.kind,
      last4: endOf(fields.key),
      created_at: timeText(act.now),
    };
    const inserting = {
      ...after,
      digest,
      organization_id: act.organizationId,
      created_at: act.now,
    };
    // Somebody else may have adopted it since.
    const inserted = await tx`
      insert into integration_keys ${tx(inserting)} on conflict (digest) do nothing`;
    if (inserted.count === 0) return 'taken';
    await audit(tx, ids, { act, ...audited, action: 'create', id: after.id, after });
    return after;
  });
}

/** Of an archived integration too: another one may adopt the key then. */
export function removeKey(
  { sql, ids }: Omit<IntegrationKeyParts, 'secrets'>,
  { integration: named, act, keyId: id }: ActOn & { readonly keyId: string },
): Promise<{ readonly id: string } | 'not_found'> {
  return transact(sql, async (tx) => {
    const row = await find(tx, integration, { key: named, scope: act, lock: true });
    if (row === undefined) return 'not_found';
    const { organizationId } = act;
    const [before] = await keysOf(tx, organizationId, row['id'], id);
    if (before === undefined) return 'not_found';
    await tx`
      delete from integration_keys where organization_id = ${organizationId} and id = ${id}`;
    await audit(tx, ids, { act, ...audited, action: 'delete', id, before });
    return { id };
  });
}

/** Those of these digests, in hex, that an integration has adopted. */
export async function adoptedAmong(
  sql: Queries,
  digests: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ digest: string }[]>`
    select encode(digest, 'hex') as digest from integration_keys
    where digest in (select decode(one, 'hex') from unnest(${[...digests]}::text[]) one)`;
  return rows.map(({ digest }) => digest);
}

type Row = Omit<IntegrationKey, 'created_at' | 'last_used_at'> & {
  readonly created_at: Temporal.Instant;
  readonly last_used_at: Temporal.Instant | null;
};

async function keysOf(
  sql: Queries | Transaction,
  organizationId: string,
  integrationId: string,
  id?: string,
): Promise<readonly IntegrationKey[]> {
  const rows = await sql<Row[]>`
    select id, integration_id, kind, last4, created_at, last_used_at from integration_keys
    where organization_id = ${organizationId} and integration_id = ${integrationId}
      ${id === undefined ? sql`` : sql`and id = ${id}`}
    order by id`;
  return rows.map(({ created_at, last_used_at, ...row }) => ({
    ...row,
    created_at: timeText(created_at),
    ...(last_used_at && { last_used_at: timeText(last_used_at) }),
  }));
}
