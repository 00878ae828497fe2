// The places of values in a configured record.
import type { Fields } from './running-terraform.ts';

export type Path = readonly (string | number)[];

/** To all that has a value, and to what these are in. */
export function pathsIn(value: unknown): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, one]): Path[] =>
    one === null ? [] : [[key], ...pathsIn(one).map((path) => [key, ...path])],
  );
}

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((one, key) => (one as Readonly<Record<string, unknown>>)[key], value);

export function replacedAt(fields: Fields, path: Path, put: unknown): Fields {
  const copy = structuredClone(fields);
  const last = path.at(-1) ?? '';
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string, unknown>;
  holder[last] = put;
  return copy;
}
