// Loaded before the tests: deepEqual and its like compare times. Node finds any two of them equal,
// for a Temporal value has no properties of its own.
import assert from 'node:assert/strict';

type Compare = (...given: readonly unknown[]) => void;

for (const name of ['deepEqual', 'notDeepEqual', 'partialDeepStrictEqual'] as const) {
  // Their types have overloads, which a parameter list cannot pass on.
  const compare = assert[name] as Compare;
  const comparing: Compare = (actual, expected, ...message) =>
    compare(withTimes(actual), withTimes(expected), ...message);
  Object.assign(assert, { [name]: comparing });
}

/** The value with the times in it as text; objects of classes are left alone. */
function withTimes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const sort = Object.prototype.toString.call(value);
  if (sort.startsWith('[object Temporal.')) return `${sort} ${value}`;
  switch (Object.getPrototypeOf(value)) {
    case Array.prototype:
      return (value as unknown[]).map(withTimes);
    case Map.prototype:
      return new Map([...(value as Map<unknown, unknown>)].map(([k, v]) => [k, withTimes(v)]));
    case Object.prototype:
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTimes(one)]));
    default:
      return value;
  }
}
