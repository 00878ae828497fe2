// What a configuration may look up: declared by what it is found by and what is then known of it.
import type { Fields, Result } from '../../client/answer.ts';
import type { Query } from '../../client/client.ts';
import { isArchived } from '../../client/records.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { isNotFound } from '../calls/failures.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Type } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';
import type { Connection } from '../session.ts';

export type DataSource = {
  /** `pager_user` */
  readonly typeName: string;
  readonly doc: string;
  readonly attributes: readonly Attribute[];
  /** Exactly one of these is configured; none where there is nothing to choose from. */
  readonly keys: readonly string[];
  /** What is wrong with what is configured, as far as that is known. */
  readonly problems?: (query: Query) => readonly Problem[];
  /** Everything that matches what is configured. */
  find(connection: Connection, query: Query): Promise<Result<readonly Fields[]>>;
  /** What its own record does not tell. */
  readonly more?: (connection: Connection, match: Fields) => Promise<Fields>;
  readonly warnings?: (match: Fields) => readonly Diagnostic[];
};

type AttributeOptions = Pick<Attribute, 'name' | 'description'> & { readonly type: Type };

const attribute = (
  { name, description, type }: AttributeOptions,
  set: Attribute['set'],
): Attribute => ({
  ...{ name, description, set },
  isSensitive: false,
  shape: { type },
});

export const computed = (name: string, type: Type, description: string) =>
  attribute({ name, description, type }, 'computed');

export const required = (name: string, description: string) =>
  attribute({ name, description, type: 'string' }, 'required');

/** What it can be found by. */
export const key = (name: string, description: string) =>
  attribute({ name, description, type: 'string' }, 'fallback');

/** The record that was read, as a list: none if it is archived, or there never was one. */
export function onlyActive<One extends Fields>(read: Result<One>): Result<readonly One[]> {
  if (read.ok) return { ok: true, value: isArchived(read.value) ? [] : [read.value] };
  return isNotFound(read.failure) ? { ok: true, value: [] } : read;
}
