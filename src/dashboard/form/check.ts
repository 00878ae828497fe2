// What is wrong with a draft, in the words of the API: by the same reader and the same rules.
import { isMaskedText, MASK, mapText } from '../../resources/declaration/references-and-secrets.ts';
import {
  checkReadable,
  type Problem,
  type Resource,
} from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { bodyOf, type Draft, isRows } from './draft.ts';
import { type Field, fieldsOf } from './form.ts';
import { type Part, partsIn, partsOf, pathOfRow } from './parts.ts';
import { words } from './words.ts';

/** Regular expressions are compiled by the server alone. */
export function problemsOf(resource: Resource, draft: Draft): readonly Problem[] {
  const fields = fieldsOf(resource);
  const body = bodyOf(fields, draft);
  const read = readObject(resource.input, body);
  const problems = read.ok
    ? checkReadable(resource, read.value)
    : [...read.problems, ...checkReadable(resource, read.readable)];
  return [...problems, ...repeatedNames(fields, draft)];
}

/** Of two rows with one name, an object would keep one. */
function repeatedNames(fields: readonly Field[], draft: Draft): readonly Problem[] {
  const inPart = (part: Part): readonly Problem[] => {
    const { path, widget, value } = part;
    if (widget.type !== 'map' || !isRows(value)) return partsIn(part).flatMap(inPart);
    const names = value.map(([name]) => name);
    const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index));
    return [...repeated].map((name) => ({ path: pathOfRow(path, name), message: words.repeated }));
  };
  return partsOf(fields, draft).flatMap(inPart);
}

/** What would replace a secret by what hides it. */
export function masksIn(resource: Resource, body: Draft): readonly Problem[] {
  const problems: Problem[] = [];
  mapText(resource.input, body, ({ schema, value, path }) => {
    if (value === MASK && isMaskedText(schema)) problems.push({ path, message: words.masked });
    return value;
  });
  return problems;
}
