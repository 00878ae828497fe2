// Settings exist before Terraform creates them and after it destroys them: the plan names those that
// its write replaces, and those that return to their defaults.
import { isSame } from '../../client/patch.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { fieldOf, isList, isObject, toJson } from '../convert.ts';
import { inWords, type Managed } from '../managed.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import type { Connection } from '../session.ts';
import { nounOf } from './missing.ts';

type Change = {
  readonly prior: Value;
  readonly planned: Value;
  /** What Terraform managed so far of a singleton. */
  readonly configured: readonly string[];
  readonly connection: Connection | null;
};

export async function overwritten(
  { resource, attributes }: Managed,
  { prior, planned, connection }: Change,
): Promise<string[]> {
  const id = settingsId(resource, planned);
  if (prior !== null || connection === null || id === undefined) return [];
  const read = await connection.records.read(resource, id);
  if (!read.ok) return [];
  const after = toJson(attributes, planned);
  const isReplaced = (name: string) => {
    const [was, is] = [read.value[name] ?? null, after[name] ?? null];
    return was !== null && !(fieldOf(planned, name) instanceof Unknown) && !isSame(was, is);
  };
  const names = Object.keys(resource.fields).filter(isReplaced);
  if (names.length === 0) return [];
  const { owner, name } = resource;
  const whose = inWords(owner === null ? name : nounOf(resource, owner));
  return [
    `The ${whose} already has these settings, and their values are replaced: ${names.join(', ')}. To see their values in a plan, import the resource instead.`,
  ];
}

/** Undefined for what is not there before it is created. */
function settingsId({ owner, noneAt, isSingleton, name }: Resource, planned: Value) {
  if (isSingleton) return name;
  const id = owner === null || noneAt !== '' ? null : fieldOf(planned, owner);
  return typeof id === 'string' ? id : undefined;
}

export function returned({ resource }: Managed, { prior, planned, configured }: Change): string[] {
  if (!resource.isSingleton || planned !== null) return [];
  const { ending } = resource;
  const isOther = (name: string) => name in (ending ?? {}) && isSet(fieldOf(prior, name));
  const names = configured.filter(isOther);
  return [
    names.length === 0
      ? `No setting of the ${inWords(resource.name)} changes.`
      : `These settings of the ${inWords(resource.name)} return to their defaults: ${names.join(', ')}.`,
  ];
}

const isSet = (value: Value): boolean =>
  isObject(value) ? Object.values(value).some(isSet) : isList(value) || value !== null;
