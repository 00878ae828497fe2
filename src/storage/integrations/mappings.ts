// Mappings of integrations, and all that an integration has had.
import { isDeepStrictEqual } from 'node:util';
import type { Mapping } from '../../alerts/reading/notation.ts';
import type { Ids } from '../../engine/ids.ts';
import { eventsLimits } from '../../limits/events.ts';
import { anything } from '../../resources/declaration/field.ts';
import { integration } from '../../resources/integration.ts';
import { type Queries, type Sql, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { find, type Scope } from '../records/queries.ts';
import { json, timeText } from '../records/rows.ts';

type Forms = Mapping['forms'];

export type StoredMapping = Mapping & {
  readonly integrationId: string;
  /** When the integration was archived. */
  readonly archivedAt: string | null;
};

export type MappingRow = { readonly mapping: unknown; readonly mapping_revision: number };

/** What is stored was checked; a server of an older version that cannot compile it reads by the type. */
export const mappingOf = ({ mapping, mapping_revision }: MappingRow): Mapping | null =>
  Array.isArray(mapping) ? { revision: mapping_revision, forms: mapping as Forms } : null;

/** By id or counter. Without a mapping, its forms are none. */
export async function findMapping(
  sql: Queries,
  of: { readonly integration: string; readonly scope: Scope },
): Promise<StoredMapping | null> {
  const row = await find(sql, integration, { key: of.integration, scope: of.scope });
  return row === undefined ? null : storedMapping(row as IntegrationRow);
}

type IntegrationRow = MappingRow & {
  readonly id: string;
  readonly archived_at: Temporal.Instant | null;
};

const storedMapping = ({ id, archived_at, ...row }: IntegrationRow): StoredMapping => ({
  ...(mappingOf(row) ?? { revision: row.mapping_revision, forms: [] }),
  integrationId: id,
  archivedAt: archived_at && timeText(archived_at),
});

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
): Promise<StoredMapping | 'not_found' | 'archived'> {
  return transact(sql, async (tx) => {
    const row = await find(tx, integration, { key: named, scope: act, lock: true });
    if (row === undefined) return 'not_found';
    if (row['archived_at'] !== null) return 'archived';
    const { organizationId: organization_id, now } = act;
    const before = storedMapping(row as IntegrationRow);
    if (isDeepStrictEqual(before.forms, forms ?? [])) return before;
    const { integrationId: id } = before;
    const revision = before.revision + 1;
    await tx`
      update integrations
      set mapping = ${forms && json(tx, forms)}, mapping_revision = ${revision}
      where organization_id = ${organization_id} and id = ${id}`;
    await tx`
      insert into integration_mappings
        (organization_id, integration_id, revision, forms, created_at, created_by)
      values (${organization_id}, ${id}, ${revision}, ${forms && json(tx, forms)}, ${now},
        ${act.actor.name})`;
    await tx`
      delete from integration_mappings
      where organization_id = ${organization_id} and integration_id = ${id}
        and revision <= ${revision - eventsLimits.mappingRevisions}`;
    await audit(tx, ids, {
      act,
      ...audited,
      action: forms === null ? 'delete' : 'update',
      id,
      ...(before.forms.length > 0 && { before: { forms: before.forms } }),
      ...(forms && { after: { forms } }),
    });
    return { ...before, revision, forms: forms ?? [] };
  });
}
