// The part of a value that has no mistakes: rules are checked on it, so that one answer lists all
// mistakes.
import type { Problem } from './resource.ts';

/** A list keeps its length: its wrong members become holes, which `map` and the like skip. */
export function readablePart(value: unknown, problems: readonly Problem[]) {
  const unfit = new Set(problems.map(({ path }) => unfitPart(path)));
  return isFields(value) ? fitFields(value, { path: '', unfit }) : {};
}

/** What a mistake removes: the innermost object of a list, else the field at the top. */
const unfitPart = (path: string): string | undefined =>
  (innermost.exec(path) ?? /^[^[]+\[[0-9]+\]/.exec(path) ?? /^[^.[]*/.exec(path))?.[0];
// A list of texts with a hole would mislead a rule: the object that it is in is removed with it.
const innermost = /^(\w+(\[[0-9]+\])?\.)*\w+\[[0-9]+\](?=\.)/;

type JsonObject = Readonly<Record<string, unknown>>;
type ReadableWalk = { readonly path: string; readonly unfit: ReadonlySet<string | undefined> };

function fit(value: unknown, at: ReadableWalk): unknown {
  if (Array.isArray(value)) return fitMembers(value, at);
  return isFields(value) ? fitFields(value, at) : value;
}

function fitFields(fields: JsonObject, { path, unfit }: ReadableWalk): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([key, value]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return unfit.has(here) ? [] : [[key, fit(value, { path: here, unfit })]];
  });
  return Object.fromEntries(entries);
}

function fitMembers(
  members: readonly unknown[],
  { path, unfit }: ReadableWalk,
): readonly unknown[] {
  const at = (index: number) => `${path}[${index}]`;
  const result = members.map((one, index) => fit(one, { path: at(index), unfit }));
  for (const index of members.keys()) if (unfit.has(at(index))) delete result[index];
  return result;
}

const isFields = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
