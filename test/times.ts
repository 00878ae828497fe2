// Loaded before the tests: deepEqual and its like compare times. Node finds any two of them equal,
// for a Temporal value has no properties of its own.
import assert from 'node:assert/strict';

type Compare = (...values: readonly unknown[]) => void;

const comparisons = [
  ...(['deepEqual', 'deepStrictEqual', 'partialDeepStrictEqual'] as const),
  ...(['notDeepEqual', 'notDeepStrictEqual'] as const),
];
for (const name of comparisons) {
  // Their types have overloads, which a parameter list cannot pass on.
  const compare = assert[name] as Compare;
  const comparing: Compare = (actual, expected, ...message) =>
    compare(withTimes(actual), withTimes(expected), ...message);
  Object.assign(assert, { [name]: comparing });
}

/** The value with the times in it as text. */
function withTimes(value: unknown, within: readonly object[] = []): unknown {
  if (typeof value !== 'object' || value === null || within.includes(value)) return value;
  const sort = Object.prototype.toString.call(value);
  if (sort.startsWith('[object Temporal.')) return `${sort} ${value}`;
  const inner = [...within, value];
  const readable = (one: unknown) => withTimes(one, inner);
  // What rows of the database come in is a class of its own.
  const alike = <T extends object>(copy: T): T =>
    Object.setPrototypeOf(copy, Object.getPrototypeOf(value));
  if (Array.isArray(value)) return alike(Array.from(value, readable));
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, readable(one)]));
  if (value instanceof Set) return new Set([...value].map(readable));
  if (sort !== '[object Object]') return value;
  return alike(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, readable(one)])));
}
