// Which fields a form shows of a draft, each at the path by which the API names it in its problems.
import { isObject } from '../../resources/declaration/is-object.ts';
import { type Draft, isRows, variantOf } from './draft.ts';
import type { Field, Widget } from './form.ts';

/** A part of a value that has a field of its own. */
export type Part = {
  readonly path: string;
  readonly widget: Widget;
  readonly value: unknown;
};

export const pathTo = (path: string, name: string): string =>
  path === '' ? name : `${path}.${name}`;
export const pathOfMember = (path: string, index: number): string => `${path}[${index}]`;
export const pathOfRow = (path: string, name: string): string => `${path}[${JSON.stringify(name)}]`;

/** What is inside a value, one level down. */
export function partsIn({ path, widget, value }: Part): readonly Part[] {
  switch (widget.type) {
    case 'object':
      return partsOf(widget.fields, isObject(value) ? value : {}, path);
    case 'variant': {
      const fields = isObject(value) ? (variantOf(widget, value)?.fields ?? []) : [];
      return partsOf(fields, isObject(value) ? value : {}, path);
    }
    case 'list':
      return Array.isArray(value)
        ? value.map((one, index) => ({
            path: pathOfMember(path, index),
            widget: widget.member,
            value: one,
          }))
        : [];
    case 'map':
      return isRows(value)
        ? value.map(([name, one]) => ({
            path: pathOfRow(path, name),
            widget: widget.value,
            value: one,
          }))
        : [];
    default:
      return [];
  }
}

export const partsOf = (fields: readonly Field[], draft: Draft, path = ''): readonly Part[] =>
  fields.map(({ name, widget }) => ({ path: pathTo(path, name), widget, value: draft[name] }));

/** All fields, by the paths by which the form names them, with what each has. */
export function fieldsShown(fields: readonly Field[], draft: Draft): ReadonlyMap<string, unknown> {
  const shown = new Map<string, unknown>();
  const visit = (part: Part) => {
    const { path, widget, value } = part;
    shown.set(path, value);
    if (widget.type === 'variant')
      shown.set(pathTo(path, widget.by), isObject(value) ? value[widget.by] : undefined);
    for (const inside of partsIn(part)) visit(inside);
  };
  for (const part of partsOf(fields, draft)) visit(part);
  return shown;
}

/** The path of the field that stands for a path: its own, or that of the list it is a member of. */
export function fieldFor(path: string, shown: ReadonlyMap<string, unknown>): string | undefined {
  if (shown.has(path)) return path;
  const list = path.replace(/\[\d+\]$/, '');
  return shown.has(list) ? list : undefined;
}
