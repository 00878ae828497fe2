// What is no longer kept of an organisation, so that no answer passes for the whole.
import type { RemovedKind } from '../../resources/retention.ts';
import type { Queries } from '../database/database.ts';

/** One organisation's, of one kind: what ended before that time was kept long enough. */
export type Outdated = { readonly organizationId: string; readonly before: Temporal.Instant };

export async function noteRemoval(
  sql: Queries,
  { organizationId, before }: Outdated,
  { kind, removed }: { readonly kind: RemovedKind; readonly removed: number },
): Promise<void> {
  if (removed === 0) return;
  await sql`
    insert into removals as r (organization_id, kind, until, removed)
    values (${organizationId}, ${kind}, ${before}, ${removed})
    on conflict (organization_id, kind) do update
      set until = greatest(r.until, excluded.until), removed = r.removed + excluded.removed`;
}

/** Null: nothing was removed yet. */
export async function removedBefore(
  sql: Queries,
  organizationId: string,
  kind: RemovedKind,
): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ until: Temporal.Instant }[]>`
    select until from removals where organization_id = ${organizationId} and kind = ${kind}`;
  return row?.until ?? null;
}

/** What is gone of one incident. */
export type IncidentRemovals = {
  /** The first entries of its timeline, and since when. */
  readonly timeline: { readonly entries: number; readonly at: Temporal.Instant } | null;
  /** Since when notices are. */
  readonly noticesAt: Temporal.Instant | null;
};

type Row = {
  readonly removed_entries: number | null;
  readonly removed_at: Temporal.Instant | null;
  readonly notices_removed_at: Temporal.Instant | null;
};

export async function removalsOf(
  sql: Queries,
  { organizationId, incidentId }: { readonly organizationId: string; readonly incidentId: string },
): Promise<IncidentRemovals> {
  const [row] = await sql<Row[]>`
    select removed_entries, removed_at, notices_removed_at from timeline_heads
    where organization_id = ${organizationId} and incident_id = ${incidentId}`;
  const { removed_entries: entries = null, removed_at: at = null } = row ?? {};
  return {
    timeline: entries === null || at === null ? null : { entries, at },
    noticesAt: row?.notices_removed_at ?? null,
  };
}
