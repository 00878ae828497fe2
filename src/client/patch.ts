// What differs between two states of a record, as the API takes it (RFC 7396).
import { isObject } from '../resources/declaration/is-object.ts';
import type { Fields } from './answer.ts';

/** What makes `after` of `before`: null for what is gone. */
export function patchOf(before: Fields, after: Fields): Fields {
  const old = new Map(Object.entries(before));
  const gone = [...old.keys()].filter((name) => !Object.hasOwn(after, name));
  const set = Object.entries(after).flatMap(([name, is]): [string, unknown][] => {
    const was = old.get(name);
    if (isSame(was ?? null, is ?? null)) return [];
    return [[name, isObject(was) && isObject(is) ? patchOf(was, is) : is]];
  });
  return Object.fromEntries([...set, ...gone.map((name) => [name, null])]);
}

/** Null in a field means that it is absent; in a list it is a member. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((member, index) => isSame(member, other[index]))
    );
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name] ?? null, other[name] ?? null));
}
