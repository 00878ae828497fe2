// The records behind ids, for a worker thread.
import type { Sql } from '../../storage/database.ts';
import type { ReferencedRecord } from '../../storage/records/record-hooks.ts';
import { type Lookup, lookupIn } from '../../storage/records/uses.ts';
import type { RpcClient } from '../../workers/rpc.ts';

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
