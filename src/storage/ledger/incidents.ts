import { postponeMinutes } from '../../engine/faults.ts';
import { failureOf } from '../../engine/log.ts';
import type { IncidentKey, UnreadableIncident } from '../../engine/ports/incidents.ts';
import {
  type Key,
  keyText,
  keyTextOf,
  type RawKey,
  rawKeyText,
  rawKeyTextOf,
} from '../../engine/ports/keys.ts';
import { Unreadable } from '../../engine/unreadable.ts';
import { type KeyState, withEnds } from '../../incidents/alert-context.ts';
import { type Escalation, type Incident, minutesAfter, wakeAt } from '../../incidents/incident.ts';
import type { RawKeyState } from '../../incidents/raw-keys.ts';
import { columnList } from '../columns.ts';
import type { Queries } from '../database.ts';
import { notifyOfUndecided } from '../outbox/admins.ts';
import { json } from '../records/rows.ts';
import { versioned } from '../stored-document.ts';
import { readEnds } from './alert-ends.ts';
import type { LedgerContext } from './context.ts';
import { keyed } from './keys.ts';
import { parseEscalation, parseSteps } from './stored-incident.ts';
import { insertTimeline } from './timeline.ts';

export type IncidentRow = Omit<Incident, 'escalation' | 'steps'> & {
  readonly escalation: unknown;
  readonly steps: unknown;
};

/** Throws when what is stored as JSON cannot be read. */
export const incidentOf = (row: IncidentRow): Incident => ({
  ...row,
  steps: parseSteps(row.steps),
  escalation: parseEscalation(row.escalation),
});

/** What the life of an incident can change; the rest is written once. */
export const changingOf = (incident: Incident) => ({
  organization_id: incident.organization_id,
  id: incident.id,
  raw_key: incident.raw_key ?? null,
  title: incident.title,
  links: incident.links,
  team_id: incident.team_id,
  service_id: incident.service_id,
  integration_id: incident.integration_id,
  escalation_policy_id: incident.escalation_policy_id,
  steps: incident.steps,
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
  escalation: versioned(incident.escalation),
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
  'raw_key',
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
  context: LedgerContext,
  now: Temporal.Instant,
  limit: number,
): Promise<readonly Incident[]> {
  const { sql } = context;
  const rows = await sql<IncidentRow[]>`
    select ${columnList(sql, columns)} from incidents where wake_at <= ${now}
    order by wake_at limit ${limit} for update skip locked`;
  const { read, broken } = incidentsIn(rows);
  for (const { row, error } of broken) await postponeIncident(context, row, { error, now });
  return read;
}

/**
 * Makes the incident due again in ten minutes, with a timeline entry. Admins are notified once
 * until it changes.
 */
export async function postponeIncident(
  context: LedgerContext,
  { organization_id, id }: IncidentKey,
  { error, now }: { readonly error: unknown; readonly now: Temporal.Instant },
): Promise<void> {
  const { sql, faults } = context;
  faults({ of: 'incident', id, error });
  const reason = failureOf(error);
  const text = `Could not be processed. Pager retries in ${postponeMinutes} minutes: ${reason}`;
  const entry = { incident_id: id, type: 'undecided', text, actor: null, details: null };
  const [row] = await sql<PostponedRow[]>`
    update incidents set wake_at = ${minutesAfter(now, postponeMinutes)}
    where organization_id = ${organization_id} and id = ${id} and status <> 'resolved'
    returning team_id, number, title, updated_at`;
  if (row === undefined) return;
  await insertTimeline(context, { entries: [{ organization_id, ...entry }], at: now });
  const { team_id, number, title, updated_at } = row;
  const since = `${updated_at.epochMilliseconds}`;
  const undecided = { of: 'incident', id, name: `INC-${number} ${title}`, reason } as const;
  await notifyOfUndecided(context, { organization_id, team_id, since, ...undecided }, now);
}

type PostponedRow = Pick<Incident, 'team_id' | 'number' | 'title' | 'updated_at'>;

type BrokenRow = { readonly row: IncidentRow; readonly error: unknown };

/** Parses rows as incidents; unreadable rows are returned apart. */
function incidentsIn(rows: readonly IncidentRow[]) {
  const read: Incident[] = [];
  const broken: BrokenRow[] = [];
  for (const row of rows) {
    try {
      read.push(incidentOf(row));
    } catch (error) {
      broken.push({ row, error });
    }
  }
  return { read, broken };
}

/**
 * Without those that cannot be read: an alert to one of them opens another, and people are paged.
 */
export function readable(
  { faults }: LedgerContext,
  rows: readonly IncidentRow[],
  unreadable?: (incident: UnreadableIncident) => void,
): readonly Incident[] {
  const { read, broken } = incidentsIn(rows);
  for (const { row, error } of broken) {
    faults({ of: 'incident', id: row.id, error });
    const { id, team_id, number } = row;
    unreadable?.({ id, team_id, error: new Unreadable(`INC-${number}`, error) });
  }
  return read;
}

type IncidentLock = {
  readonly organizationId: string;
  readonly ids: readonly string[];
  readonly unreadable?: ((incident: UnreadableIncident) => void) | undefined;
};

export async function lockIncidents(
  context: LedgerContext,
  { organizationId, ids, unreadable }: IncidentLock,
): Promise<readonly Incident[]> {
  const { sql } = context;
  const keys = [...new Set(ids)].map((id) => ({ organization_id: organizationId, id }));
  const rows = await sql<IncidentRow[]>`
    select ${columnList(sql, columns, 'i')} from ${keyed(sql, keys)}
    join incidents i on i.organization_id = k.organization_id and i.id = k.id
    order by i.id for update of i`;
  return readable(context, rows, unreadable);
}

export async function anotherIsOpen({ sql }: LedgerContext, incident: Incident): Promise<boolean> {
  // The integration's lock keeps an event of this key from opening one at the same time.
  await sql`
    select 1 from integrations
    where organization_id = ${incident.organization_id} and id = ${incident.source_integration_id}
    for no key update`;
  return leadsToAnother(sql, incident);
}

/** Whether another incident is open that alerts of its key belong to. */
export async function leadsToAnother(sql: Queries, incident: Incident): Promise<boolean> {
  const { source_integration_id: source, dedup_key } = incident;
  // What a person has opened is alone under its key.
  const ofKey =
    source === null
      ? sql`id = ${incident.id}`
      : sql`source_integration_id = ${source} and dedup_key = ${dedup_key}`;
  const rows = await sql`
    with recursive led as (
      select organization_id, id, status, merged_into_id from incidents
      where organization_id = ${incident.organization_id} and ${ofKey}
        and (status <> 'resolved' or merged_into_id is not null)
      union
      select i.organization_id, i.id, i.status, i.merged_into_id from led
      join incidents i on i.organization_id = led.organization_id and i.id = led.merged_into_id
    )
    select from led where status <> 'resolved' and id <> ${incident.id} limit 1`;
  return rows.length > 0;
}

type LastIncident = {
  id: string;
  created_at: Temporal.Instant;
  integration_id: string;
  dedup_key: string;
  repeat_count: number;
  priority: string | null;
  severity: string | null;
  escalation: Escalation | null;
};
type MatchedRow = IncidentRow & { readonly has_exchanged_key: boolean };
type LastIncidentRow = Omit<LastIncident, 'escalation'> & { escalation: unknown };

/**
 * Two statements on their way at once: the incidents that each key leads to, locked in the order of
 * their ids, and the last incident of each key. Merged ones are followed, which is rare, after.
 */
export async function known(
  context: LedgerContext,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, KeyState>> {
  const { sql } = context;
  if (keys.length === 0) return new Map();
  const keyRows = json(sql, keys);
  const [ends, matched, lasts] = await Promise.all([
    readEnds(sql, keys),
    sql<MatchedRow[]>`
      select ${columnList(sql, columns, 'i')}, i.has_exchanged_key
      from json_to_recordset(${keyRows})
        as k(organization_id text, integration_id text, dedup_key text)
      join incidents i on i.organization_id = k.organization_id
        and i.source_integration_id = k.integration_id and i.dedup_key = k.dedup_key
        and (i.status <> 'resolved' or i.merged_into_id is not null)
      order by i.id for update of i`,
    sql<LastIncidentRow[]>`
      select k.integration_id, k.dedup_key, l.*
      from json_to_recordset(${keyRows})
        as k(organization_id text, integration_id text, dedup_key text)
      cross join lateral (
        select id, repeat_count, priority, severity, created_at,
          -- Of those that match, it is read already.
          case when status = 'resolved' and merged_into_id is null then escalation end as escalation
        from incidents i
        where i.organization_id = k.organization_id
          and i.source_integration_id = k.integration_id and i.dedup_key = k.dedup_key
        order by ${newestFirst(sql)} limit 1
      ) l`,
  ]);
  const rows = matched.map(({ has_exchanged_key: isExchanged, ...row }) => ({ row, isExchanged }));
  const exchanged = new Set(rows.flatMap(({ row, isExchanged }) => (isExchanged ? [row.id] : [])));
  const incidents = readable(
    context,
    rows.map(({ row }) => row),
  );
  const read = lasts.map((last) => lastOf(context, last));
  const matches = await followed(context, { matched: incidents, exchanged });
  return withEnds(knownOf(matches, read, incidents), ends);
}

/** As `known`, of raw keys. Their incidents have keys of their own, so these are locked after them. */
export async function knownRaw(
  context: LedgerContext,
  keys: readonly RawKey[],
): Promise<ReadonlyMap<string, RawKeyState>> {
  const { sql } = context;
  const keyRows = json(sql, keys);
  const [matched, lasts] = await Promise.all([
    sql<IncidentRow[]>`
      select ${columnList(sql, columns, 'i')}
      from json_to_recordset(${keyRows})
        as k(organization_id text, integration_id text, raw_key text)
      join incidents i on i.organization_id = k.organization_id
        and i.source_integration_id = k.integration_id and i.raw_key = k.raw_key
        and (i.status <> 'resolved' or i.merged_into_id is not null)
      order by i.id for update of i`,
    sql<{ integration_id: string; raw_key: string; resolved_at: Temporal.Instant }[]>`
      select k.integration_id, k.raw_key, l.resolved_at
      from json_to_recordset(${keyRows})
        as k(organization_id text, integration_id text, raw_key text)
      cross join lateral (
        select resolved_at from incidents i
        where i.organization_id = k.organization_id
          and i.source_integration_id = k.integration_id and i.raw_key = k.raw_key
          and i.resolved_at is not null
        order by i.resolved_at desc limit 1
      ) l`,
  ]);
  const matches = await followed(context, {
    matched: readable(context, matched),
    exchanged: new Set(),
    textOf: rawKeyTextOf,
  });
  const openOf = Map.groupBy(matches, ({ key }) => key);
  const lastOfKey = new Map(lasts.map((last) => [rawKeyText(last), last.resolved_at]));
  return new Map(
    keys.map((key) => {
      const text = rawKeyText(key);
      const open = new Map(openOf.get(text)?.map(({ incident }) => [incident.id, incident]));
      const lastResolvedAt = lastOfKey.get(text) ?? null;
      return [text, { open: [...open.values()].sort(byAge), lastResolvedAt }];
    }),
  );
}

/** Of incidents `i` of one organisation. Ids of several servers do not tell which was opened last. */
export const newestFirst = (sql: Queries) => sql`i.number desc`;

/** If the last incident of the key cannot be read, the alert still opens an incident. */
function lastOf({ faults }: LedgerContext, last: LastIncidentRow): LastIncident {
  try {
    const { escalation } = last;
    return { ...last, escalation: escalation === null ? null : parseEscalation(escalation) };
  } catch (error) {
    faults({ of: 'incident', id: last.id, error });
    return { ...last, escalation: null };
  }
}

type Match = {
  readonly key: string;
  readonly incident: Incident;
  /** The exchange made the key again, of the incident that led here. */
  readonly isExchanged: boolean;
};

type Matched = {
  readonly matched: readonly Incident[];
  readonly exchanged: ReadonlySet<string>;
  readonly textOf?: (incident: Incident) => string | undefined;
};

/** Each key with the open incident it leads to, through as many merges as there were. */
async function followed(
  context: LedgerContext,
  { matched, exchanged, textOf = keyTextOf }: Matched,
): Promise<readonly Match[]> {
  let matches = matched.map(
    (incident): Match => ({
      key: textOf(incident) ?? '',
      incident,
      isExchanged: exchanged.has(incident.id),
    }),
  );
  const seen = new Map(matched.map((incident) => [incident.id, incident]));
  for (;;) {
    const merged = matches.filter(({ incident }) => incident.merged_into_id !== null);
    if (merged.length === 0) break;
    const perOrganization = Map.groupBy(merged, ({ incident }) => incident.organization_id);
    for (const [organizationId, own] of perOrganization) {
      const ids = own.flatMap(({ incident }) => incident.merged_into_id ?? []);
      const unseen = [...new Set(ids)].filter((id) => !seen.has(id));
      for (const one of await lockIncidents(context, { organizationId, ids: unseen }))
        seen.set(one.id, one);
    }
    matches = matches.flatMap((match) => {
      if (match.incident.merged_into_id === null) return [match];
      const next = seen.get(match.incident.merged_into_id);
      return next ? [{ ...match, incident: next }] : [];
    });
  }
  return matches.filter(({ incident }) => incident.status !== 'resolved');
}

function knownOf(
  matches: readonly Match[],
  lasts: readonly LastIncident[],
  matched: readonly Incident[],
): ReadonlyMap<string, KeyState> {
  const escalationOf = new Map(matched.map(({ id, escalation }) => [id, escalation]));
  const openOf = Map.groupBy(matches, (one) => one.key);
  return new Map(
    lasts.map((last) => {
      const key = keyText(last);
      // Undefined if it cannot be read; that has been reported already.
      const escalation = last.escalation ?? escalationOf.get(last.id);
      const { prioritySetByPerson, severitySetByPerson, repeatedAt = [] } = escalation ?? {};
      const own = openOf.get(key) ?? [];
      const open = new Map(own.map(({ incident }) => [incident.id, incident]));
      const exchanged = exchangedAmong(own);
      const known: KeyState = {
        open: [...open.values()].sort(byAge),
        ...(exchanged.size > 0 && { exchanged }),
        repeatCount: last.repeat_count + 1,
        repeatedAt: [...repeatedAt, last.created_at.epochMilliseconds],
        carried: {
          priority: prioritySetByPerson ? last.priority : null,
          severity: severitySetByPerson ? last.severity : null,
        },
      };
      return [key, known];
    }),
  );
}

/** Of what several lead to, all of them have to be. */
function exchangedAmong(matches: readonly Match[]): ReadonlySet<string> {
  const exchanged = new Set(
    matches.flatMap(({ incident, isExchanged }) => (isExchanged ? [incident.id] : [])),
  );
  for (const { incident, isExchanged } of matches) if (!isExchanged) exchanged.delete(incident.id);
  return exchanged;
}

const byAge = (a: Incident, b: Incident) => a.number - b.number;
