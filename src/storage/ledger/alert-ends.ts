// The last ends of deduplication keys, which tell what comes late.
import type { RememberedEnd } from '../../engine/ports/changes.ts';
import { type Key, keyText } from '../../engine/ports/keys.ts';
import type { KeyEnd } from '../../incidents/key-end.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import type { Queries, Sql } from '../database/database.ts';
import { json, namedRows } from '../records/rows.ts';
import type { LedgerContext } from './context.ts';
import { parseSenders } from './stored-incident.ts';

type Row = {
  readonly integration_id: string;
  readonly dedup_key: string;
  readonly reported_by: KeyEnd['by'];
  readonly ended_at: Temporal.Instant;
  readonly taken_at: Temporal.Instant;
  readonly put_off_began_at: Temporal.Instant | null;
  readonly put_off_since: Temporal.Instant | null;
  readonly reporter: string | null;
  readonly still_reported_by: readonly string[] | null;
  readonly senders: unknown;
};

/** By the text of its key; of the keys that ask for it. */
export async function readEnds(
  sql: Queries,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, KeyEnd>> {
  const timed = keys.filter(({ isTimed }) => isTimed);
  if (timed.length === 0) return new Map();
  const rows = await sql<Row[]>`
    select e.integration_id, e.dedup_key, e.reported_by, e.ended_at, e.taken_at,
      e.put_off_began_at, e.put_off_since, e.reporter, e.still_reported_by, e.senders
    from json_to_recordset(${json(sql, timed)})
      as k(organization_id text, integration_id text, dedup_key text)
    join alert_ends e on e.organization_id = k.organization_id
      and e.integration_id = k.integration_id and e.dedup_key = k.dedup_key`;
  return new Map(rows.map((row) => [keyText(row), endOf(row)]));
}

const endOf = (row: Row): KeyEnd => ({
  by: row.reported_by,
  endedAt: row.ended_at,
  takenAt: row.taken_at,
  ...(row.reporter !== null && { reporter: row.reporter }),
  ...(row.still_reported_by !== null && { stillReportedBy: row.still_reported_by }),
  putOff:
    row.put_off_began_at && row.put_off_since
      ? { beganAt: row.put_off_began_at, since: row.put_off_since }
      : null,
  ...(row.senders !== null && { senders: parseSenders(row.senders) }),
});

/** The caller holds the locks of the integrations. */
export async function saveEnds(
  { sql }: Pick<LedgerContext, 'sql'>,
  ends: readonly RememberedEnd[],
): Promise<void> {
  if (ends.length === 0) return;
  const rows = ends.map(({ key, end }) => ({
    organization_id: key.organization_id,
    integration_id: key.integration_id,
    dedup_key: key.dedup_key,
    reported_by: end.by,
    ended_at: end.endedAt,
    taken_at: end.takenAt,
    put_off_began_at: end.putOff?.beganAt ?? null,
    put_off_since: end.putOff?.since ?? null,
    reporter: end.reporter ?? null,
    still_reported_by: end.stillReportedBy ?? null,
    senders: end.senders ?? null,
  }));
  await sql`
    insert into alert_ends ${namedRows(sql, 'alert_ends', rows)}
    on conflict (organization_id, integration_id, dedup_key) do update
    set reported_by = excluded.reported_by, ended_at = excluded.ended_at,
      taken_at = excluded.taken_at, put_off_began_at = excluded.put_off_began_at,
      put_off_since = excluded.put_off_since, reporter = excluded.reporter,
      still_reported_by = excluded.still_reported_by, senders = excluded.senders`;
}

/** Those that are too old, and the oldest of an integration that has too many. */
export async function removeEnds(sql: Sql, now: Temporal.Instant): Promise<number> {
  const old = await sql`
    delete from alert_ends where taken_at <= ${now.subtract({ hours: incidentsLimits.endHours })}`;
  const many = await sql`
    with full_ones as materialized (
      select organization_id, integration_id from alert_ends
      group by organization_id, integration_id having count(*) > ${incidentsLimits.ends}
    ), oldest_kept as materialized (
      select f.organization_id, f.integration_id, k.taken_at, k.dedup_key
      from full_ones f cross join lateral (
        select taken_at, dedup_key from alert_ends k
        where k.organization_id = f.organization_id and k.integration_id = f.integration_id
        order by taken_at desc, dedup_key desc offset ${incidentsLimits.ends - 1} limit 1
      ) k
    )
    delete from alert_ends e using oldest_kept k
    where e.organization_id = k.organization_id and e.integration_id = k.integration_id
      and (e.taken_at, e.dedup_key) < (k.taken_at, k.dedup_key)`;
  return old.count + many.count;
}
