import { isList, isObject } from '../../src/terraform/convert.ts';
import type { Value } from '../../src/terraform/protocol/value.ts';

/** The value with another at a path; the same value if there is nothing. */
export function putAt(
  value: Value,
  [step, ...rest]: readonly (string | number)[],
  put: Value,
): Value {
  if (step === undefined) return put;
  if (isList(value))
    return value.map((one, index) => (index === step ? putAt(one, rest, put) : one));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === step ? putAt(one, rest, put) : one]),
  );
}
