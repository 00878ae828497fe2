import { queryLimits } from '../../limits/queries.ts';
import { masked } from '../../resources/declaration/mask.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import type { Use } from '../../storage/records/record-hooks.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import { displayName } from '../display-name.ts';
import { type Caller, mayAct, maySee } from '../route.ts';

/** What integrations' addresses are made of. */
export type Addresses = {
  /** Where tools send events: `<public url>/hooks`. */
  readonly hooksUrl: string;
  readonly emailDomain: string;
};

export type Shower = (resource: Resource, record: StoredRecord, caller: Caller) => object;

/** A record as a caller may see it: below manager, without its secrets. */
export const showRecords =
  ({ hooksUrl, emailDomain }: Addresses): Shower =>
  (resource, { fields, archived_at, token, anchors: _anchors, ...base }, caller) => {
    const whole = {
      ...base,
      ...(archived_at !== null && { archived_at }),
      ...fields,
      ...(token !== undefined && {
        webhook_url: `${hooksUrl}/${token}/push-events`,
        email_address: `${token}@${emailDomain}`,
        token,
      }),
    };
    const mayReadSecrets = mayAct(caller, 'manager');
    return mayReadSecrets ? whole : (masked(resource.output, whole) as object);
  };

/** A schedule with the identity of each layer, and where its rotation stands. */
export function withAnchors(
  shown: object,
  { fields, anchors = [] }: Pick<StoredRecord, 'fields' | 'anchors'>,
): object {
  const layers = fields['layers'] as readonly object[];
  return {
    ...shown,
    layers: layers.map((layer, index) => {
      const { id, at, turn } = anchors[index] ?? {};
      return { id, ...layer, anchor: { at, turn } };
    }),
  };
}

/** The answer to a write. */
export const withWarnings = (shown: object, warnings: readonly string[]): object =>
  warnings.length === 0 ? shown : { ...shown, warnings };

/**
 * Neither archiving nor deactivating blocks; it says who is left pointing at nothing. Of teams that
 * the reader may not see, only how many: enough to go and ask.
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
