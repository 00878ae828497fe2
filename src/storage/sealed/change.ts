// Goes through all that is sealed, a bounded number of rows at a time, in the order of their keys.
import { isSealed, type Sealed } from '../../resources/declaration/sealed.ts';
import type { Transaction } from '../database.ts';
import { json } from '../records/rows.ts';
import type { SealContext, SealedColumn } from './sealed-columns.ts';

const rowsAtOnce = 1_000;

type Kept = string | Sealed;
/** The columns of a primary key, and what is read beside them. */
type Row = Readonly<Record<string, unknown>>;

export type Change = {
  /** Stands in every value that may have to be changed. */
  readonly mark: string;
  /** Answers the same where nothing is to be done. */
  readonly change: (kept: Kept, place: SealContext) => Kept;
};

type Batch = (tx: Transaction) => Promise<Row | null>;

/** Each batch is run by itself: in a transaction of its own, or all of them in one. */
export async function changeAll(
  sealed: SealedColumn,
  change: Change,
  run: (batch: Batch) => Promise<Row | null>,
): Promise<void> {
  let last: Row | null = null;
  do {
    const after: Row | null = last;
    last = await run((tx) => changeBatch(tx, sealed, { ...change, after }));
  } while (last !== null);
}

/** Changes the rows that follow one of them; answers the last of those; null: it was the last. */
async function changeBatch(
  tx: Transaction,
  sealed: SealedColumn,
  { after, mark, change }: Change & { readonly after: Row | null },
): Promise<Row | null> {
  const looked = await look(tx, sealed, { after, mark });
  const marked = looked.filter((row) => row['marked'] === true);
  const changed = (await lock(tx, sealed, marked)).flatMap(({ kept, ...key }) => {
    const now = changedValue(sealed, kept, (one) => change(one, placeOf(sealed, key)));
    return now === kept ? [] : [{ ...key, [sealed.column]: now }];
  });
  await write(tx, sealed, changed);
  return looked.length < rowsAtOnce ? null : (looked.at(-1) ?? null);
}

function placeOf(
  { key: [organization, ...rest], contextOf: placeOf }: SealedColumn,
  row: Row,
): SealContext {
  return placeOf([String(row[organization]), ...rest.map((name) => String(row[name]))]);
}

/** A column that is not json is sealed as a whole, by its declaration. */
function changedValue({ within }: SealedColumn, value: unknown, change: (kept: Kept) => Kept) {
  if (!within) {
    const now = change({ sealed: String(value) });
    return isSealed(now) ? now.sealed : now;
  }
  let isChanged = false;
  // What is equal stays equal, as it was sealed.
  const made = new Map<string, Kept>();
  const now = within(value, (kept) => {
    const key = JSON.stringify(kept);
    const changed = made.get(key) ?? change(kept);
    made.set(key, changed);
    isChanged ||= changed !== kept;
    return changed;
  });
  return isChanged ? now : value;
}

function look(
  tx: Transaction,
  { table, column, key }: SealedColumn,
  { after, mark }: Pick<Change, 'mark'> & { readonly after: Row | null },
): Promise<readonly Row[]> {
  const from = after
    ? tx`where (${tx([...key])}) > (${listed(tx, key, (name) => tx`${String(after[name])}`)})`
    : tx``;
  return tx<Row[]>`
    select ${tx([...key])}, strpos(${tx(column)}::text, ${mark}) > 0 as marked
    from ${tx(table)} ${from} order by ${tx([...key])} limit ${rowsAtOnce}`;
}

async function lock(
  tx: Transaction,
  { table, column, key }: SealedColumn,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (rows.length === 0) return [];
  const keys = rows.map(({ marked: _, ...own }) => own);
  return tx<Row[]>`
    select ${listed(tx, key, (name) => tx`t.${tx(name)}`)}, t.${tx(column)} as kept
    from json_populate_recordset(null::${tx(table)}, ${json(tx, keys)}) r
    join ${tx(table)} t on ${isSame(tx, key)} for update of t`;
}

async function write(
  tx: Transaction,
  { table, column, key }: SealedColumn,
  rows: readonly Row[],
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
