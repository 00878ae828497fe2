import type { TSchema } from 'typebox';
import type { Ids } from '../../engine/ids.ts';
import type { Repeatable } from '../../engine/ports/actions.ts';
import type { ManagedBy } from '../../resources/declaration/managed-by.ts';
import { masked } from '../../resources/declaration/references-and-secrets.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import type { Queries } from '../database/database.ts';
import { recordDone } from '../records/idempotent-answers.ts';
import { json } from '../records/rows.ts';

/** Who does something, for whom it is done, and when. */
export type Act = {
  readonly organizationId: string;
  /** The teams that may be touched; null: every team. */
  readonly teamIds: readonly string[] | null;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
  readonly requestId: string | null;
  readonly now: Temporal.Instant;
  /** The tool that says with this write that it manages the record. */
  readonly managedBy?: ManagedBy;
  /** The request, if it may be sent again. */
  readonly repeatable?: Repeatable;
};

export const auditedActions = [
  'create',
  'update',
  'archive',
  'restore',
  'rotate_token',
  'delete',
  'revoke',
  'verify',
  'set_password',
  'change_password',
  'enable_second_factor',
  'disable_second_factor',
  'renew_recovery_codes',
  'use_recovery_code',
  'add_passkey',
  'remove_passkey',
  'invite',
  'create_sign_in_link',
  'use_sign_in_link',
  'end_sessions',
  'rename_entry_types',
] as const;
export type AuditedAction = (typeof auditedActions)[number];

const otherAuditedKinds = [
  'oncall_override',
  'cover_request',
  'schedule_notifications',
  'integration_key',
  'webhook_secret',
  'webhook_delivery',
  'calendar_feed',
  'chat_account',
  'user',
  'user_notifications',
  'contact',
  'team',
  'organization',
  'api_key',
  'channel_connection',
  'integration_mapping',
] as const;
export const auditedKinds: readonly string[] = [
  ...records.map(({ name }) => name),
  ...otherAuditedKinds,
];

type Audited = {
  readonly action: AuditedAction;
  readonly kind: Resource | (typeof otherAuditedKinds)[number];
  readonly id: string;
  /** Tells which texts are secret: those are not written down. */
  readonly schema: TSchema;
  readonly before?: unknown;
  readonly after?: unknown;
};

/**
 * Writes down who did what, in the transaction that does it, and last: other writers of the
 * organisation then wait for its commit, for entries are numbered in the order of commits.
 */
export async function audit(tx: Queries, ids: Ids, entry: Audited & { act: Act }): Promise<void> {
  const { act, schema } = entry;
  if (act.repeatable) await recordDone(tx, act.repeatable, entry.id);
  const kind = typeof entry.kind === 'string' ? entry.kind : entry.kind.name;
  const maskedJson = (value: unknown) =>
    value === undefined ? null : json(tx, masked(schema, value));
  await tx`
    insert into audit_log
      (organization_id, id, at, actor, action, kind, record_id, before, after, request_id)
    values (${act.organizationId}, ${ids.next()}, ${act.now}, ${json(tx, act.actor)},
      ${entry.action}, ${kind}, ${entry.id}, ${maskedJson(entry.before)}, ${maskedJson(entry.after)},
      ${act.requestId})`;
}

export type AuditEntry = {
  readonly id: string;
  readonly sequence: number;
  readonly at: Temporal.Instant;
  readonly actor: Act['actor'];
  readonly action: string;
  readonly record_type: string;
  readonly record_id: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
};

type AuditLogQuery = {
  readonly organizationId: string;
  readonly filters: {
    readonly record_type?: string;
    readonly record_id?: string;
    readonly action?: string;
    readonly actor_id?: string;
  };
  /** Only entries from then on, and before then. */
  readonly from?: Temporal.Instant | undefined;
  readonly to?: Temporal.Instant | undefined;
  readonly limit: number;
  readonly order: AuditOrder;
  /** The sequence of the last entry already seen; null at the start. */
  readonly cursor: number | null;
};

/** Newest first, or oldest first. */
export const auditOrders = ['desc', 'asc'] as const;
export type AuditOrder = (typeof auditOrders)[number];

/** Who did what, in the order of commits; secrets were masked when it was written. */
export async function listAuditLog(
  sql: Queries,
  query: AuditLogQuery,
): Promise<readonly AuditEntry[]> {
  const { record_type, record_id, action, actor_id } = query.filters;
  const { organizationId, order, cursor, from, to } = query;
  const first = from && (await firstSince(sql, organizationId, from.subtract(MARGIN)));
  const end = to && (await firstSince(sql, organizationId, to.add(MARGIN)));
  const beyond = order === 'asc' ? sql`sequence > ${cursor}` : sql`sequence < ${cursor}`;
  return sql<AuditEntry[]>`
    select id, sequence, at, actor, action, kind as record_type, record_id, before, after, request_id
    from audit_log
    where organization_id = ${organizationId}
      ${cursor === null ? sql`` : sql`and ${beyond}`}
      ${from === undefined ? sql`` : sql`and sequence >= ${first ?? 0} and at >= ${from}`}
      ${to === undefined ? sql`` : sql`and sequence < ${end ?? 0} and at < ${to}`}
      ${record_type === undefined ? sql`` : sql`and kind = ${record_type}`}
      ${record_id === undefined ? sql`` : sql`and record_id = ${record_id}`}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
      ${actor_id === undefined ? sql`` : sql`and actor->>'id' = ${actor_id}`}
    order by sequence ${order === 'asc' ? sql`asc` : sql`desc`} limit ${query.limit}`;
}

/** Entries are numbered as their writes are committed, and bear the time of their request. */
const MARGIN = { hours: 1 } as const;

/**
 * The number from which on entries are as late as that, as far as their order is that of time. Found
 * by halves: a filter alone would read the whole log where it finds little.
 */
async function firstSince(
  sql: Queries,
  organizationId: string,
  at: Temporal.Instant,
): Promise<number> {
  const [row] = await sql<{ low: number }[]>`
    with recursive halves as (
      select coalesce(min(sequence), 1) as low, coalesce(max(sequence), 0) + 1 as high
      from audit_log where organization_id = ${organizationId}
      union all
      select case when middle.at < ${at} then middle.sequence + 1 else low end,
        case when middle.at < ${at} then high else (low + high) / 2 end
      from halves, lateral (
        select sequence, at from audit_log
        where organization_id = ${organizationId} and sequence >= (low + high) / 2
        order by sequence limit 1
      ) as middle
      where low < high
    )
    select low from halves where low >= high limit 1`;
  return row?.low ?? 0;
}
