// The few queries that serve every record.
import type { ManagedBy } from '../../resources/declaration/managed-by.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import type { Queries } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';

export type Scope = Pick<Act, 'organizationId' | 'teamIds'>;

export type RecordList = {
  readonly limit: number;
  /** Only records numbered above it. */
  readonly after: number;
  readonly archived: boolean;
  /** Values by column. */
  readonly filters: Readonly<Record<string, string | number | boolean>>;
  /** Only those that it manages. */
  readonly tool?: ManagedBy['tool'];
};
/** The next number of that kind in the organisation; numbers of failed writes are given again. */
export async function nextCounter(tx: Queries, organizationId: string, kind: string) {
  const [row] = await tx<{ last: number }[]>`
    insert into counters as c (organization_id, kind, last) values (${organizationId}, ${kind}, 1)
    on conflict (organization_id, kind) do update set last = c.last + 1
    returning last`;
  if (row === undefined) throw new Error(`no counter for ${kind}`);
  return row.last;
}

const LAST_COUNTER = 2_147_483_647;

/** How the part of a path names a record: by id or by counter; null if it can name none. */
export function keyOf(text: string): { readonly id: string } | { readonly counter: number } | null {
  if (/^[0-9a-f]{24}$/.test(text)) return { id: text };
  return /^[1-9][0-9]{0,9}$/.test(text) && Number(text) <= LAST_COUNTER
    ? { counter: Number(text) }
    : null;
}

/** What the caller may touch at all; `column` says where the team stands. */
export const inScope = (sql: Queries, { organizationId, teamIds }: Scope, column = 'team_id') =>
  teamIds === null
    ? sql`organization_id = ${organizationId}`
    : sql`organization_id = ${organizationId} and ${sql(column)} = any(${[...teamIds]})`;

type FindOptions = { readonly key: string; readonly scope: Scope; readonly lock?: boolean };

export async function find(sql: Queries, resource: Resource, { key, scope, lock }: FindOptions) {
  const parsed = keyOf(key);
  if (parsed === null) return undefined;
  const [row] = await sql`
    select * from ${sql(resource.table)} where ${inScope(sql, scope)}
    and ${'id' in parsed ? sql`id = ${parsed.id}` : sql`counter = ${parsed.counter}`}
    ${lock ? sql`for update` : sql``}`;
  return row;
}

export function select(
  sql: Queries,
  resource: Resource,
  { query, scope }: { query: RecordList; scope: Scope },
) {
  const { limit, after, archived, filters, tool } = query;
  const state = archived ? sql`archived_at is not null` : sql`archived_at is null`;
  const managed = tool === undefined ? sql`true` : sql`managed_by->>'tool' = ${tool}`;
  const where = Object.entries(filters).reduce(
    (all, [column, value]) => sql`${all} and ${sql(column)} = ${value}`,
    sql`${inScope(sql, scope)} and counter > ${after} and ${state} and ${managed}`,
  );
  return sql`
    select * from ${sql(resource.table)} where ${where} order by counter limit ${limit}`;
}
