// Reads a value from outside against a declaration: every problem at once, each at its path.
// The schemas are those of field.ts; keywords that it does not use are ignored here.
import type { TSchema } from 'typebox';
import { millisecondsOf } from './instant-text.ts';
import { isObject } from './is-object.ts';
import { readablePart } from './readable-part.ts';
import { PROBLEMS_MAX, type Problem } from './resource.ts';
import { isTimeZone } from './time-zone.ts';

export const requiredMessage = 'is required';
export const notAnId = 'must be an id: 24 lowercase hex characters';

export type Schema = TSchema & Record<string, unknown>;
type JsonObject = Readonly<Record<string, unknown>>;
type ReadPosition = {
  readonly path: Path;
  readonly problems: Problem[];
  readonly asRead: ReadonlySet<unknown>;
};

export type ReadResult =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** Without what has a problem in it: fields are absent, members of lists are holes. */
      readonly readable: Record<string, unknown>;
    };

type ReadOptions = {
  /** Skipped at the top if the schema does not have them: what a client read and sends back. */
  readonly ignored?: readonly string[];
  /** Lists that were read by this schema before: they are not read again. */
  readonly asRead?: ReadonlySet<unknown>;
};

const none: ReadonlySet<unknown> = new Set();

/** The value as the service stores it: without null fields, with defaults, otherwise unchanged. */
export function readObject(
  schema: TSchema,
  sent: unknown,
  { ignored = [], asRead = none }: ReadOptions = {},
): ReadResult {
  const problems: Problem[] = [];
  const fields = (schema as Schema)['properties'] ?? {};
  const isSkipped = (name: string) => ignored.includes(name) && !Object.hasOwn(fields, name);
  // Copied only if needed: an object may have a hundred thousand fields.
  const isCut = isObject(sent) && ignored.some((name) => name in sent && isSkipped(name));
  const result = isCut
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => !isSkipped(name)))
    : sent;
  const value = read(schema as Schema, result, { path: [], problems, asRead });
  if (problems.length === 0 && isObject(value)) return { ok: true, value };
  return { ok: false, problems, readable: readablePart(value, problems) };
}

function read(schema: Schema, value: unknown, at: ReadPosition): unknown {
  if (at.problems.length >= PROBLEMS_MAX) return undefined;
  if (schema['x-variant'] !== undefined) return readVariant(schema, value, at);
  if (schema['x-nullable'] === true)
    return value === null ? null : read((schema['anyOf'] as Schema[])[0] as Schema, value, at);
  if (Array.isArray(schema['type'])) return readAnyOf(schema['type'], value, at);
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

/** An object of which no more is said here, or a text in its place. */
function readAnyOf(types: readonly string[], value: unknown, at: ReadPosition): unknown {
  const takesText = types.includes('string');
  if (isObject(value) || (takesText && typeof value === 'string')) return value;
  return wrong(at, takesText ? 'must be text or an object' : 'must be an object');
}

function wrong(at: ReadPosition, message: string): undefined {
  at.problems.push({ path: pathText(at.path), message });
  return undefined;
}

function readText(schema: Schema, value: unknown, at: ReadPosition): unknown {
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
  if (!isStorable(value)) return 'must be valid Unicode without NUL characters';
  if (length < minLength)
    return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters (it has ${length})`;
  const format = schema['format'] as keyof typeof formats | undefined;
  if (format !== undefined && !formats[format].accepts(value)) return formats[format].message;
  const pattern = schema['pattern'] as string | undefined;
  if (pattern === undefined || compiled(pattern).test(value)) return undefined;
  const example = schema['x-example'];
  return example === undefined ? patternMessage(pattern) : `must look like ${example}`;
}

const patterns = new Map<string, RegExp>();

/** Bounded: there are as many as the declarations have. */
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(pattern, 'u');
  patterns.set(pattern, made);
  return made;
}

/** Of every text: the document of the API cannot say more of `isStorable`. */
export const textPattern = '^[^\\x00]*$';

/** What texts of a format look like, as far as a pattern can say it. */
export const formatPatterns = {
  uri: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\x00]+$',
  email: '^[^\\s@<>,;:"\\x00]+@[^\\s@<>,;:"\\x00]+$',
  'date-time':
    '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})$',
};

const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0');

/** Of times for which shifts are computed. */
export const YEARS_COMPUTED = '^(?:19[7-9]|2[01][0-9])[0-9]-';

function patternMessage(pattern: string): string {
  if (pattern.includes('{24}')) return notAnId;
  if (pattern.includes('2[0-3]')) return 'must be a time of day, HH:MM';
  if (pattern.startsWith('^\\+')) return 'must be a phone number such as +4930123456';
  if (pattern === YEARS_COMPUTED) return 'must be between the years 1970 and 2199';
  if (pattern.startsWith('^[12]')) return 'must be between the years 1000 and 2999';
  if (pattern.includes(':[A-Za-z0-9_-]')) return 'must be a token such as 123456789:AAE…';
  if (pattern.startsWith('[^\\s')) return 'must contain a visible character';
  if (pattern.startsWith('^[!-~]')) return 'must be printable ASCII characters without spaces';
  return `must match ${pattern}`;
}

const formats = {
  uri: {
    // The Terraform provider's Node 20 has no URL.parse.
    accepts: (value: string) => compiled(formatPatterns.uri).test(value) && URL.canParse(value),
    message: 'must be an http or https address',
  },
  email: {
    accepts: (value: string) => compiled(formatPatterns.email).test(value),
    message: 'must be an e-mail address',
  },
  'time-zone': { accepts: isTimeZone, message: 'must be an IANA time zone such as Europe/Berlin' },
  'date-time': {
    accepts: isInstant,
    message: 'must be an ISO 8601 time with its offset, such as 2026-01-31T09:00:00Z',
  },
};

/** Only Temporal knows whether what a time has in brackets is right. */
function isInstant(value: string): boolean {
  if (millisecondsOf(value) === null) return false;
  if (typeof Temporal === 'undefined' || !value.includes('[')) return true;
  try {
    return Boolean(Temporal.Instant.from(value));
  } catch {
    return false;
  }
}

function readInteger(schema: Schema, value: unknown, at: ReadPosition): unknown {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    return wrong(at, 'must be a whole number');
  if (minimum !== undefined && value < minimum) return wrong(at, `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) return wrong(at, `must be at most ${maximum}`);
  return value;
}

function readList(schema: Schema, value: unknown, at: ReadPosition): unknown {
  if (!Array.isArray(value)) return wrong(at, 'must be a list');
  if (at.asRead.has(value)) return value;
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  if (value.length < minItems)
    return wrong(at, minItems === 1 ? 'must not be empty' : `must have at least ${minItems} items`);
  if (value.length > maxItems)
    return wrong(at, `must have at most ${maxItems} items (it has ${value.length})`);
  const item = schema['items'] as Schema;
  const isNullable = item['x-nullable'] === true;
  const before = schema['uniqueItems'] === true ? new Set() : null;
  return value.map((one, index) => {
    at.path.push(index);
    const isRepeated = before?.has(one) ?? false;
    before?.add(one);
    const result = isRepeated
      ? wrong(at, 'is already in the list')
      : one === null && !isNullable
        ? wrong(at, 'must not be null')
        : read(item, one, at);
    at.path.pop();
    return result;
  });
}

function readMap(schema: Schema, value: unknown, at: ReadPosition): unknown {
  if (!isObject(value)) return wrong(at, 'must be an object');
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  const { maxProperties = Infinity } = schema as { maxProperties?: number };
  if (entries.length > maxProperties)
    return wrong(at, `must have at most ${maxProperties} fields (it has ${entries.length})`);
  const item = Object.values(schema['patternProperties'] as Record<string, Schema>)[0] as Schema;
  const names = schema['propertyNames'] as { pattern: string } | undefined;
  return Object.fromEntries(
    entries.map(([name, one]) => {
      at.path.push({ name });
      if (!isStorable(name)) wrong(at, 'must have a valid Unicode name without NUL characters');
      else if (names && !compiled(names.pattern).test(name)) wrong(at, String(schema['x-names']));
      const result = read(item, one, at);
      at.path.pop();
      return [name, result];
    }),
  );
}

function readFields(schema: Schema, value: unknown, at: ReadPosition): unknown {
  if (!isObject(value)) return wrong(at, 'must be an object');
  const properties = schema['properties'] as Record<string, Schema>;
  // Only declared names get here, so that none is special to an object, as __proto__ is.
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (at.problems.length >= PROBLEMS_MAX) break;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const one = value[key];
    at.path.push(key);
    if (property === undefined) wrong(at, 'is not a known field');
    else if (!isAbsent(property, one)) result[key] = read(property, one, at);
    at.path.pop();
  }
  for (const [key, absent] of absentFields(schema)) {
    if (Object.hasOwn(value, key) && !isAbsent(properties[key], value[key])) continue;
    if (!absent.isRequired) result[key] = absent.value;
    else wrongField(key, at, requiredMessage);
  }
  return result;
}

/** Null is absence, but in a field where it has a meaning of its own. */
const isAbsent = (property: Schema | undefined, value: unknown): boolean =>
  value === null && property?.['x-nullable'] !== true;

function wrongField(key: string, at: ReadPosition, message: string): undefined {
  at.path.push(key);
  wrong(at, message);
  at.path.pop();
  return undefined;
}

type AbsentField = { readonly isRequired: boolean; readonly value: unknown };

const absents = new WeakMap<Schema, readonly (readonly [string, AbsentField])[]>();

/** The fields whose absence is a mistake or a default. */
function absentFields(schema: Schema): readonly (readonly [string, AbsentField])[] {
  const known = absents.get(schema);
  if (known !== undefined) return known;
  const required = (schema['required'] ?? []) as readonly string[];
  const fields = Object.entries(schema['properties'] as Record<string, Schema>).flatMap(
    ([key, property]) => {
      const isRequired = required.includes(key);
      if (!isRequired && !('default' in property)) return [];
      return [[key, { isRequired, value: property['default'] }] as const];
    },
  );
  absents.set(schema, fields);
  return fields;
}

function readVariant(schema: Schema, value: unknown, at: ReadPosition): unknown {
  if (!isObject(value)) return wrong(at, 'must be an object');
  const by = schema['x-variant'] as string;
  const shape = shapeOf(schema, value);
  if (shape) return readFields(shape, withoutNullsOf(schema, value), at);
  const known = (schema['anyOf'] as Schema[]).map((one) => constOf(one, by));
  const isSet = value[by] !== undefined && value[by] !== null;
  return wrongField(by, at, isSet ? `must be one of ${known.join(', ')}` : requiredMessage);
}

/** Null is absence, also in fields that only other variants have. */
function withoutNullsOf(schema: Schema, value: JsonObject): JsonObject {
  const isDeclared = (key: string) =>
    (schema['anyOf'] as Schema[]).some((shape) =>
      Object.hasOwn(shape['properties'] as JsonObject, key),
    );
  return Object.fromEntries(
    Object.entries(value).filter(([key, one]) => one !== null || !isDeclared(key)),
  );
}

const constOf = (shape: Schema, by: string) =>
  ((shape['properties'] as Record<string, Schema>)[by] as Schema)['const'];

/** Of a union, the shape that the value’s discriminator names. */
function shapeOf(schema: Schema, value: JsonObject): Schema | undefined {
  const by = schema['x-variant'] as string;
  return (schema['anyOf'] as Schema[]).find((one) => constOf(one, by) === value[by]);
}

// Where in a value something stands. It is written down only where it is reported: a record may have
// a hundred thousand members.

/** A field of an object, a member of a list by its place, a member of a map by its name. */
export type Step = string | number | { readonly name: string };

/** Whoever walks a value adds the step that it takes, and removes it on the way back. */
export type Path = Step[];

/** As in `steps[0].escalate_after_minutes`; empty for the value itself. */
export function pathText(path: readonly Step[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'string') text += text === '' ? step : `.${step}`;
    else text += `[${typeof step === 'number' ? step : JSON.stringify(step.name)}]`;
  }
  return text;
}
