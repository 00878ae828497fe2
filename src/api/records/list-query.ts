import type { Static, TProperties, TSchema } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import {
  flag,
  id,
  listOf,
  objectOf,
  optional,
  text,
  wholeNumber,
} from '../../resources/declaration/field.ts';
import { managingTool } from '../../resources/declaration/managed-by.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { keyOf, type RecordList } from '../../storage/records/queries.ts';
import { isNested } from '../../storage/records/rows.ts';
import { invalid } from '../failures.ts';
import type { Call } from '../route.ts';

const LIMIT_DEFAULT = 50;

export const paging = {
  limit: optional(
    wholeNumber({
      doc: `The page size, from 1 to ${queryLimits.pageSize}. Default: ${LIMIT_DEFAULT}.`,
      min: 1,
      max: queryLimits.pageSize,
    }),
  ),
  cursor: optional(text({ doc: 'The next_cursor of the previous page.', min: 1 })),
};

/** A choice between two lists: true or false. */
export const flagParameter = (doc: string) => optional(flag({ doc }));

/** Of a list whose entries each belong to a team. */
export const teamsParameter = optional(
  listOf(id('The id of a team.'), {
    doc: 'Returns only records of these teams: team ids separated by commas.',
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

const listed = {
  managed_by: optional(managingTool),
  archived: flagParameter(
    'true returns only archived records. Otherwise, only active records are returned.',
  ),
};

export const listParameters = (resource: Resource): Record<string, TSchema> => ({
  ...paging,
  ...listed,
  ...(resource.isOfTeam && { team_id: teamsParameter }),
  ...Object.fromEntries(
    Object.entries(filterFields(resource)).map(([name, schema]) => [name, narrowing(name, schema)]),
  ),
});

/** By the values of a field; an address has no room for its longest texts. */
function narrowing(name: string, schema: TSchema): TSchema {
  const {
    default: _,
    maxLength,
    ...shape
  } = schema as TSchema & {
    default?: unknown;
    maxLength?: number;
  };
  return optional({
    ...shape,
    description: `Returns only records with this ${name}.`,
    ...(maxLength !== undefined && { maxLength: Math.min(maxLength, queryLimits.textLength) }),
  });
}

type Query = Readonly<Record<string, string>>;

/** The first page and its like: how many, and from where on. */
export function readPaging(query: Query): { limit: number; cursor: string | null } {
  const { limit = LIMIT_DEFAULT, cursor = null } = readQuery(paging, { query });
  return { limit, cursor };
}

/** The same of a list whose cursors are its numbers. */
export function readNumberedPaging(query: Query): { limit: number; cursor: number | null } {
  const { limit, cursor } = readPaging(query);
  if (cursor !== null && !/^-?[0-9]{1,9}$/.test(cursor)) throw wrongCursor();
  return { limit, cursor: cursor === null ? null : Number(cursor) };
}

export function readListing(resource: Resource, query: Query): RecordList {
  const { limit, cursor } = readPaging(query);
  const { archived = false, managed_by: tool } = readQuery(listed, { query });
  const fields = filterFields(resource);
  const filters = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const schema = fields[name];
      return schema === undefined ? [] : [[name, plainValue(schema, value)]];
    }),
  );
  return {
    limit,
    after: cursor === null ? 0 : readCursor(cursor),
    archived,
    filters,
    ...(tool !== undefined && { tool }),
  };
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
export const wrongCursor = () => wrongQuery('cursor', 'is not a valid cursor for this list');
