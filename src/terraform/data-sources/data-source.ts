// What a configuration may look up: declared by what it is found by and what is then known of it.
import type { Fields, Result } from '../../client/answer.ts';
import type { Client, Query } from '../../client/client.ts';
import { listAll } from '../../client/pages.ts';
import { isArchived } from '../../client/records.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { isNotFound } from '../calls/failures.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Type, Value } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';
import type { Connection } from '../session.ts';

export type DataSource = {
  /** `pager_user` */
  readonly typeName: string;
  /** What is looked up. Absent: what its type says. */
  readonly noun?: string;
  readonly doc: string;
  readonly attributes: readonly Attribute[];
  /** Exactly one of these is configured; none where there is nothing to choose from. */
  readonly keys: readonly string[];
  /** What is wrong with what is configured, as far as that is known. */
  readonly problems?: (query: Query, config: Value) => readonly Problem[];
  /** Everything that matches what is configured. */
  find(connection: Connection, query: Query, config: Value): Promise<Result<readonly Fields[]>>;
  /** What its own record does not tell. */
  readonly more?: (connection: Connection, match: Fields) => Promise<Fields>;
  readonly warnings?: (match: Fields) => readonly Diagnostic[];
  /** What helps whoever finds nothing by what is configured. */
  readonly ifNone?: (connection: Connection, query: Query) => Promise<string>;
};

type AttributeOptions = Pick<Attribute, 'name' | 'description'> & { readonly type: Type };

const attribute = (
  { name, description, type }: AttributeOptions,
  set: Attribute['set'],
): Attribute => ({
  name,
  description,
  set,
  isSensitive: false,
  shape: { type },
});

export const computed = (name: string, type: Type, description: string) =>
  attribute({ name, description, type }, 'computed');

export const computedList = (
  name: string,
  description: string,
  attributes: readonly Attribute[],
): Attribute => ({
  name,
  description,
  set: 'computed',
  isSensitive: false,
  shape: { nesting: 'list', attributes },
});

export const required = (name: string, description: string) =>
  attribute({ name, description, type: 'string' }, 'required');

/** What it can be found by. */
export const key = (name: string, description: string) =>
  attribute({ name, description, type: 'string' }, 'fallback');

/** What narrows down what is found. */
export const filter = (name: string, description: string) =>
  attribute({ name, description, type: 'string' }, 'optional');

/** As only the service sets it, with all that is in it. */
export function onlyComputed(declared: Attribute): Attribute {
  const { default: _default, limits: _limits, ...attribute } = declared;
  const { shape } = attribute;
  if ('type' in shape) return { ...attribute, set: 'computed' };
  const attributes = shape.attributes.map(onlyComputed);
  return { ...attribute, set: 'computed', shape: { ...shape, attributes } };
}

/** By the id, else by what the API's list takes. */
export async function findIn(client: Client, path: string, { id, ...filters }: Query) {
  if (id === undefined) return listAll(client, path, filters);
  const answer = await client.send({ method: 'GET', path: `${path}/${encodeURIComponent(id)}` });
  return onlyActive(answer.ok ? { ok: true, value: answer.body } : answer);
}

/** `id, name and counter` */
export const inSentence = (names: readonly string[], last: 'and' | 'or' = 'and') =>
  names.join(', ').replace(/, ([^,]*)$/, ` ${last} $1`);

/** The record that was read, as a list: none if it is archived, or there never was one. */
export function onlyActive<One extends Fields>(read: Result<One>): Result<readonly One[]> {
  if (read.ok) return { ok: true, value: isArchived(read.value) ? [] : [read.value] };
  return isNotFound(read.failure) ? { ok: true, value: [] } : read;
}
