// Attempts that vendors took, with what they reported last, and those that they may have taken.
import type { OutboxKey } from '../../engine/ports/sending.ts';
import type { HandedOver } from '../../engine/sending/channel.ts';
import type { Receipt } from '../../engine/sending/receipt.ts';
import type { Queries } from '../database/database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { json } from '../records/rows.ts';

export type ReceiptRow = {
  readonly receipt: Receipt['state'] | null;
  readonly receipt_reason: string | null;
  readonly receipt_blame: Receipt['blame'];
};
export const receiptOf = ({
  receipt,
  receipt_reason,
  receipt_blame,
}: ReceiptRow): Receipt | null =>
  receipt === null ? null : { state: receipt, reason: receipt_reason ?? '', blame: receipt_blame };

type HandedOverRow = ReceiptRow &
  OutboxKey & {
    readonly number: number;
    readonly connection_id: string | null;
    readonly vendor_id: string | null;
    readonly claimed_at: Temporal.Instant;
  };

type Numbered<Row> = Row & { readonly number: number };
export type AttemptsBefore = {
  /** Oldest first. */
  readonly handedOver: readonly Numbered<HandedOver>[];
  /** Those since of which no server recorded the end, oldest first. */
  readonly unknown: readonly Numbered<{ readonly since: Temporal.Instant }>[];
};

/** The attempts of these notices that a vendor took or may have taken, by the notice's key. */
export async function readHandedOver(
  { sql }: LedgerContext,
  keys: readonly OutboxKey[],
): Promise<ReadonlyMap<string, AttemptsBefore>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<HandedOverRow[]>`
    select a.organization_id, a.key, a.number, a.connection_id, a.vendor_id, a.receipt, a.receipt_reason,
      a.receipt_blame, a.claimed_at
    from json_populate_recordset(null::attempts, ${json(sql, keys)}) k
    join attempts a on a.organization_id = k.organization_id and a.key = k.key
    where a.connection_id is not null or a.finished_at is null
    order by a.number`;
  const byKey = Map.groupBy(rows, ({ organization_id, key }) => `${organization_id} ${key}`);
  return new Map([...byKey].map(([key, own]) => [key, attemptsBefore(own)]));
}

/** Whoever has sent a notice since has looked first for what was made of those before. */
function attemptsBefore(rows: readonly HandedOverRow[]): AttemptsBefore {
  const isTaken = ({ connection_id }: HandedOverRow) => connection_id !== null;
  return {
    handedOver: rows.filter(isTaken).map((row) => ({
      number: row.number,
      connectionId: row.connection_id ?? '',
      vendorId: row.vendor_id ?? '',
      receipt: receiptOf(row),
    })),
    unknown: rows
      .slice(rows.findLastIndex(isTaken) + 1)
      .map(({ number, claimed_at: since }) => ({ number, since })),
  };
}

/** Which of these ids of a vendor's are recorded of attempts of other notices. */
export async function takenByOthers(
  sql: Queries,
  { organization_id, key }: OutboxKey,
  vendorIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ vendor_id: string }[]>`
    select vendor_id from attempts
    where vendor_id = any(${[...vendorIds]})
      and not (organization_id = ${organization_id} and key = ${key})`;
  return new Set(rows.map(({ vendor_id }) => vendor_id));
}

/** How many attempts of a row of the outbox went to other contacts, before the present one. */
export const attemptsElsewhere = (sql: Queries, of = 'o') => sql`
  coalesce((${sql(of)}.notice #>> '{tried,-1,attempts}')::integer, 0)`;

/**
 * Of a row of the outbox, by its alias: the result and the end of the last attempt that has ended, or of
 * one before it.
 */
export const lastOutcome = (sql: Queries, of: string, before = 0) => sql`
  select a.number, a.outcome, a.finished_at from attempts a
  where a.organization_id = ${sql(of)}.organization_id and a.key = ${sql(of)}.key
    and a.finished_at is not null
  order by a.number desc limit 1 offset ${before}`;
