import type { Static, TProperties, TSchema } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { id, listOf, objectOf, optional } from '../../resources/declaration/field.ts';
import { managingTool } from '../../resources/declaration/managed-by.ts';
import { isOfTeam, type Resource } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { keyOf, type RecordList } from '../../storage/records/queries.ts';
import { isNested } from '../../storage/records/rows.ts';
import { invalid } from '../failures.ts';
import type { Call } from '../route.ts';

const LIMIT_DEFAULT = 50;

export const paging = {
  limit: `How many at once, 1..${queryLimits.pageSize}; ${LIMIT_DEFAULT} when absent.`,
  cursor: 'The next_cursor of the page before.',
} as const;

/** Of a list whose entries each belong to a team. */
export const teamsParameter = optional(
  listOf(id('The id of a team.'), {
    doc: 'Only what belongs to one of these teams, with commas between their ids.',
    max: queryLimits.teamsListed,
  }),
);

/** Those of its teams that the request asks for. */
export function inTeams<Scope extends { readonly teamIds: readonly string[] | null }>(
  scope: Scope,
  call: Pick<Call, 'query'>,
): Scope {
  const { team_id: wanted } = readQuery({ team_id: teamsParameter }, call);
  const { teamIds } = scope;
  if (wanted === undefined) return scope;
  return { ...scope, teamIds: wanted.filter((team) => teamIds?.includes(team) ?? true) };
}

/** Fields that a list can be narrowed by: those with one plain value that is no secret. */
function filterFields(resource: Resource): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(resource.input.properties as Record<string, TSchema>).filter(
      ([name, schema]) => name !== 'team_id' && !isNested(schema) && !('x-sensitive' in schema),
    ),
  );
}

export const listParameters = (resource: Resource): Record<string, string | TSchema> => ({
  ...paging,
  managed_by: managingTool,
  archived: 'true: only archived records; otherwise only active ones.',
  ...(isOfTeam(resource) && { team_id: teamsParameter }),
  ...Object.fromEntries(
    Object.keys(filterFields(resource)).map((name) => [name, `Only records of this ${name}.`]),
  ),
});

type Query = Readonly<Record<string, string>>;

/** The first page and its like: how many, and from where on. */
export function readPaging(query: Query): { limit: number; cursor: string | null } {
  const { limit = String(LIMIT_DEFAULT), cursor = null } = query;
  if (!/^[0-9]{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > queryLimits.pageSize)
    throw wrongQuery('limit', `must be a whole number from 1 to ${queryLimits.pageSize}`);
  return { limit: Number(limit), cursor };
}

/** The same of a list whose cursors are its numbers. */
export function readNumberedPaging(query: Query): { limit: number; cursor: number | null } {
  const { limit, cursor } = readPaging(query);
  if (cursor !== null && !/^-?[0-9]{1,9}$/.test(cursor)) throw wrongCursor();
  return { limit, cursor: cursor === null ? null : Number(cursor) };
}

export function readListing(resource: Resource, query: Query): RecordList {
  const { limit, cursor } = readPaging(query);
  const { archived = 'false' } = query;
  const { managed_by: tool } = readQuery({ managed_by: optional(managingTool) }, { query });
  if (archived !== 'true' && archived !== 'false')
    throw wrongQuery('archived', 'must be true or false');
  const fields = filterFields(resource);
  const filters = Object.fromEntries(
    Object.entries(query).flatMap(([name, text]) => {
      const schema = fields[name];
      return schema === undefined ? [] : [[name, readFilter(name, schema, text)]];
    }),
  );
  return {
    limit,
    after: cursor === null ? 0 : readCursor(cursor),
    archived: archived === 'true',
    filters,
    ...(tool !== undefined && { tool }),
  };
}

function readFilter(name: string, schema: TSchema, text: string): string | number | boolean {
  const value = plainValue(schema, text);
  const shape = { type: 'object', properties: { [name]: schema } };
  const read = readObject(shape, { [name]: value });
  if (read.ok) return value;
  throw invalid(read.problems);
}

/** The named parameters of the query, as their schemas have them. */
export function readQuery<Fields extends TProperties>(
  fields: Fields,
  { query }: Pick<Call, 'query'>,
): Static<ReturnType<typeof objectOf<Fields>>> {
  const sent = Object.entries(query).flatMap(([name, value]) => {
    const schema = fields[name];
    if (schema === undefined) return [];
    const isList = (schema as { type?: string }).type === 'array';
    return [[name, isList ? value.split(',') : plainValue(schema, value)]];
  });
  const read = readObject(objectOf(fields), Object.fromEntries(sent));
  if (!read.ok)
    throw invalid(read.problems.map((one) => ({ ...one, path: one.path.replace(/\[.*/, '') })));
  // Read by these fields just above.
  return read.value as Static<ReturnType<typeof objectOf<Fields>>>;
}

/** A value of a query as its schema has it; what does not fit stays text. */
function plainValue(schema: TSchema, text: string): string | number | boolean {
  const { type } = schema as { type?: string };
  if (type === 'integer' && /^-?[0-9]{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function readCursor(cursor: string): number {
  const named = keyOf(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (named === null || !('counter' in named)) throw wrongCursor();
  return named.counter;
}

/** One page and the way to the next; `records` holds one more than the page when there is one. */
export function pageOf<Numbered extends { readonly counter: number }>(
  records: readonly Numbered[],
  limit: number,
) {
  const page = records.slice(0, limit);
  const last = page.at(-1);
  const isLast = records.length <= limit || last === undefined;
  const next_cursor = isLast ? null : Buffer.from(String(last.counter)).toString('base64url');
  return { page, next_cursor };
}

export const wrongQuery = (path: string, message: string) => invalid([{ path, message }]);

/** Of a cursor that no page of this list had. */
export const wrongCursor = () => wrongQuery('cursor', 'is not a cursor of this list');
