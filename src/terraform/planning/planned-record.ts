// A record as a plan leaves it, in the form in which the API previews it.
import type { Fields } from '../../client/answer.ts';
import { isSame } from '../../client/patch.ts';
import { type Path, pathText } from '../../resources/declaration/validate.ts';
import { fieldOf, isList, isObject, toJson } from '../convert.ts';
import type { Managed } from '../managed.ts';
import { type Type, Unknown, type Value } from '../protocol/value.ts';
import { isSent } from '../schema.ts';
import { writeOnlySecrets } from '../write-only.ts';

export type PlannedRecord = {
  /** `oncall_schedule` */
  readonly kind: string;
  /** With its id if it exists; of one that is archived, only that. */
  readonly record: Fields;
  /** The paths of what is known only after the apply, and of secrets that no plan has. */
  readonly unknown: readonly string[];
};

type Planned = {
  readonly prior: Value;
  readonly planned: Value;
  /** As the service has it, as far as that was read: what the plan leaves alone stays so. */
  readonly before?: Fields | undefined;
};

export function plannedRecord(
  { resource, attributes, type }: Managed,
  { prior, planned, before = {} }: Planned,
): PlannedRecord {
  const inputs = attributes.filter(isSent);
  const written = Object.fromEntries(inputs.map(({ name }) => [name, fieldOf(planned, name)]));
  const paths = unknownIn(type, written, []);
  const is = toJson(inputs, known(written));
  const kind = resource.name;
  const secrets = writeOnlySecrets(inputs, written).filter(({ version }) => version !== null);
  const unknown = [
    ...paths.map(pathText),
    ...secrets.map(({ at, attribute }) => `${at}${attribute.name}`),
  ];
  if (prior === null) return { kind, record: is, unknown };
  const was = toJson(inputs, prior);
  const open = new Set(paths.map(([name]) => name));
  const changed = inputs
    .map(({ name }) => name)
    .filter((name) => open.has(name) || !isSame(was[name] ?? null, is[name] ?? null))
    .map((name) => [name, is[name] ?? null]);
  const record = { ...was, ...before, ...Object.fromEntries(changed), id: fieldOf(prior, 'id') };
  return { kind, record, unknown };
}

export const archivedRecord = ({ resource }: Managed, prior: Value): PlannedRecord => ({
  kind: resource.name,
  record: { id: fieldOf(prior, 'id'), archived: true },
  unknown: [],
});

/** The paths of what is unknown in a value. */
function unknownIn(type: Type | undefined, value: Value, path: Path): readonly Path[] {
  if (value instanceof Unknown) return [path];
  const [kind, inner] = Array.isArray(type) ? type : [];
  if (isList(value)) return value.flatMap((one, index) => unknownIn(inner, one, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    kind === 'map'
      ? unknownIn(inner, one, [...path, { name }])
      : unknownIn(inner?.[name], one, [...path, name]),
  );
}

/** With null in the place of what is unknown. */
function known(value: Value): Value {
  if (value instanceof Unknown) return null;
  if (isList(value)) return value.map(known);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, known(one)]));
}
