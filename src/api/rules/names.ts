// What ids name, asked for by a worker thread.
import type { Sql } from '../../storage/database.ts';
import type { ReferencedRecord } from '../../storage/records/record-hooks.ts';
import { type Lookup, lookupIn } from '../../storage/records/uses.ts';
import type { Ask } from '../../workers/answering.ts';

type Asked = { readonly kind: string; readonly ids: readonly string[] };

export type NameAnswers = {
  readonly named: (asked: Asked) => Promise<ReadonlyMap<string, ReferencedRecord>>;
};

export function nameAnswers(sql: Sql, organizationId: string): NameAnswers {
  const look = lookupIn(sql, organizationId);
  return { named: ({ kind, ids }) => look(kind, ids) };
}

export const lookUpBy =
  (ask: Ask<NameAnswers>): Lookup =>
  (kind, ids) =>
    ask('named', { kind, ids });
