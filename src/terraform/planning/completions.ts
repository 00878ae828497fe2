// Values in place of what is unknown, so that what needs a whole record can look at it.
import type { TSchema } from 'typebox';
import { objectOf } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { fieldOf, isList, isObject } from '../convert.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import type { Field, Fields } from '../schema.ts';

export type Completion = {
  readonly value: Value;
  /** The paths at which it is made up. */
  readonly guessed: readonly string[];
};

/** As many as it takes until each unknown has been whatever could matter to a rule. */
export function* completions(schema: TSchema, config: Value): Generator<Completion> {
  const { most, ...first } = completion(schema, config, 0);
  yield first;
  for (let trial = 1; trial < most; trial += 1) yield completion(schema, config, trial);
}

function completion(schema: TSchema, config: Value, trial: number) {
  const walk: Walk = { trial, guessed: [], most: 1 };
  const value = complete(config, { schema: schema as Field, isRequired: true, path: '' }, walk);
  return { value, guessed: walk.guessed, most: walk.most };
}

type Walk = { readonly trial: number; readonly guessed: string[]; most: number };
type FieldContext = {
  /** None for a field that does not belong here. */
  readonly schema: Field | undefined;
  readonly isRequired: boolean;
  readonly path: string;
};

function complete(value: Value, context: FieldContext, walk: Walk): Value {
  const { schema, path } = context;
  if (value instanceof Unknown || isUndecided(schema, value)) {
    const guesses = guessesAt(context);
    walk.guessed.push(path);
    walk.most = Math.max(walk.most, guesses.length);
    return guesses[walk.trial % guesses.length] ?? null;
  }
  if (isList(value)) {
    const item = { schema: schema?.['items'] as Field | undefined, isRequired: true };
    return value.map((one, index) => complete(one, { ...item, path: `${path}[${index}]` }, walk));
  }
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([name, one]): [string, Value] => [
    name,
    complete(one, contextOf(name, context, value), walk),
  ]);
  return Object.fromEntries(inner);
}

/** What kind of object it is, and so which fields it has, is unknown. */
const isUndecided = (schema: Field | undefined, value: Value): boolean =>
  schema?.['x-variant'] !== undefined &&
  fieldOf(value, String(schema['x-variant'])) instanceof Unknown;

function contextOf(name: string, { schema, path }: FieldContext, within: Value): FieldContext {
  const shape = schema?.['x-variant'] === undefined ? schema : memberOf(schema, within);
  const [member] = Object.values((shape?.['patternProperties'] ?? {}) as Fields);
  if (member)
    return { schema: member, isRequired: false, path: `${path}[${JSON.stringify(name)}]` };
  return {
    schema: (shape?.['properties'] as Fields | undefined)?.[name],
    isRequired: requiredIn(shape).includes(name),
    path: path === '' ? name : `${path}.${name}`,
  };
}

function memberOf(schema: Field, value: Value): Field | undefined {
  const by = String(schema['x-variant']);
  const members = schema['anyOf'] as readonly Field[];
  return members.find((one) => (one['properties'] as Fields)[by]?.['const'] === fieldOf(value, by));
}

const requiredIn = (shape: Field | undefined) => (shape?.['required'] ?? []) as readonly string[];

function guessesAt({ schema, isRequired }: FieldContext): readonly Value[] {
  if (schema === undefined) return [null];
  const fit = fits.get(schema) ?? fitting(schema);
  fits.set(schema, fit);
  return isRequired ? fit : [null, ...fit];
}

// Found once for each field: a configuration may leave it open thousands of times.
const fits = new WeakMap<Field, readonly Value[]>();

/** Values of the right shape: all choices, the ends of numbers and of times, else any one. */
function fitting(schema: Field): readonly Value[] {
  if (schema['x-variant'] !== undefined) return fitting((schema['anyOf'] as [Field])[0]);
  if ('const' in schema) return [schema['const'] as string];
  if ('enum' in schema) return schema['enum'] as readonly string[];
  switch (schema['type']) {
    case 'string':
      return fittingTexts(schema);
    case 'integer':
      return [schema['minimum'] as number, schema['maximum'] as number];
    case 'boolean':
      return [false, true];
    case 'array':
      return [fitting(schema['items'] as Field).slice(0, 1)];
    default:
      return [fittingObject(schema)];
  }
}

const texts = ['x', '0'.repeat(24), '00:00', 'https://example.com', 'a@example.com', 'title'];
/** So far apart that no rule about two times holds for both. */
const times = ['1000', '1970', '2199', '2999'].map((year) => `${year}-12-31T00:00:00Z`);

function fittingTexts(schema: Field): readonly string[] {
  const form = objectOf({ text: schema });
  const isFitting = (text: string) => readObject(form, { text }).ok;
  const matches =
    schema['format'] === 'date-time'
      ? times.filter(isFitting)
      : texts.filter(isFitting).slice(0, 1);
  if (matches.length === 0) throw new Error(`no text fits ${JSON.stringify(schema)}`);
  return matches;
}

function fittingObject(schema: Field): Value {
  const fields = Object.entries((schema['properties'] ?? {}) as Fields);
  const required = fields.filter(([name]) => requiredIn(schema).includes(name));
  return Object.fromEntries(required.map(([name, field]) => [name, fitting(field)[0] ?? null]));
}
