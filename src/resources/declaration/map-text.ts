// Walks a value beside its declaration, for what a declaration says of texts: references, secrets.
import type { TSchema } from 'typebox';
import { isSealed, type Sealed } from './sealed.ts';
import { isObject, type Schema, shapeOf } from './validate.ts';

type Leaf<Value> = { readonly schema: Schema; readonly value: Value; readonly path: string };

/** The value with every text leaf put through `change`; used to find and to replace. */
export function mapText(
  schema: TSchema,
  value: unknown,
  change: (leaf: Leaf<string>) => string,
): unknown {
  const mapping = ({ value: text, ...leaf }: Leaf<string | Sealed>) =>
    isSealed(text) ? text : change({ ...leaf, value: text });
  return mapAt(schema as Schema, value, { path: '', change: mapping });
}

type Mapping = {
  readonly path: string;
  readonly change: (leaf: Leaf<string | Sealed>) => string | Sealed;
};

function mapAt(schema: Schema, value: unknown, at: Mapping): unknown {
  if (value === null || value === undefined) return value;
  if (schema['x-nullable'] === true)
    return mapAt((schema['anyOf'] as Schema[])[0] as Schema, value, at);
  if (schema['x-variant'] !== undefined && isObject(value)) {
    const shape = shapeOf(schema, value);
    return shape ? mapAt(shape, value, at) : value;
  }
  if (typeof value === 'string' || (schema['x-sensitive'] === true && isSealed(value)))
    return at.change({ schema, value, path: at.path });
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

type Change = (text: string | Sealed) => string | Sealed;

/** The value with its sensitive texts changed (sealed, opened, masked). */
export const mapSensitive = (schema: TSchema, value: unknown, change: Change) =>
  mapAt(schema as Schema, value, {
    path: '',
    change: (leaf) => (leaf.schema['x-sensitive'] === true ? change(leaf.value) : leaf.value),
  });
