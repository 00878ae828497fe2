// Walks a value beside its declaration, for what a declaration says of texts: references, secrets.
// Nothing is looked at that cannot hold one: a record may have a hundred thousand members.
import type { TSchema } from 'typebox';
import { type Path, pathText } from './path.ts';
import { isSealed, type Sealed } from './sealed.ts';
import { isObject, type Schema } from './validate.ts';

/** How a value leads to the texts that are sought. */
type Ways =
  | { readonly type: 'text'; readonly schema: Schema }
  | { readonly type: 'members'; readonly to: Ways }
  | { readonly type: 'fields'; readonly to: readonly (readonly [string, Ways])[] }
  | { readonly type: 'variant'; readonly by: string; readonly to: ReadonlyMap<unknown, Ways> };

/** Null: it leads to none. Found out once for each schema. */
type WaysOf = (schema: TSchema) => Ways | null;

function waysTo(isSought: (schema: Schema) => boolean): WaysOf {
  const known = new WeakMap<TSchema, Ways | null>();
  const waysOf = (schema: TSchema): Ways | null => {
    let ways = known.get(schema);
    if (ways === undefined) {
      ways = find(schema as Schema);
      known.set(schema, ways);
    }
    return ways;
  };
  function find(schema: Schema): Ways | null {
    const shapes = schema['anyOf'] as readonly Schema[] | undefined;
    if (schema['x-nullable'] === true && shapes?.[0]) return waysOf(shapes[0]);
    const by = schema['x-variant'] as string | undefined;
    if (by !== undefined && shapes) return variant(by, shapes);
    const properties = schema['properties'] as Record<string, Schema> | undefined;
    if (properties !== undefined) return fields(properties);
    const item = schema['items'] as Schema | undefined;
    if (item === undefined) return isSought(schema) ? { type: 'text', schema } : null;
    const to = waysOf(item);
    return to && { type: 'members', to };
  }
  function fields(properties: Record<string, Schema>): Ways | null {
    const to = Object.entries(properties).flatMap(([name, property]) => {
      const ways = waysOf(property);
      return ways ? [[name, ways] as const] : [];
    });
    return to.length > 0 ? { type: 'fields', to } : null;
  }
  function variant(by: string, shapes: readonly Schema[]): Ways | null {
    const to = shapes.flatMap((shape) => {
      const ways = waysOf(shape);
      const { [by]: told } = shape['properties'] as Record<string, Schema>;
      return ways ? [[told?.['const'], ways] as const] : [];
    });
    return to.length > 0 ? { type: 'variant', by, to: new Map(to) } : null;
  }
  return waysOf;
}

const toTexts = waysTo(() => true);
const toSecrets = waysTo((schema) => schema['x-sensitive'] === true);
const toReferences = waysTo((schema) => schema['x-references'] !== undefined);

/** A text, where the walk is now. */
class Leaf<Value> {
  readonly schema: Schema;
  readonly value: Value;
  readonly #at: Path;

  constructor(schema: Schema, value: Value, at: Path) {
    this.schema = schema;
    this.value = value;
    this.#at = at;
  }

  /** Asked for before the walk goes on. */
  get path(): string {
    return pathText(this.#at);
  }
}

type Walk = {
  readonly path: Path;
  readonly change: (leaf: Leaf<string | Sealed>) => string | Sealed;
};

function mapAt(ways: Ways, value: unknown, walk: Walk): unknown {
  switch (ways.type) {
    case 'text': {
      const { schema } = ways;
      // A body may name a record by its counter, which is a number there.
      if (typeof value === 'number' && schema['x-references'] !== undefined) {
        const changed = walk.change(new Leaf(schema, String(value), walk.path));
        return changed === String(value) ? value : changed;
      }
      const isText = typeof value === 'string' || (schema['x-sensitive'] && isSealed(value));
      return isText ? walk.change(new Leaf(schema, value as string | Sealed, walk.path)) : value;
    }
    case 'members':
      return Array.isArray(value) ? mapMembers(ways.to, value, walk) : value;
    case 'fields':
      return isObject(value) ? mapFields(ways.to, value, walk) : value;
    case 'variant': {
      const own = isObject(value) ? ways.to.get(value[ways.by]) : undefined;
      return own ? mapAt(own, value, walk) : value;
    }
  }
}

function mapMembers(ways: Ways, members: readonly unknown[], walk: Walk): readonly unknown[] {
  let mapped: unknown[] | undefined;
  // What could not be read left a hole in the list, and leaves it here.
  members.forEach((one, index) => {
    walk.path.push(index);
    const changed = mapAt(ways, one, walk);
    walk.path.pop();
    if (changed === one) return;
    mapped ??= [...members];
    mapped[index] = changed;
  });
  return mapped ?? members;
}

type Fields = Readonly<Record<string, unknown>>;

function mapFields(ways: readonly (readonly [string, Ways])[], fields: Fields, walk: Walk): Fields {
  let mapped: Record<string, unknown> | undefined;
  for (const [key, to] of ways) {
    const one = fields[key];
    if (one === undefined || one === null) continue;
    walk.path.push(key);
    const changed = mapAt(to, one, walk);
    walk.path.pop();
    if (changed === one) continue;
    mapped ??= { ...fields };
    mapped[key] = changed;
  }
  return mapped ?? fields;
}

function map(ways: Ways | null, value: unknown, change: Walk['change']): unknown {
  return ways === null ? value : mapAt(ways, value, { path: [], change });
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
  return map(toTexts(schema), value, (leaf) => (isText(leaf) ? change(leaf) : leaf.value));
}

export type Reference = {
  readonly to: string;
  readonly within: 'team' | 'organization';
  readonly id: string;
};

/** Tells every reference to another record in the value, and where it stands. */
export function eachReference(
  schema: TSchema,
  value: unknown,
  tell: (reference: Reference, leaf: Pick<Leaf<string>, 'path'>) => void,
): void {
  map(toReferences(schema), value, (leaf) => {
    const { to, within } = leaf.schema['x-references'] as Omit<Reference, 'id'>;
    if (!isSealed(leaf.value)) tell({ to, within, id: leaf.value }, leaf);
    return leaf.value;
  });
}

/** The value with every reference in it put through `change`. */
export const mapReferences = (
  schema: TSchema,
  value: unknown,
  change: (reference: Reference, leaf: Pick<Leaf<string>, 'path'>) => string,
): unknown =>
  map(toReferences(schema), value, (leaf) => {
    const { to, within } = leaf.schema['x-references'] as Omit<Reference, 'id'>;
    return isSealed(leaf.value) ? leaf.value : change({ to, within, id: leaf.value }, leaf);
  });

/** All of them, in their order. */
export function referencesIn(
  schema: TSchema,
  value: unknown,
): readonly (Reference & { readonly path: string })[] {
  const found: (Reference & { readonly path: string })[] = [];
  eachReference(schema, value, (reference, { path }) => found.push({ ...reference, path }));
  return found;
}

type Change = (text: string | Sealed) => string | Sealed;

/** The value with its sensitive texts changed (sealed, opened, masked). */
export const mapSensitive = (schema: TSchema, value: unknown, change: Change) =>
  map(toSecrets(schema), value, (leaf) => change(leaf.value));
