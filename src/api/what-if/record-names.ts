// The records behind ids, for a worker thread.
import type { RuleAction } from '../../resources/action.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { referencesIn } from '../../resources/declaration/references-and-secrets.ts';
import type { Sql } from '../../storage/database/database.ts';
import type { ReferencedRecord } from '../../storage/records/record-hooks.ts';
import { type Lookup, lookupIn } from '../../storage/records/uses.ts';
import type { Names } from '../../what-if/effect-text.ts';
import type { RpcClient } from '../../workers/rpc.ts';
import { type Caller, maySee } from '../route.ts';

type NameQuery = { readonly kind: string; readonly ids: readonly string[] };

export type NameMethods = {
  readonly named: (query: NameQuery) => Promise<ReadonlyMap<string, ReferencedRecord>>;
};

export function nameMethods(sql: Sql, organizationId: string): NameMethods {
  const lookup = lookupIn(sql, organizationId);
  return { named: ({ kind, ids }) => lookup(kind, ids) };
}

export const lookupBy =
  (call: RpcClient<NameMethods>): Lookup =>
  (kind, ids) =>
    call('named', { kind, ids });

/** The names of the records that actions refer to, if the reader may see them. */
export async function namesIn(
  actions: readonly RuleAction[],
  reader: Pick<Caller, 'teamIds'>,
  lookup: Lookup,
): Promise<Names> {
  const references = referencesIn(alertRoutingRule.fields.actions, actions);
  const names = new Map<string, string>();
  for (const [kind, own] of Map.groupBy(references, ({ to }) => to)) {
    const ids = own.map(({ id }) => id);
    for (const { id, name, active, teamId } of (await lookup(kind, ids)).values())
      if (maySee(reader, teamId)) names.set(id, active ? name : `${name} (which is not active)`);
  }
  return names;
}
