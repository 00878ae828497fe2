// What an import takes for an id: written once, for whoever reads ids, pages and errors.
import type { Resource } from '../resources/declaration/resource.ts';
import { records } from '../resources/index.ts';
import { nounOf } from './calls/missing.ts';
import type { Managed } from './managed.ts';

type Part = {
  /** As people read it: `<team_id>`. */
  readonly shown: string;
  readonly pattern: string;
  /** The attribute that it is noted in. */
  readonly attribute: string;
};
/** Parts with slashes between. */
type Form = readonly Part[];

const idPattern = '[0-9a-f]{24}';
const counterPattern = '[1-9][0-9]{0,9}';

type FormsOf = Pick<Managed, 'resource' | 'parents'>;

function formsOf({ resource, parents }: FormsOf): readonly Form[] {
  const { name, owner, isSingleton, idOf } = resource;
  const id: Part = { shown: `<${idOf || 'id'}>`, pattern: idPattern, attribute: 'id' };
  const counter: Part = { shown: '<counter>', pattern: counterPattern, attribute: 'id' };
  const [parent] = parents;
  if (isSingleton) return [[{ shown: name, pattern: name, attribute: 'id' }], [id]];
  if (parent !== undefined) return keysOf(resource, parent, parent).map((key) => [key, id]);
  // Settings have the id of what they are of.
  if (owner !== null && hasCounter(resource, owner))
    return keysOf(resource, owner, 'id').map((key) => [key]);
  if (!resource.isOfTeam) return [[id]];
  const team: Part = { shown: '<team_id>', pattern: idPattern, attribute: 'team_id' };
  return [[id], [team, id], [counter], [team, counter]];
}

/** Of the record in that field: its id, and its counter if it has one. */
function keysOf(resource: Resource, field: string, attribute: string): readonly Part[] {
  const id: Part = { shown: `<${field}>`, pattern: idPattern, attribute };
  if (!hasCounter(resource, field)) return [id];
  const shown = `<${field.replace(/_id$/, '_counter')}>`;
  return [id, { shown, pattern: counterPattern, attribute }];
}

const hasCounter = (resource: Resource, field: string): boolean =>
  records.some(({ name }) => name === nounOf(resource, field));

const shownAs = (form: Form): string => form.map(({ shown }) => shown).join('/');

/** As people read them. */
export const importForms = (managed: FormsOf): readonly string[] => [
  ...formsOf(managed).map(shownAs),
  ...(managed.resource.knownBy === '' ? [] : [`<${managed.resource.knownBy}>`]),
];

/** The attributes that an id notes; undefined: it has none of the forms. */
export function readImportId(
  managed: FormsOf,
  importId: string,
): Readonly<Record<string, string>> | undefined {
  const parts = importId.split('/');
  const form = formsOf(managed).find(
    (one) =>
      one.length === parts.length &&
      one.every(({ pattern }, index) => new RegExp(`^(?:${pattern})$`).test(parts[index] ?? '')),
  );
  return (
    form && Object.fromEntries(form.map(({ attribute }, index) => [attribute, parts[index] ?? '']))
  );
}
