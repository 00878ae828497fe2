// What a backup has: every table of the schema, by its columns' names, and the sequences.
import type { Queries, Transaction } from '../database/database.ts';
import { MIGRATIONS_TABLE } from '../database/migrate.ts';

export type Table = { readonly name: string; readonly columns: readonly string[] };

/** Null: none was given out yet. */
export type SequenceState = { readonly name: string; readonly last: number | null };

/** Those that others point to come first: in this order their rows can be written. */
export async function tablesOf(sql: Queries): Promise<Table[]> {
  const rows = await sql<(Table & { readonly points_to: string[] })[]>`
    select c.relname::text as name,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns,
      array(
        select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as points_to
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname <> ${MIGRATIONS_TABLE}
    order by c.relname collate "C"`;
  const ordered = new Map<string, Table>();
  while (ordered.size < rows.length) {
    const next = rows.filter(
      ({ name, points_to }) => !ordered.has(name) && points_to.every((to) => ordered.has(to)),
    );
    if (next.length === 0) throw new Error('tables point to each other in a circle');
    for (const { name, columns } of next) ordered.set(name, { name, columns });
  }
  return [...ordered.values()];
}

export async function sequencesOf(sql: Queries): Promise<SequenceState[]> {
  const rows = await sql<SequenceState[]>`
    select sequencename::text as name, last_value as last from pg_sequences
    where schemaname = current_schema() order by sequencename collate "C"`;
  return rows.map(({ name, last }) => ({ name, last }));
}

/** Unlike `setval` it is undone with the transaction. */
export async function restartSequence(
  tx: Transaction,
  { name, last }: SequenceState,
): Promise<void> {
  const from = last === null ? '' : ` with ${last + 1}`;
  await tx.unsafe(`alter sequence ${quoted(name)} restart${from}`);
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** As COPY names a table. */
export const copyTarget = ({ name, columns }: Table): string =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`;
