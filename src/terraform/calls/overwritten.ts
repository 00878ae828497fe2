// Settings that exist before Terraform creates them: the plan names those that its write replaces.
import { isSame } from '../../client/patch.ts';
import { fieldOf, toJson } from '../convert.ts';
import { inWords, type Managed } from '../managed.ts';
import type { Value } from '../protocol/value.ts';
import type { Connection } from '../session.ts';
import { nounOf } from './missing.ts';

type Created = {
  readonly prior: Value;
  readonly planned: Value;
  readonly connection: Connection | null;
};

export async function overwritten(
  { resource, attributes }: Managed,
  { prior, planned, connection }: Created,
): Promise<string[]> {
  const { owner, noneAt } = resource;
  if (prior !== null || owner === null || noneAt !== '') return [];
  const id = fieldOf(planned, owner);
  if (connection === null || typeof id !== 'string') return [];
  const read = await connection.records.read(resource, id);
  if (!read.ok) return [];
  const after = toJson(attributes, planned);
  const names = Object.keys(resource.fields).filter(
    (name) => (read.value[name] ?? null) !== null && !isSame(read.value[name], after[name] ?? null),
  );
  if (names.length === 0) return [];
  const whose = inWords(nounOf(resource, owner));
  return [
    `The ${whose} already has these settings, and their values are replaced: ${names.join(', ')}. To keep them, import the resource.`,
  ];
}
