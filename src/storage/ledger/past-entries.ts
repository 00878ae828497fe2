import type { PastEntries, PastEntry } from '../../incidents/actions-without-effect.ts';
import type { Incident } from '../../incidents/incident.ts';
import type { LedgerContext } from './context.ts';

type Row = {
  readonly type: string;
  readonly account: string | null;
  readonly actor_type: string | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly via: string | null;
};

/** The last first. */
export async function pastEntries(
  { sql }: LedgerContext,
  { organization_id, id: incidentId }: Incident,
  { types, limit }: PastEntries,
): Promise<readonly PastEntry[]> {
  const rows = await sql<Row[]>`
    select type, details->>'account' as account, actor->>'type' as actor_type, actor->>'id' as id,
      actor->>'name' as name, actor->>'via' as via
    from timeline
    where organization_id = ${organization_id} and incident_id = ${incidentId}
      and type = any(${[...types]})
    order by sequence desc limit ${limit}`;
  return rows.map(({ type, account, actor_type, id, name, via }) => {
    const actor =
      actor_type === null ? null : { type: actor_type, id, name: name ?? '', via: via ?? '' };
    return { type, account, actor };
  });
}
