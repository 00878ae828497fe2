// What the provider keeps of a record beside its state, where Terraform shows it to nobody.
import type { Fields } from '../../client/answer.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { isObject } from '../../resources/declaration/validate.ts';

export type PrivateState = {
  /** The one that was last seen; none is known of a state that others wrote. */
  readonly version?: number | undefined;
  /** Fields that only the API and the dashboard set. A change sends them along as they were. */
  readonly unshown: Fields;
};

export function privateStateOf(
  { input }: Resource,
  record: Fields & { readonly version: number },
): PrivateState {
  const names = Object.entries(input.properties)
    .filter(([name, field]) => 'x-api-only' in field && record[name] !== undefined)
    .map(([name]) => name);
  const unshown = Object.fromEntries(names.map((name) => [name, record[name]]));
  return { version: record.version, unshown };
}

export const writePrivateState = (state: PrivateState): Uint8Array =>
  Buffer.from(JSON.stringify(state));

export function readPrivateState(bytes: Uint8Array): PrivateState {
  if (bytes.length === 0) return { unshown: {} };
  const { version, unshown } = JSON.parse(Buffer.from(bytes).toString());
  return {
    version: typeof version === 'number' ? version : undefined,
    unshown: isObject(unshown) ? unshown : {},
  };
}
