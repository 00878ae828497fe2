// Walks a value beside its declaration, for what a declaration says of texts: references, secrets.
import type { TSchema } from 'typebox';
import { isObject, type Schema, shapeOf } from './validate.ts';

type Leaf = { readonly schema: Schema; readonly value: string; readonly path: string };

/** The value with every text leaf put through `change`; used to find, encrypt and mask. */
export function mapText(schema: TSchema, value: unknown, change: (leaf: Leaf) => string): unknown {
  return mapAt(schema as Schema, value, { path: '', change });
}

type Mapping = { readonly path: string; readonly change: (leaf: Leaf) => string };

function mapAt(schema: Schema, value: unknown, at: Mapping): unknown {
  if (value === null || value === undefined) return value;
  if (schema['x-nullable'] === true)
    return mapAt((schema['anyOf'] as Schema[])[0] as Schema, value, at);
  if (schema['x-variant'] !== undefined && isObject(value)) {
    const shape = shapeOf(schema, value);
    return shape ? mapAt(shape, value, at) : value;
  }
  if (typeof value === 'string') return at.change({ schema, value, path: at.path });
  if (Array.isArray(value)) {
    const item = schema['items'] as Schema;
    return value.map((one, index) => mapAt(item, one, { ...at, path: `${at.path}[${index}]` }));
  }
  const properties = schema['properties'] as Record<string, Schema> | undefined;
  if (!isObject(value) || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const path = at.path === '' ? key : `${at.path}.${key}`;
      return [key, properties[key] ? mapAt(properties[key], one, { ...at, path }) : one];
    }),
  );
}

export type Reference = {
  readonly path: string;
  readonly to: string;
  readonly within: 'team' | 'organization';
  readonly id: string;
};

/** Every reference to another record in the value, with its path. */
export function referencesIn(schema: TSchema, value: unknown): readonly Reference[] {
  const found: Reference[] = [];
  mapText(schema, value, (leaf) => {
    const said = leaf.schema['x-references'] as Pick<Reference, 'to' | 'within'> | undefined;
    if (said) found.push({ ...said, path: leaf.path, id: leaf.value });
    return leaf.value;
  });
  return found;
}

/** The value with its sensitive texts changed (encrypted, decrypted, masked). */
export const mapSensitive = (schema: TSchema, value: unknown, change: (text: string) => string) =>
  mapText(schema, value, (leaf) =>
    leaf.schema['x-sensitive'] === true ? change(leaf.value) : leaf.value,
  );
