// Goes through all that is sealed, a bounded number of rows at a time, in the order of their keys.
import { isSealed, type Sealed } from '../../resources/declaration/field.ts';
import type { Transaction } from '../database/database.ts';
import { json } from '../records/rows.ts';
import type { SealContext, SealedColumn } from './sealed-columns.ts';

const rowsAtOnce = 1_000;

type MaybeSealed = string | Sealed;
/** The columns of a primary key, and what is read beside them. */
type KeyRow = Readonly<Record<string, unknown>>;

export type Change = {
  /** Stands in every value that may have to be changed. */
  readonly mark: string;
  /** Answers the same where nothing is to be done. */
  readonly change: (stored: MaybeSealed, context: SealContext) => MaybeSealed;
};

type Batch = (tx: Transaction) => Promise<KeyRow | null>;

/** Each batch is run by itself: in a transaction of its own, or all of them in one. */
export async function changeAll(
  sealed: SealedColumn,
  change: Change,
  run: (batch: Batch) => Promise<KeyRow | null>,
): Promise<void> {
  let last: KeyRow | null = null;
  do {
    const after: KeyRow | null = last;
    last = await run((tx) => changeBatch(tx, sealed, { ...change, after }));
  } while (last !== null);
}

/** Changes the rows that follow one of them; answers the last of those; null: it was the last. */
async function changeBatch(
  tx: Transaction,
  sealed: SealedColumn,
  { after, mark, change }: Change & { readonly after: KeyRow | null },
): Promise<KeyRow | null> {
  const rows = await readRows(tx, sealed, { after, mark });
  const marked = rows.filter((row) => row['marked'] === true);
  const changed = (await lockRows(tx, sealed, marked)).flatMap(({ stored, ...key }) => {
    const now = changedValue(sealed, stored, (one) => change(one, contextOf(sealed, key)));
    return now === stored ? [] : [{ ...key, [sealed.column]: now }];
  });
  await writeRows(tx, sealed, changed);
  return rows.length < rowsAtOnce ? null : (rows.at(-1) ?? null);
}

function contextOf(
  { key: [organization, ...rest], contextOf }: SealedColumn,
  row: KeyRow,
): SealContext {
  return contextOf([String(row[organization]), ...rest.map((name) => String(row[name]))]);
}

/** A column that is not json is sealed as a whole, by its declaration. */
function changedValue(
  { mapValue }: SealedColumn,
  value: unknown,
  change: (stored: MaybeSealed) => MaybeSealed,
) {
  if (!mapValue) {
    const now = change({ sealed: String(value) });
    return isSealed(now) ? now.sealed : now;
  }
  let isChanged = false;
  // What is equal stays equal, as it was sealed.
  const results = new Map<string, MaybeSealed>();
  const now = mapValue(value, (stored) => {
    const key = JSON.stringify(stored);
    const changed = results.get(key) ?? change(stored);
    results.set(key, changed);
    isChanged ||= changed !== stored;
    return changed;
  });
  return isChanged ? now : value;
}

function readRows(
  tx: Transaction,
  { table, column, key }: SealedColumn,
  { after, mark }: Pick<Change, 'mark'> & { readonly after: KeyRow | null },
): Promise<readonly KeyRow[]> {
  const from = after
    ? tx`where (${tx([...key])}) > (${listed(tx, key, (name) => tx`${String(after[name])}`)})`
    : tx``;
  return tx<KeyRow[]>`
    select ${tx([...key])}, strpos(${tx(column)}::text, ${mark}) > 0 as marked
    from ${tx(table)} ${from} order by ${tx([...key])} limit ${rowsAtOnce}`;
}

async function lockRows(
  tx: Transaction,
  { table, column, key }: SealedColumn,
  rows: readonly KeyRow[],
): Promise<readonly KeyRow[]> {
  if (rows.length === 0) return [];
  const keys = rows.map(({ marked: _, ...own }) => own);
  return tx<KeyRow[]>`
    select ${listed(tx, key, (name) => tx`t.${tx(name)}`)}, t.${tx(column)} as stored
    from json_populate_recordset(null::${tx(table)}, ${json(tx, keys)}) r
    join ${tx(table)} t on ${isSame(tx, key)} for update of t`;
}

async function writeRows(
  tx: Transaction,
  { table, column, key }: SealedColumn,
  rows: readonly KeyRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    update ${tx(table)} t set ${tx(column)} = r.${tx(column)}
    from json_populate_recordset(null::${tx(table)}, ${json(tx, rows)}) r
    where ${isSame(tx, key)}`;
}

type Fragment = ReturnType<typeof fragmentOf>;
const fragmentOf = (tx: Transaction) => tx``;

const isSame = (tx: Transaction, key: readonly string[]) =>
  tx`(${listed(tx, key, (name) => tx`t.${tx(name)}`)})
    = (${listed(tx, key, (name) => tx`r.${tx(name)}`)})`;

const listed = (tx: Transaction, key: readonly string[], part: (name: string) => Fragment) =>
  key.map(part).reduce((list, one) => tx`${list}, ${one}`);
