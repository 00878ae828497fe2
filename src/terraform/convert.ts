// A record between its two forms: the API's JSON and Terraform's value, which have the same names.
import { Decimal, Dynamic, readParsed, Unknown, type Value } from './protocol/value.ts';
import { type Attribute, isSent, objectType } from './schema.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * As the API takes it: what has no value, and what the service itself sets, is absent. The
 * configuration has the secrets that are stored nowhere else.
 */
export function toJson(
  attributes: readonly Attribute[],
  value: Value,
  config: Value = null,
): Record<string, unknown> {
  const whole = withSecrets(attributes, value, config);
  const fields = attributes.filter(isSent).flatMap(({ name }) => {
    const one = fieldOf(whole, name);
    return one instanceof Unknown ? [] : [[name, one]];
  });
  return withoutNulls(Object.fromEntries(fields));
}

/** The value as the API has it: each secret under its own name, wherever it is given. */
export function withSecrets(attributes: readonly Attribute[], value: Value, config: Value): Value {
  if (isList(value))
    return value.map((one, index) => withSecrets(attributes, one, memberOf(config, index)));
  if (!isObject(value) || !hasWriteOnly(attributes)) return value;
  const whole: { [name: string]: Value } = { ...value };
  for (const { name, shape, writeOnly, endIn } of attributes) {
    if (endIn !== undefined) whole[name] = fieldOf(config, name) ?? fieldOf(value, name);
    else if (writeOnly !== undefined) {
      whole[name] = fieldOf(config, writeOnly.value) ?? fieldOf(value, name);
      delete whole[writeOnly.value];
      delete whole[writeOnly.version];
    } else if ('attributes' in shape)
      whole[name] = withSecrets(shape.attributes, fieldOf(value, name), fieldOf(config, name));
  }
  return whole;
}

const memberOf = (list: Value, index: number): Value =>
  isList(list) ? (list[index] ?? null) : null;

const known = new WeakMap<readonly Attribute[], boolean>();

/** Told once for each list of attributes: a policy may have thousands of targets. */
export function hasWriteOnly(attributes: readonly Attribute[]): boolean {
  const has =
    known.get(attributes) ??
    attributes.some(
      ({ shape, writeOnly, endIn }) =>
        writeOnly !== undefined ||
        endIn !== undefined ||
        ('attributes' in shape && hasWriteOnly(shape.attributes)),
    );
  known.set(attributes, has);
  return has;
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

/** As Terraform takes a record that the service has, without what it cannot express. */
export const fromRecord = (attributes: readonly Attribute[], record: Json): Value =>
  fromJson(attributes, withoutNullMembers(record) as Json);

/** Only a list can have a null of its own, a turn with nobody, which Terraform cannot express. */
function withoutNullMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(withoutNullMembers);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withoutNullMembers(one)]),
  );
}

/** Undefined for what has other types: what another version of the API answers. */
export function readJson(attributes: readonly Attribute[], json: Json): Value | undefined {
  try {
    return fromRecord(attributes, json);
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
