// The ids of what people name otherwise: records by counter, incidents by number, people by e-mail.
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/records.ts';
import type { Sql } from '../database.ts';
import { inScope, keyOf, type Scope } from './queries.ts';
import { json } from './rows.ts';

/** By their names as they were given; what names nothing that the caller may touch is absent. */
export type Ids = ReadonlyMap<string, string>;

type Row = { readonly name: string; readonly id: string };

type Naming = {
  readonly kind: string;
  readonly names: readonly string[];
  /** The records that there are. */
  readonly declared?: readonly Resource[];
};

export async function idsNamed(sql: Sql, scope: Scope, naming: Naming): Promise<Ids> {
  const { kind, names, declared = records } = naming;
  if (kind === 'user') return idsByEmail(sql, scope, names.filter(isAddress));
  const counters = names.filter(isCounter);
  if (kind === 'incident') return idsByNumber(sql, scope, { table: 'incidents', counters });
  const table = declared.find(({ name }) => name === kind)?.table;
  return table === undefined ? new Map() : idsByNumber(sql, scope, { table, counters });
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

type Counted = { readonly table: string; readonly counters: readonly string[] };

async function idsByNumber(sql: Sql, scope: Scope, { table, counters }: Counted): Promise<Ids> {
  if (counters.length === 0) return new Map();
  const column = sql(table === 'incidents' ? 'number' : 'counter');
  const rows = await sql<Row[]>`
    select ${column}::text as name, id from ${sql(table)} where ${inScope(sql, scope)}
    and ${column} in (select value::integer from json_array_elements_text(${json(sql, counters)}))`;
  return new Map(rows.map(({ name, id }) => [name, id]));
}
