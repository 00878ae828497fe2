// Mappings of integrations, and all that an integration has had.
import { isDeepStrictEqual } from 'node:util';
import type { Mapping } from '../alerts/reading/notation.ts';
import type { Ids } from '../engine/ids.ts';
import { anything } from '../resources/declaration/field.ts';
import { integration } from '../resources/integration.ts';
import { type Act, audit } from './audit.ts';
import { type Queries, type Sql, transact } from './database.ts';
import { find, type Scope } from './records/queries.ts';
import { json } from './records/rows.ts';

type Forms = Mapping['forms'];

export type MappingRow = { readonly mapping: unknown; readonly mapping_revision: number };

/** What is stored was checked; a server of an older version that cannot compile it reads by the type. */
export const mappingOf = ({ mapping, mapping_revision }: MappingRow): Mapping | null =>
  Array.isArray(mapping) ? { revision: mapping_revision, forms: mapping as Forms } : null;

/** By id or counter. Without a mapping, its forms are none. */
export async function findMapping(
  sql: Queries,
  of: { readonly integration: string; readonly scope: Scope },
): Promise<Mapping | null> {
  const row = await find(sql, integration, { key: of.integration, scope: of.scope });
  if (row === undefined) return null;
  const [stored] = await sql<MappingRow[]>`
    select mapping, mapping_revision from integrations
    where organization_id = ${of.scope.organizationId} and id = ${row['id']}`;
  const revision = stored?.mapping_revision ?? 0;
  return (stored && mappingOf(stored)) ?? { revision, forms: [] };
}

type Change = {
  readonly integration: string;
  readonly act: Act;
  /** None: it is removed. */
  readonly forms: Forms | null;
};

const audited = { kind: 'integration_mapping', schema: anything('The forms.') } as const;

/** The same mapping again is no further revision. */
export function changeMapping(
  { sql, ids }: { readonly sql: Sql; readonly ids: Ids },
  { integration: named, act, forms }: Change,
): Promise<Mapping | 'not_found' | 'archived'> {
  return transact(sql, async (tx) => {
    const row = await find(tx, integration, { key: named, scope: act, lock: true });
    if (row === undefined) return 'not_found';
    if (row['archived_at'] !== null) return 'archived';
    const { organizationId: organization_id, now } = act;
    const id = String(row['id']);
    const [stored = { mapping: null, mapping_revision: 0 }] = await tx<MappingRow[]>`
      select mapping, mapping_revision from integrations
      where organization_id = ${organization_id} and id = ${id}`;
    const before = mappingOf(stored);
    if (isDeepStrictEqual(before?.forms ?? null, forms))
      return before ?? { revision: stored.mapping_revision, forms: [] };
    const revision = stored.mapping_revision + 1;
    await tx`
      update integrations
      set mapping = ${forms && json(tx, forms)}, mapping_revision = ${revision}
      where organization_id = ${organization_id} and id = ${id}`;
    await tx`
      insert into integration_mappings
        (organization_id, integration_id, revision, forms, created_at, created_by)
      values (${organization_id}, ${id}, ${revision}, ${forms && json(tx, forms)}, ${now},
        ${act.actor.name})`;
    await audit(tx, ids, {
      ...{ act, ...audited, action: forms === null ? 'delete' : 'update', id },
      ...(before && { before: { forms: before.forms } }),
      ...(forms && { after: { forms } }),
    });
    return { revision, forms: forms ?? [] };
  });
}
