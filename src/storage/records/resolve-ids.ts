// The ids of what people name otherwise: records by counter, incidents by number, people by e-mail.
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import type { Sql } from '../database/database.ts';
import { inScope, keyOf, type Scope } from './queries.ts';
import { json } from './rows.ts';

/** By their names as they were given; what names nothing that the caller may touch is absent. */
export type IdsByName = ReadonlyMap<string, string>;

type NamedRow = { readonly name: string; readonly id: string };

type NamesQuery = {
  readonly kind: string;
  readonly names: readonly string[];
  /** The records that there are. */
  readonly declared?: readonly Resource[];
};

export async function resolveIds(sql: Sql, scope: Scope, query: NamesQuery): Promise<IdsByName> {
  const { kind, names, declared = records } = query;
  if (kind === 'user') return idsByEmail(sql, scope, names.filter(isAddress));
  const counters = names.filter(isCounter);
  if (kind === 'incident') return idsByCounter(sql, scope, { table: 'incidents', counters });
  const table = declared.find(({ name }) => name === kind)?.table;
  return table === undefined ? new Map() : idsByCounter(sql, scope, { table, counters });
}

/** PostgreSQL takes no other text. */
const isAddress = (name: string) =>
  name.includes('@') && name.isWellFormed() && !name.includes('\0');

const isCounter = (name: string) => 'counter' in (keyOf(name) ?? {});

async function idsByEmail(sql: Sql, { organizationId }: Scope, names: readonly string[]) {
  if (names.length === 0) return new Map();
  const rows = await sql<NamedRow[]>`
    select given.name, users.id from users
    join json_array_elements_text(${json(sql, names)}) as given (name)
      on lower(users.email) = lower(given.name)
    where organization_id = ${organizationId}`;
  return new Map(rows.map(({ name, id }) => [name, id]));
}

type CountersQuery = { readonly table: string; readonly counters: readonly string[] };

async function idsByCounter(
  sql: Sql,
  scope: Scope,
  { table, counters }: CountersQuery,
): Promise<IdsByName> {
  if (counters.length === 0) return new Map();
  const column = sql(table === 'incidents' ? 'number' : 'counter');
  const rows = await sql<NamedRow[]>`
    select ${column}::text as name, id from ${sql(table)} where ${inScope(sql, scope)}
    and ${column} in (select value::integer from json_array_elements_text(${json(sql, counters)}))`;
  return new Map(rows.map(({ name, id }) => [name, id]));
}
