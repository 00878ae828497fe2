// The body of a write, read against its declaration.

import { isObject } from '../../resources/declaration/is-object.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { checkReadable, readOnlyFields } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { compileExpression } from '../../rules/expression.ts';
import { invalid } from '../failures.ts';

export type RecordFields = Readonly<Record<string, unknown>>;

/** A body as far as it could be read, and the mistakes that it has by itself. */
export type ParsedBody = {
  /** The team the body names, if any. */
  readonly teamId: string | null;
  readonly fields: RecordFields;
  readonly problems: readonly Problem[];
};

/** Nothing is read again that was read before: neither the whole body, nor lists in it. */
export function readBody(resource: Resource, body: unknown, asRead: AsRead = none): ParsedBody {
  if (isObject(body) && asRead.has(body)) return { ...teamAndFields(body), problems: [] };
  const sent = withoutReadOnlyParts(resource, body, asRead);
  const read = readObject(resource.input, sent, { ignored: ignoredOf(resource), asRead });
  const written = teamAndFields(read.ok ? read.value : read.readable);
  const problems = read.ok
    ? resource.check(written.fields, compileExpression)
    : [...read.problems, ...checkReadable(resource, written.fields, compileExpression)];
  return { ...written, problems };
}

const teamAndFields = ({ team_id, ...fields }: RecordFields) => ({
  teamId: typeof team_id === 'string' ? team_id : null,
  fields,
});

/** Values that were read before: bodies as a whole, or lists in them. */
export type AsRead = ReadonlySet<unknown>;
const none: AsRead = new Set();

/** A client may send back whatever it read in an answer. */
export const ignoredOf = (resource: Resource) => [
  ...readOnlyFields,
  ...computedFields(resource),
  'warnings',
];

/** A patch with its lists as they are read; throws a `Refusal` with its mistakes. */
export function readPatch(resource: Resource, patch: unknown): unknown {
  const partial = { ...resource.input, required: [] };
  const sent = withoutReadOnlyParts(resource, patch, none);
  const read = readObject(partial, sent, { ignored: ignoredOf(resource) });
  if (!read.ok) throw invalid(read.problems);
  const entries = Object.entries(sent as RecordFields);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, Array.isArray(one) ? read.value[name] : one]),
  );
}

const computedFields = ({ input, output }: Resource) =>
  Object.keys(output.properties).filter((name) => !(name in input.properties));

/** A client may send back what it read below `/config`: read-only members are left out. */
function withoutReadOnlyParts(resource: Resource, body: unknown, asRead: AsRead): unknown {
  if (!isObject(body)) return body;
  const parts = Object.entries(resource.readOnlyMembers ?? {}).flatMap(([field, names]) => {
    const members = body[field];
    if (!Array.isArray(members) || asRead.has(members)) return [];
    return [[field, members.map((member) => without(member, names))]];
  });
  return parts.length === 0 ? body : { ...body, ...Object.fromEntries(parts) };
}

const without = (member: unknown, names: readonly string[]): unknown =>
  isObject(member)
    ? Object.fromEntries(Object.entries(member).filter(([name]) => !names.includes(name)))
    : member;

/** RFC 7396: null removes, objects are merged, everything else is replaced whole. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
