// Finds and replaces references and secrets in a value, by its declaration. The walk skips what can
// hold none: a record may have a hundred thousand members.
import type { TSchema } from 'typebox';
import { isSealed, type Sealed } from './field.ts';
import { isObject } from './is-object.ts';
import { type Path, pathText, type Schema } from './validate.ts';

/** Which parts of a value lead to the wanted texts. */
type WalkPlan =
  | { readonly type: 'text'; readonly schema: Schema }
  | { readonly type: 'members'; readonly to: WalkPlan }
  /** Of an object whose names are anybody's choice. */
  | { readonly type: 'values'; readonly to: WalkPlan }
  | { readonly type: 'fields'; readonly to: readonly (readonly [string, WalkPlan])[] }
  | { readonly type: 'variant'; readonly by: string; readonly to: ReadonlyMap<unknown, WalkPlan> };

/** Null: the schema has none. Computed once for each schema. */
type PlanOf = (schema: TSchema) => WalkPlan | null;

function planTo(isWanted: (schema: Schema) => boolean): PlanOf {
  const known = new WeakMap<TSchema, WalkPlan | null>();
  const planOf = (schema: TSchema): WalkPlan | null => {
    let plan = known.get(schema);
    if (plan === undefined) {
      plan = find(schema as Schema);
      known.set(schema, plan);
    }
    return plan;
  };
  function find(schema: Schema): WalkPlan | null {
    const shapes = schema['anyOf'] as readonly Schema[] | undefined;
    if (schema['x-nullable'] === true && shapes?.[0]) return planOf(shapes[0]);
    const by = schema['x-variant'] as string | undefined;
    if (by !== undefined && shapes) return variant(by, shapes);
    const properties = schema['properties'] as Record<string, Schema> | undefined;
    if (properties !== undefined) return fields(properties);
    const [value] = Object.values((schema['patternProperties'] ?? {}) as Record<string, Schema>);
    if (value !== undefined) {
      const to = planOf(value);
      return to && { type: 'values', to };
    }
    const item = schema['items'] as Schema | undefined;
    if (item === undefined) return isWanted(schema) ? { type: 'text', schema } : null;
    const to = planOf(item);
    return to && { type: 'members', to };
  }
  function fields(properties: Record<string, Schema>): WalkPlan | null {
    const to = Object.entries(properties).flatMap(([name, property]) => {
      const plan = planOf(property);
      return plan ? [[name, plan] as const] : [];
    });
    return to.length > 0 ? { type: 'fields', to } : null;
  }
  function variant(by: string, shapes: readonly Schema[]): WalkPlan | null {
    const to = shapes.flatMap((shape) => {
      const plan = planOf(shape);
      const { [by]: discriminator } = shape['properties'] as Record<string, Schema>;
      return plan ? [[discriminator?.['const'], plan] as const] : [];
    });
    return to.length > 0 ? { type: 'variant', by, to: new Map(to) } : null;
  }
  return planOf;
}

/** Whether readers without the right to secrets get a mask in its place. */
export function isMaskedText(schema: object): boolean {
  return 'x-sensitive' in schema || 'x-masked' in schema;
}

const toTexts = planTo(() => true);
const toSecrets = planTo((schema) => schema['x-sensitive'] === true);
/** Of these, some are stored plain. */
const toMasked = planTo(isMaskedText);
const toReferences = planTo((schema) => schema['x-references'] !== undefined);

/** The text that the walk has reached. */
class Leaf<Value> {
  readonly schema: Schema;
  readonly value: Value;
  readonly #at: Path;

  constructor(schema: Schema, value: Value, at: Path) {
    this.schema = schema;
    this.value = value;
    this.#at = at;
  }

  /** To be read before the walk continues. */
  get path(): string {
    return pathText(this.#at);
  }
}

type Walk = {
  readonly path: Path;
  readonly change: (leaf: Leaf<string | Sealed>) => string | Sealed;
};

function mapAt(plan: WalkPlan, value: unknown, walk: Walk): unknown {
  switch (plan.type) {
    case 'text': {
      const { schema } = plan;
      // A body may name a record by its counter, which is a number there.
      if (typeof value === 'number' && schema['x-references'] !== undefined) {
        const changed = walk.change(new Leaf(schema, String(value), walk.path));
        return changed === String(value) ? value : changed;
      }
      const isText = typeof value === 'string' || (schema['x-sensitive'] && isSealed(value));
      return isText ? walk.change(new Leaf(schema, value as string | Sealed, walk.path)) : value;
    }
    case 'members':
      return Array.isArray(value) ? mapMembers(plan.to, value, walk) : value;
    case 'fields':
      return isObject(value) ? mapFields(plan.to, value, walk) : value;
    case 'values':
      return isObject(value) ? mapValues(plan.to, value, walk) : value;
    case 'variant': {
      const own = isObject(value) ? plan.to.get(value[plan.by]) : undefined;
      return own ? mapAt(own, value, walk) : value;
    }
  }
}

function mapMembers(plan: WalkPlan, members: readonly unknown[], walk: Walk): readonly unknown[] {
  let mapped: unknown[] | undefined;
  // A member that could not be read is a hole in the list, which stays.
  members.forEach((one, index) => {
    walk.path.push(index);
    const changed = mapAt(plan, one, walk);
    walk.path.pop();
    if (changed === one) return;
    mapped ??= [...members];
    mapped[index] = changed;
  });
  return mapped ?? members;
}

type JsonObject = Readonly<Record<string, unknown>>;

function mapFields(
  plan: readonly (readonly [string, WalkPlan])[],
  fields: JsonObject,
  walk: Walk,
): JsonObject {
  let mapped: Record<string, unknown> | undefined;
  for (const [key, to] of plan) {
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

function mapValues(plan: WalkPlan, values: JsonObject, walk: Walk): JsonObject {
  const mapped = Object.entries(values).map(([name, one]) => {
    walk.path.push({ name });
    const changed = mapAt(plan, one, walk);
    walk.path.pop();
    return [name, changed] as const;
  });
  return mapped.some(([name, one]) => one !== values[name]) ? Object.fromEntries(mapped) : values;
}

function map(plan: WalkPlan | null, value: unknown, change: Walk['change']): unknown {
  return plan === null ? value : mapAt(plan, value, { path: [], change });
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

/** Visits every reference to another record in the value, with its path. */
export function eachReference(
  schema: TSchema,
  value: unknown,
  visit: (reference: Reference, leaf: Pick<Leaf<string>, 'path'>) => void,
): void {
  map(toReferences(schema), value, (leaf) => {
    const { to, within } = leaf.schema['x-references'] as Omit<Reference, 'id'>;
    if (!isSealed(leaf.value)) visit({ to, within, id: leaf.value }, leaf);
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
  const references: (Reference & { readonly path: string })[] = [];
  eachReference(schema, value, (reference, { path }) => references.push({ ...reference, path }));
  return references;
}

type Change = (text: string | Sealed) => string | Sealed;

/** The value with its sensitive texts changed (sealed, opened, masked). */
export const mapSensitive = (schema: TSchema, value: unknown, change: Change) =>
  map(toSecrets(schema), value, (leaf) => change(leaf.value));

/** Stands where a secret would be, for readers who may not have it. */
export const MASK = '•••';

/** The value without its secrets. */
export const masked = (schema: TSchema, value: unknown) => map(toMasked(schema), value, () => MASK);
