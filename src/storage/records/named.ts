// The ids of what people name otherwise: records by counter, incidents by number, people by e-mail.
import { records } from '../../resources/records.ts';
import type { Sql } from '../database.ts';
import { inScope, keyOf, type Scope } from './queries.ts';
import { json } from './rows.ts';

/** By their names as they were given; what names nothing that the caller may touch is absent. */
export type Ids = ReadonlyMap<string, string>;

type Row = { readonly name: string; readonly id: string };

export async function idsNamed(
  sql: Sql,
  scope: Scope,
  { kind, names }: { readonly kind: string; readonly names: readonly string[] },
): Promise<Ids> {
  return kind === 'user'
    ? idsByEmail(sql, scope, names.filter(isAddress))
    : idsByCounter(sql, scope, { kind, counters: names.filter(isCounter) });
}

/** PostgreSQL takes no other text. */
const isAddress = (name: string) =>
  name.includes('@') && name.isWellFormed() && !name.includes('\0');

const isCounter = (name: string) => 'counter' in (keyOf(name) ?? {});

async function idsByEmail(sql: Sql, { organizationId }: Scope, names: readonly string[]) {
  if (names.length === 0) return new Map();
  const rows = await sql<Row[]>`
    select given.name, users.id from users
    join json_array_elements_text(${json(sql, names)}) as given (name)
      on lower(users.email) = lower(given.name)
    where organization_id = ${organizationId}`;
  return new Map(rows.map(({ name, id }) => [name, id]));
}

type Counted = { readonly kind: string; readonly counters: readonly string[] };

async function idsByCounter(sql: Sql, scope: Scope, { kind, counters }: Counted): Promise<Ids> {
  const table =
    kind === 'incident' ? 'incidents' : records.find(({ name }) => name === kind)?.table;
  if (table === undefined || counters.length === 0) return new Map();
  const column = sql(kind === 'incident' ? 'number' : 'counter');
  const rows = await sql<Row[]>`
    select ${column}::text as name, id from ${sql(table)} where ${inScope(sql, scope)}
    and ${column} in (select value::integer from json_array_elements_text(${json(sql, counters)}))`;
  return new Map(rows.map(({ name, id }) => [name, id]));
}
