// Attempts that vendors took, with what they reported last.
import type { OutboxKey } from '../../engine/ledger.ts';
import type { Receipt } from '../../engine/receiving/receipt.ts';
import type { HandedOver } from '../../engine/sending/channel.ts';
import type { Queries } from '../database.ts';
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
  };

export type NumberedHandedOver = HandedOver & { readonly number: number };

/** The attempts of these notices that a vendor took, by the notice's key, oldest first. */
export async function readHandedOver(
  { sql }: LedgerContext,
  keys: readonly OutboxKey[],
): Promise<ReadonlyMap<string, readonly NumberedHandedOver[]>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<HandedOverRow[]>`
    select a.organization_id, a.key, a.number, a.connection_id, a.vendor_id, a.receipt, a.receipt_reason,
      a.receipt_blame
    from json_populate_recordset(null::attempts, ${json(sql, keys)}) k
    join attempts a on a.organization_id = k.organization_id and a.key = k.key
    where a.connection_id is not null
    order by a.number`;
  const byKey = Map.groupBy(rows, ({ organization_id, key }) => `${organization_id} ${key}`);
  return new Map(
    [...byKey].map(([key, own]) => [
      key,
      own.map((row) => ({
        number: row.number,
        connectionId: row.connection_id ?? '',
        vendorId: row.vendor_id ?? '',
        receipt: receiptOf(row),
      })),
    ]),
  );
}

/** How many attempts of a row `o` of the outbox went to other contacts, before the present one. */
export const attemptsElsewhere = (sql: Queries) => sql`
  coalesce((o.notice #>> '{tried,-1,attempts}')::integer, 0)`;
