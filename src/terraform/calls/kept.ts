// What the provider keeps of a record beside its state, where Terraform shows it to nobody.
import type { Fields } from '../../client/answer.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { isObject } from '../../resources/declaration/validate.ts';

export type Kept = {
  /** The one that was last seen; none is known of a state that others wrote. */
  readonly version?: number | undefined;
  /** Fields that only the API and the dashboard set. A change sends them along as they were. */
  readonly unshown: Fields;
};

export function keptOf({ input }: Resource, record: Fields & { readonly version: number }): Kept {
  const names = Object.entries(input.properties)
    .filter(([name, field]) => 'x-api-only' in field && record[name] !== undefined)
    .map(([name]) => name);
  const unshown = Object.fromEntries(names.map((name) => [name, record[name]]));
  return { version: record.version, unshown };
}

export const writeKept = (kept: Kept): Uint8Array => Buffer.from(JSON.stringify(kept));

export function readKept(bytes: Uint8Array): Kept {
  if (bytes.length === 0) return { unshown: {} };
  const { version, unshown } = JSON.parse(Buffer.from(bytes).toString());
  return {
    version: typeof version === 'number' ? version : undefined,
    unshown: isObject(unshown) ? unshown : {},
  };
}
