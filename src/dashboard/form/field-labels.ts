// What a form calls the fields that problems and descriptions name as the API does.
import type { Resource } from '../../resources/declaration/resource.ts';
import { type Field, fieldsOf, type Widget } from './form.ts';

const known = new WeakMap<Resource, ReadonlyMap<string, string>>();

/** The labels of all fields of a record, those inside others too, by their names. */
export function fieldLabelsOf(resource: Resource): ReadonlyMap<string, string> {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const labels = new Map<string, string>();
  const visit = ({ name, label, widget }: Field) => {
    if (!labels.has(name)) labels.set(name, label);
    for (const inside of fieldsInside(widget)) visit(inside);
  };
  for (const field of fieldsOf(resource)) visit(field);
  known.set(resource, labels);
  return labels;
}

function fieldsInside(widget: Widget): readonly Field[] {
  switch (widget.type) {
    case 'object':
      return widget.fields;
    case 'variant':
      return widget.variants.flatMap(({ fields }) => fields);
    case 'list':
      return fieldsInside(widget.member);
    case 'map':
      return fieldsInside(widget.value);
    default:
      return [];
  }
}
