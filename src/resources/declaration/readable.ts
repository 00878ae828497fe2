// Of a value with mistakes, the part that has none: so that one answer can tell of all mistakes.
import type { Problem } from './resource.ts';

/** A list keeps its length: its wrong members become holes, which `map` and its like pass over. */
export function readablePart(value: unknown, problems: readonly Problem[]) {
  const unfit = new Set(problems.map(({ path }) => unfitPart(path)));
  return isFields(value) ? fitFields(value, { path: '', unfit }) : {};
}

/** What is not looked at further: the innermost object of a list, else the field at the top. */
const unfitPart = (path: string): string | undefined =>
  (innermost.exec(path) ?? /^[^[]+\[[0-9]+\]/.exec(path) ?? /^[^.[]*/.exec(path))?.[0];
// A list of texts with a hole would be another one to a rule: it goes with the object it is in.
const innermost = /^(\w+(\[[0-9]+\])?\.)*\w+\[[0-9]+\](?=\.)/;

type Fields = Readonly<Record<string, unknown>>;
type Fitting = { readonly path: string; readonly unfit: ReadonlySet<string | undefined> };

function fit(value: unknown, at: Fitting): unknown {
  if (Array.isArray(value)) return fitMembers(value, at);
  return isFields(value) ? fitFields(value, at) : value;
}

function fitFields(fields: Fields, { path, unfit }: Fitting): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([key, value]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return unfit.has(here) ? [] : [[key, fit(value, { path: here, unfit })]];
  });
  return Object.fromEntries(entries);
}

function fitMembers(members: readonly unknown[], { path, unfit }: Fitting): readonly unknown[] {
  const at = (index: number) => `${path}[${index}]`;
  const kept = members.map((one, index) => fit(one, { path: at(index), unfit }));
  for (const index of members.keys()) if (unfit.has(at(index))) delete kept[index];
  return kept;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
