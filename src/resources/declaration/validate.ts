// Reads a value from outside against a declaration: every problem at once, each at its path.
// The schemas are those of field.ts; a keyword that is not used there is not looked at here.
import type { TSchema } from 'typebox';
import { type Path, pathText } from './path.ts';
import { readablePart } from './readable.ts';
import { PROBLEMS_MAX, type Problem } from './resource.ts';
import { isTimeZone } from './time-zone.ts';

export type Schema = TSchema & Record<string, unknown>;
type Fields = Readonly<Record<string, unknown>>;
type Walk = {
  readonly path: Path;
  readonly problems: Problem[];
  readonly asRead: ReadonlySet<unknown>;
};

export type Read =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** Without what has a problem in it: fields are absent, members of lists are holes. */
      readonly readable: Record<string, unknown>;
    };

type Reading = {
  /** Skipped at the top if the schema does not have them: what a client read and sends back. */
  readonly ignored?: readonly string[];
  /** Lists that were read by this schema before: they are not looked into. */
  readonly asRead?: ReadonlySet<unknown>;
};

const none: ReadonlySet<unknown> = new Set();

/** The value as the service keeps it: null fields left out, defaults filled in, all else untouched. */
export function readObject(
  schema: TSchema,
  sent: unknown,
  { ignored = [], asRead = none }: Reading = {},
): Read {
  const problems: Problem[] = [];
  const fields = (schema as Schema)['properties'] ?? {};
  const isSkipped = (name: string) => ignored.includes(name) && !Object.hasOwn(fields, name);
  // Seldom, and one with a hundred thousand names would be copied for nothing.
  const isCut = isObject(sent) && ignored.some((name) => name in sent && isSkipped(name));
  const kept = isCut
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => !isSkipped(name)))
    : sent;
  const value = read(schema as Schema, kept, { path: [], problems, asRead });
  if (problems.length === 0 && isObject(value)) return { ok: true, value };
  return { ok: false, problems, readable: readablePart(value, problems) };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function read(schema: Schema, value: unknown, at: Walk): unknown {
  if (at.problems.length >= PROBLEMS_MAX) return undefined;
  if (schema['x-variant'] !== undefined) return readVariant(schema, value, at);
  if (schema['x-nullable'] === true)
    return value === null ? null : read((schema['anyOf'] as Schema[])[0] as Schema, value, at);
  switch (schema['type']) {
    case 'string':
      return readText(schema, value, at);
    case 'integer':
      return readInteger(schema, value, at);
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong(at, 'must be true or false');
    case 'array':
      return readList(schema, value, at);
    case 'object':
      return schema['properties'] ? readFields(schema, value, at) : readMap(schema, value, at);
    default:
      return value;
  }
}

function wrong(at: Walk, message: string): undefined {
  at.problems.push({ path: pathText(at.path), message });
  return undefined;
}

function readText(schema: Schema, value: unknown, at: Walk): unknown {
  if (typeof value !== 'string') return wrong(at, 'must be text');
  const choices = schema['enum'] as readonly string[] | undefined;
  if (choices) {
    const others = schema['x-others'] === undefined ? '' : `: ${schema['x-others']}`;
    if (choices.includes(value)) return value;
    return wrong(at, `must be one of ${choices.join(', ')}${others}`);
  }
  if ('const' in schema)
    return value === schema['const'] ? value : wrong(at, `must be ${schema['const']}`);
  const unfit = textProblem(schema, value);
  return unfit === undefined ? value : wrong(at, unfit);
}

function textProblem(schema: Schema, value: string): string | undefined {
  const { minLength = 0, maxLength = Infinity } = schema as {
    minLength?: number;
    maxLength?: number;
  };
  // Counted in code points, as JSON Schema and PostgreSQL count.
  const length = value.length > maxLength || minLength > 0 ? [...value].length : value.length;
  if (!isStorable(value)) return 'must be well-formed Unicode without NUL characters';
  if (length < minLength)
    return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters, has ${length}`;
  const format = schema['format'] as keyof typeof formats | undefined;
  if (format !== undefined && !formats[format].holds(value)) return formats[format].says;
  const pattern = schema['pattern'] as string | undefined;
  if (pattern === undefined || compiled(pattern).test(value)) return undefined;
  return patternSays(pattern);
}

const patterns = new Map<string, RegExp>();

/** There are as many as the declarations have. */
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(pattern, 'u');
  patterns.set(pattern, made);
  return made;
}

const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0');

function patternSays(pattern: string): string {
  if (pattern.includes('{24}')) return 'must be an id: 24 lowercase hex characters';
  if (pattern.includes('2[0-3]')) return 'must be a time of day, HH:MM';
  if (pattern.startsWith('^\\+')) return 'must be a number such as +4930123456';
  if (pattern.startsWith('^[12]')) return 'must be within the years 1000 to 2999';
  return `must match ${pattern}`;
}

const formats = {
  uri: {
    // The Terraform provider's Node 20 has no URL.parse.
    holds: (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    says: 'must be an http or https address',
  },
  email: {
    holds: (value: string) => /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(value),
    says: 'must be an e-mail address',
  },
  'time-zone': { holds: isTimeZone, says: 'must be an IANA time zone such as Europe/Berlin' },
  'date-time': {
    holds: isInstant,
    says: 'must be an ISO 8601 time with its offset, such as 2026-01-31T09:00:00Z',
  },
};

/** Of the years that are written with four digits, in UTC: others are not stored. */
function isInstant(value: string): boolean {
  try {
    return /^\d/.test(Temporal.Instant.from(value).toString());
  } catch {
    return false;
  }
}

function readInteger(schema: Schema, value: unknown, at: Walk): unknown {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    return wrong(at, 'must be a whole number');
  if (minimum !== undefined && value < minimum) return wrong(at, `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) return wrong(at, `must be at most ${maximum}`);
  return value;
}

function readList(schema: Schema, value: unknown, at: Walk): unknown {
  if (!Array.isArray(value)) return wrong(at, 'must be a list');
  if (at.asRead.has(value)) return value;
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  if (value.length < minItems)
    return wrong(
      at,
      minItems === 1 ? 'must not be empty' : `must have at least ${minItems} members`,
    );
  if (value.length > maxItems)
    return wrong(at, `must have at most ${maxItems} members, has ${value.length}`);
  const item = schema['items'] as Schema;
  const isNullable = item['x-nullable'] === true;
  return value.map((one, index) => {
    at.path.push(index);
    const kept = one === null && !isNullable ? wrong(at, 'must not be null') : read(item, one, at);
    at.path.pop();
    return kept;
  });
}

function readMap(schema: Schema, value: unknown, at: Walk): unknown {
  if (!isObject(value)) return wrong(at, 'must be an object');
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  const { maxProperties = Infinity } = schema as { maxProperties?: number };
  if (entries.length > maxProperties)
    return wrong(at, `must have at most ${maxProperties} members, has ${entries.length}`);
  const item = Object.values(schema['patternProperties'] as Record<string, Schema>)[0] as Schema;
  return Object.fromEntries(
    entries.map(([name, one]) => {
      at.path.push({ name });
      if (!isStorable(name)) wrong(at, 'must have a well-formed name without NUL characters');
      const kept = read(item, one, at);
      at.path.pop();
      return [name, kept];
    }),
  );
}

function readFields(schema: Schema, value: unknown, at: Walk): unknown {
  if (!isObject(value)) return wrong(at, 'must be an object');
  const properties = schema['properties'] as Record<string, Schema>;
  // Only names that are declared: none of them is special to an object.
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (at.problems.length >= PROBLEMS_MAX) break;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const one = value[key];
    at.path.push(key);
    if (property === undefined) wrong(at, 'is not a field here');
    else if (one !== null) kept[key] = read(property, one, at);
    at.path.pop();
  }
  for (const [key, absent] of absentIn(schema)) {
    if (Object.hasOwn(value, key) && value[key] !== null) continue;
    if (!absent.isRequired) kept[key] = absent.value;
    else wrongField(key, at, 'is required');
  }
  return kept;
}

function wrongField(key: string, at: Walk, message: string): undefined {
  at.path.push(key);
  wrong(at, message);
  at.path.pop();
  return undefined;
}

type Absent = { readonly isRequired: boolean; readonly value: unknown };

const absents = new WeakMap<Schema, readonly (readonly [string, Absent])[]>();

/** What it means that a field is absent, where that means anything. */
function absentIn(schema: Schema): readonly (readonly [string, Absent])[] {
  const known = absents.get(schema);
  if (known !== undefined) return known;
  const required = (schema['required'] ?? []) as readonly string[];
  const found = Object.entries(schema['properties'] as Record<string, Schema>).flatMap(
    ([key, property]) => {
      const isRequired = required.includes(key);
      if (!isRequired && !('default' in property)) return [];
      return [[key, { isRequired, value: property['default'] }] as const];
    },
  );
  absents.set(schema, found);
  return found;
}

function readVariant(schema: Schema, value: unknown, at: Walk): unknown {
  if (!isObject(value)) return wrong(at, 'must be an object');
  const by = schema['x-variant'] as string;
  const shape = shapeOf(schema, value);
  if (shape) return readFields(shape, withoutNullsOf(schema, value), at);
  const known = (schema['anyOf'] as Schema[]).map((one) => constOf(one, by));
  const isSaid = value[by] !== undefined && value[by] !== null;
  return wrongField(by, at, isSaid ? `must be one of ${known.join(', ')}` : 'is required');
}

/** Null is absence, in the fields of its other variants too. */
function withoutNullsOf(schema: Schema, value: Fields): Fields {
  const isDeclared = (key: string) =>
    (schema['anyOf'] as Schema[]).some((shape) =>
      Object.hasOwn(shape['properties'] as Fields, key),
    );
  return Object.fromEntries(
    Object.entries(value).filter(([key, one]) => one !== null || !isDeclared(key)),
  );
}

const constOf = (shape: Schema, by: string) =>
  ((shape['properties'] as Record<string, Schema>)[by] as Schema)['const'];

/** Of a union, the shape that the value’s discriminator names. */
function shapeOf(schema: Schema, value: Fields): Schema | undefined {
  const by = schema['x-variant'] as string;
  return (schema['anyOf'] as Schema[]).find((one) => constOf(one, by) === value[by]);
}
