import { type Key, keyText } from '../../engine/ledger.ts';
import { type Escalation, type Incident, wakeAt } from '../../incidents/incident.ts';
import type { Known } from '../../incidents/receive.ts';
import { json } from '../record-rows.ts';
import type { Desk } from './ledger.ts';

export type IncidentRow = Omit<Incident, 'escalation'> & { escalation: StoredEscalation };
type StoredEscalation = { [K in keyof Escalation]: unknown };

const instantIn = (value: unknown): Temporal.Instant | null =>
  typeof value === 'string' ? Temporal.Instant.from(value) : null;

/** The row as an incident: instants inside `escalation` are text in the database. */
export function incidentOf(row: IncidentRow): Incident {
  const stored = row.escalation as unknown as Escalation;
  const storm = stored.storm as unknown as { until: string; eventId: string } | null;
  return {
    ...row,
    escalation: {
      ...stored,
      stepAt: instantIn(stored.stepAt),
      ackTimeoutAt: instantIn(stored.ackTimeoutAt),
      resolveAt: instantIn(stored.resolveAt),
      expiresAt: instantIn(stored.expiresAt),
      stormToldAt: instantIn(stored.stormToldAt),
      storm: storm && { until: Temporal.Instant.from(storm.until), eventId: storm.eventId },
    },
  };
}

/** What the life of an incident can change; the rest is written once. */
export const changingOf = (incident: Incident) => ({
  organization_id: incident.organization_id,
  id: incident.id,
  status: incident.status,
  priority: incident.priority,
  severity: incident.severity,
  responder_ids: incident.responder_ids,
  suppressed_count: incident.suppressed_count,
  updated_at: incident.updated_at,
  acknowledged_at: incident.acknowledged_at,
  resolved_at: incident.resolved_at,
  resolved_by_timer: incident.resolved_by_timer,
  muted_until: incident.muted_until,
  merged_into_id: incident.merged_into_id,
  escalation: incident.escalation,
  wake_at: wakeAt(incident),
});

export const rowOf = (incident: Incident) => ({ ...incident, ...changingOf(incident) });

export const columns = [
  'organization_id',
  'id',
  'number',
  'title',
  'status',
  'priority',
  'severity',
  'team_id',
  'service_id',
  'integration_id',
  'source_integration_id',
  'escalation_policy_id',
  'dedup_key',
  'details',
  'links',
  'responder_ids',
  'suppressed_count',
  'repeat_count',
  'created_at',
  'updated_at',
  'acknowledged_at',
  'resolved_at',
  'resolved_by_timer',
  'muted_until',
  'merged_into_id',
  'steps',
  'escalation',
] as const;

export async function dueIncidents(
  { sql }: Desk,
  now: Temporal.Instant,
  limit: number,
): Promise<readonly Incident[]> {
  const rows = await sql<IncidentRow[]>`
    select ${sql(columns)} from incidents where wake_at <= ${now}
    order by wake_at limit ${limit} for update skip locked`;
  return rows.map(incidentOf);
}

export async function lockIncidents(
  { sql }: Desk,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly Incident[]> {
  const rows = await sql<IncidentRow[]>`
    select ${sql(columns)} from incidents
    where organization_id = ${organizationId} and id = any(${[...ids]})
    order by id for update`;
  return rows.map(incidentOf);
}

export async function anotherIsOpen({ sql }: Desk, incident: Incident): Promise<boolean> {
  // The integration's lock keeps an event of this key from opening one at the same time.
  await sql`
    select 1 from integrations
    where organization_id = ${incident.organization_id} and id = ${incident.source_integration_id}
    for no key update`;
  const rows = await sql`
    select 1 from incidents
    where organization_id = ${incident.organization_id}
      and source_integration_id = ${incident.source_integration_id}
      and dedup_key = ${incident.dedup_key} and status <> 'resolved' and id <> ${incident.id}
    limit 1`;
  return rows.length > 0;
}

export async function numbers(
  { sql }: Desk,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; number: number }[]>`
    select id, number from incidents
    where organization_id = ${organizationId} and id = any(${[...ids]})`;
  return new Map(rows.map((row) => [row.id, row.number]));
}

type Match = { integration_id: string; dedup_key: string; id: string };
type Last = {
  integration_id: string;
  dedup_key: string;
  repeat_count: number;
  priority: string | null;
  severity: string | null;
  escalation: Escalation;
};

/**
 * Three statements on their way at once: which incidents match which key, what the last incident
 * of each key was, and the matching incidents themselves, locked in the order of their ids.
 */
export async function known(
  { sql }: Desk,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, Known>> {
  if (keys.length === 0) return new Map();
  const sought = json(sql, keys);
  const chain = sql`
    with recursive sought as (
      select * from json_to_recordset(${sought})
        as k(organization_id text, integration_id text, dedup_key text)
    ), chain as (
      select k.integration_id, k.dedup_key, i.organization_id, i.id, i.status, i.merged_into_id
      from sought k join incidents i
        on i.organization_id = k.organization_id
        and i.source_integration_id = k.integration_id and i.dedup_key = k.dedup_key
        and (i.status <> 'resolved' or i.merged_into_id is not null)
      union
      select c.integration_id, c.dedup_key, i.organization_id, i.id, i.status, i.merged_into_id
      from chain c join incidents i
        on i.organization_id = c.organization_id and i.id = c.merged_into_id
    )`;
  const [rows, matches, lasts] = await Promise.all([
    sql<IncidentRow[]>`
      ${chain}
      select ${sql(columns)} from incidents
      where (organization_id, id) in (
        select organization_id, id from chain where status <> 'resolved')
        and status <> 'resolved'
      order by id for update`,
    sql<Match[]>`
      ${chain} select integration_id, dedup_key, id from chain where status <> 'resolved'`,
    sql<Last[]>`
      select k.integration_id, k.dedup_key, l.*
      from json_to_recordset(${sought})
        as k(organization_id text, integration_id text, dedup_key text)
      cross join lateral (
        select repeat_count, priority, severity, escalation from incidents i
        where i.organization_id = k.organization_id
          and i.source_integration_id = k.integration_id and i.dedup_key = k.dedup_key
        order by i.id desc limit 1
      ) l`,
  ]);
  return knownOf(matches, lasts, new Map(rows.map((row) => [row.id, incidentOf(row)])));
}

function knownOf(
  matches: readonly Match[],
  lasts: readonly Last[],
  incidents: ReadonlyMap<string, Incident>,
): ReadonlyMap<string, Known> {
  const all = new Map<string, { -readonly [K in keyof Known]: Known[K] }>();
  for (const last of lasts) {
    const { prioritySetByPerson, severitySetByPerson } = last.escalation;
    all.set(keyText({ organization_id: '', ...last }), {
      open: [],
      repeatCount: last.repeat_count + 1,
      carried: {
        priority: prioritySetByPerson ? last.priority : null,
        severity: severitySetByPerson ? last.severity : null,
      },
    });
  }
  for (const match of matches) {
    const incident = incidents.get(match.id);
    const one = all.get(keyText({ organization_id: '', ...match }));
    if (incident && one) one.open = [...one.open, incident].sort(byAge);
  }
  return all;
}

const byAge = (a: Incident, b: Incident) => (a.id < b.id ? -1 : 1);
