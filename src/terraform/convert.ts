// A record between its two forms: the API's JSON and Terraform's value, which have the same names.
import { Decimal, Dynamic, readParsed, Unknown, type Value } from './protocol/value.ts';
import { type Attribute, objectType } from './schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** As the API takes it: what has no value, and what the service itself sets, is absent. */
export function toJson(attributes: readonly Attribute[], value: Value): Record<string, unknown> {
  const fields = attributes.flatMap(({ name, set }) => {
    const one = fieldOf(value, name);
    return set === 'computed' || one instanceof Unknown ? [] : [[name, one]];
  });
  return withoutNulls(Object.fromEntries(fields));
}

const withoutNulls = (fields: { readonly [name: string]: Value }) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, one]) => (one === null ? [] : [[key, jsonOf(one)]])),
  );

function jsonOf(value: Value): unknown {
  if (isList(value)) return value.map(jsonOf);
  if (isObject(value)) return withoutNulls(value);
  if (value instanceof Decimal) return numberOf(value);
  if (value instanceof Unknown) throw new Error('what is unknown has no JSON');
  return value;
}

/** NaN if it is not exactly a whole number, which is all that records have: 50e-1 is one. */
function numberOf({ text }: Decimal): number {
  const [, whole = '', part = '', exponent = '0'] = decimal.exec(text) ?? [];
  const zeros = /0*$/.exec(whole + part)?.[0].length ?? 0;
  const isZero = /^[-+0]*$/.test(whole + part);
  return isZero || zeros - part.length + Number(exponent) >= 0 ? Number(text) : Number.NaN;
}
const decimal = /^([-+]?\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i;

/** As Terraform takes it: every attribute is there, and nothing else. */
export const fromJson = (attributes: readonly Attribute[], json: Json): Value =>
  readParsed(objectType(attributes), json);

/** Undefined for what has other types: what another version of the API answers. */
export function readJson(attributes: readonly Attribute[], json: Json): Value | undefined {
  try {
    return fromJson(attributes, json);
  } catch {
    return undefined;
  }
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** An object or a map, which look alike. */
export const isObject = (value: Value): value is { readonly [name: string]: Value } =>
  typeof value === 'object' && value !== null && !isList(value) && !isAtom(value);

const isAtom = (value: Value) =>
  value instanceof Unknown || value instanceof Decimal || value instanceof Dynamic;

/** Null when there is none, or nothing that has fields. */
export const fieldOf = (value: Value, name: string): Value =>
  isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
