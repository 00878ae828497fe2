import { queryLimits } from '../../limits/queries.ts';
import { masked } from '../../resources/declaration/references-and-secrets.ts';
import { displayName, type Resource } from '../../resources/declaration/resource.ts';
import { mayAct } from '../../resources/roles.ts';
import type { Use } from '../../storage/records/record-hooks.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import { type Caller, maySee } from '../route.ts';
import { hooksOf } from './hooks.ts';
import type { Addresses } from './record-hooks.ts';

export type RenderRecord = (resource: Resource, record: StoredRecord, caller: Caller) => object;

/** A record as a caller may see it: below manager, without its secrets. */
export const recordRenderer =
  (addresses: Addresses): RenderRecord =>
  (resource, record, caller) => {
    const { fields, archived_at, managed_by, ...rest } = record;
    const { token: _token, previous_token_expires_at: _expiry, anchors: _anchors, ...base } = rest;
    const whole = {
      ...base,
      ...(archived_at !== null && { archived_at }),
      ...(managed_by !== null && { managed_by }),
      ...fields,
      ...hooksOf(resource).compute?.(record, addresses),
    };
    const mayReadSecrets = mayAct(caller, 'manager');
    return mayReadSecrets ? whole : (masked(resource.output, whole) as object);
  };

/** The answer to a write. */
export const withWarnings = (rendered: object, warnings: readonly string[]): object =>
  warnings.length === 0 ? rendered : { ...rendered, warnings };

/**
 * Uses never block an archiving or a deactivation; the warnings name them. Of teams that the reader
 * may not see, they only give the number.
 */
export function useWarnings(
  uses: readonly Use[],
  reader: Pick<Caller, 'teamIds'>,
  what = 'it',
): readonly string[] {
  const own = uses.filter(({ teamId }) => maySee(reader, teamId));
  const named = own
    .slice(0, queryLimits.usesNamed)
    .map(({ kind, id, name }) => `The ${displayName(kind)} "${name}" (${id}) still uses ${what}.`);
  const more = own.length - named.length;
  const others = uses.length - own.length;
  return [
    ...named,
    ...(more > 0 ? [`${more} more records still use ${what}.`] : []),
    ...(others > 0 ? [`Records of other teams still use ${what}: ${others}.`] : []),
  ];
}
