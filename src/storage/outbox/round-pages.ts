// The pages of incidents' current cycles, with what is known of each.
import type { Incident } from '../../incidents/incident.ts';
import { pageStateOf, type RoundPage } from '../../incidents/page-results.ts';
import { ringingChannels } from '../../resources/channels.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { json } from '../records/rows.ts';
import { lastOutcome } from './handed-over.ts';
import { isTelephoneBusy } from './telephone.ts';

type Row = Omit<RoundPage, 'state' | 'isTried'> & {
  readonly incident_id: string;
  readonly state: string;
  /** Of the last attempt whose end is recorded; null: there is none. */
  readonly outcome: string | null;
};

export async function roundPages(
  { sql }: LedgerContext,
  incidents: readonly Incident[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, readonly RoundPage[]>> {
  const cycles = incidents.map(({ organization_id, id, escalation: { cycle } }) => ({
    organization_id,
    id,
    cycle,
  }));
  const rows = await sql<Row[]>`
    select o.incident_id, o.key, o.step, coalesce((o.notice->>'wave')::integer, 0) as wave, o.state,
      last.outcome, coalesce(previous.outcome = 'handed_over', false) as "wasTaken",
      o.channel = any(${[...ringingChannels]}) and o.state = 'pending' and ${isTelephoneBusy(sql, now)} as "isOnPhone"
    from json_to_recordset(${json(sql, cycles)}) as i(organization_id text, id text, cycle integer)
    -- By the index, for each incident: the planner expects many of them, and would read the table.
    cross join lateral (
      select * from outbox
      where organization_id = i.organization_id and incident_id = i.id and cycle = i.cycle
        and kind = 'page'
      offset 0) o
    left join lateral (${lastOutcome(sql, 'o')}) last on true
    left join lateral (${lastOutcome(sql, 'o', 1)}) previous on true
    order by o.key`;
  const pages = rows.map(({ incident_id, state, outcome, ...page }) => ({
    incident_id,
    page: {
      ...page,
      state: pageStateOf(state, outcome === 'handed_over'),
      isTried: outcome !== null,
    },
  }));
  const byIncident = Map.groupBy(pages, ({ incident_id }) => incident_id);
  return new Map([...byIncident].map(([id, own]) => [id, own.map(({ page }) => page)]));
}
