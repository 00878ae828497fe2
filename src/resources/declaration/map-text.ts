// Walks a value beside its declaration, for what a declaration says of texts: references, secrets.
import type { TSchema } from 'typebox';
import { inField, inMember, type Path, pathText } from './path.ts';
import { isSealed, type Sealed } from './sealed.ts';
import { isObject, type Schema, shapeOf } from './validate.ts';

class Leaf<Value> {
  readonly schema: Schema;
  readonly value: Value;
  readonly at: Path;

  constructor(schema: Schema, value: Value, at: Path) {
    this.schema = schema;
    this.value = value;
    this.at = at;
  }

  get path(): string {
    return pathText(this.at);
  }
}

/**
 * The value with every text leaf put through `change`; used to find and to replace. Where nothing
 * is replaced, it is the same value.
 */
export function mapText(
  schema: TSchema,
  value: unknown,
  change: (leaf: Leaf<string>) => string,
): unknown {
  const isText = (leaf: Leaf<string | Sealed>): leaf is Leaf<string> => !isSealed(leaf.value);
  return mapAt(schema as Schema, value, {
    path: null,
    change: (leaf) => (isText(leaf) ? change(leaf) : leaf.value),
  });
}

type Mapping = {
  readonly path: Path;
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
    return at.change(new Leaf(schema, value, at.path));
  if (Array.isArray(value)) return mapMembers(schema['items'] as Schema, value, at);
  const properties = schema['properties'] as Record<string, Schema> | undefined;
  return isObject(value) && properties !== undefined ? mapFields(properties, value, at) : value;
}

function mapMembers(item: Schema, members: readonly unknown[], { path, change }: Mapping) {
  const mapped = members.map((one, index) =>
    mapAt(item, one, { path: inMember(path, index), change }),
  );
  return mapped.some((one, index) => one !== members[index]) ? mapped : members;
}

type Fields = Readonly<Record<string, unknown>>;

function mapFields(properties: Record<string, Schema>, fields: Fields, { path, change }: Mapping) {
  let mapped: Record<string, unknown> | undefined;
  for (const [key, one] of Object.entries(fields)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property === undefined) continue;
    const changed = mapAt(property, one, { path: inField(path, key), change });
    if (changed === one) continue;
    mapped ??= { ...fields };
    mapped[key] = changed;
  }
  return mapped ?? fields;
}

export type Reference = {
  readonly at: Path;
  readonly to: string;
  readonly within: 'team' | 'organization';
  readonly id: string;
};

/** Every reference to another record in the value, and where it stands. */
export function referencesIn(schema: TSchema, value: unknown): readonly Reference[] {
  const found: Reference[] = [];
  mapText(schema, value, (leaf) => {
    const said = leaf.schema['x-references'] as Pick<Reference, 'to' | 'within'> | undefined;
    if (said) found.push({ to: said.to, within: said.within, id: leaf.value, at: leaf.at });
    return leaf.value;
  });
  return found;
}

type Change = (text: string | Sealed) => string | Sealed;

/** The value with its sensitive texts changed (sealed, opened, masked). */
export const mapSensitive = (schema: TSchema, value: unknown, change: Change) =>
  mapAt(schema as Schema, value, {
    path: null,
    change: (leaf) => (leaf.schema['x-sensitive'] === true ? change(leaf.value) : leaf.value),
  });
