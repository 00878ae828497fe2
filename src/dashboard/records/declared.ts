// The declaration of a kind; apart from the kind itself, since lists load without it.
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import type { RecordKind } from './record.ts';

export function resourceOf({ name }: Pick<RecordKind, 'name'>): Resource {
  const resource = records.find((one) => one.name === name);
  if (resource === undefined) throw new Error(`${name} is not declared`);
  return resource;
}
