// What is known of the keys of alerts: the open incidents that each leads to, locked, and the last one.
import {
  type Key,
  keyText,
  keyTextOf,
  type RawKey,
  rawKeyText,
  rawKeyTextOf,
} from '../../engine/ports/keys.ts';
import {
  byAge,
  fresh,
  type KeyState,
  keyStateAfter,
  withEnds,
} from '../../incidents/alert-context.ts';
import { type Escalation, type Incident, isOpen } from '../../incidents/incident.ts';
import { mayHave } from '../../incidents/incident-alerts.ts';
import type { RawKeyState } from '../../incidents/raw-keys.ts';
import { columnList } from '../database/columns.ts';
import { json } from '../records/rows.ts';
import { readEnds } from './alert-ends.ts';
import type { LedgerContext } from './context.ts';
import { incidentsOfKeys } from './incident-alerts.ts';
import { columns, type IncidentRow, newestFirst, readable } from './incident-rows.ts';
import { lockIncidents } from './incidents.ts';
import { parseEscalation } from './stored-incident.ts';

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
  const [ends, ofAlerts, matched, lasts] = await Promise.all([
    readEnds(sql, keys),
    incidentsOfKeys(sql, keys),
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
  const incidents = await readable(
    context,
    rows.map(({ row }) => row),
  );
  const read = lasts.map((last) => lastOf(context, last));
  const matches = await followed(context, { matched: incidents, exchanged });
  const grouped = await groupedMatches(context, ofAlerts, incidents);
  const keysByText = new Map(keys.map((key) => [keyText(key), key]));
  // Its first alert may have been split off, and one that was merged into it.
  const own = [...matches, ...grouped].filter(({ key: text, incident }) => {
    const key = keysByText.get(text);
    return key === undefined || mayHave(incident, key);
  });
  return withEnds(knownOf(own, read, incidents), ends);
}

/** The open incidents of which alerts are one of several; those that are not locked yet are now. */
async function groupedMatches(
  context: LedgerContext,
  ofAlerts: Awaited<ReturnType<typeof incidentsOfKeys>>,
  locked: readonly Incident[],
): Promise<readonly Match[]> {
  if (ofAlerts.length === 0) return [];
  const byId = new Map(locked.map((one) => [one.id, one]));
  const missing = ofAlerts.filter(({ id }) => !byId.has(id));
  for (const [organizationId, own] of Map.groupBy(missing, (one) => one.organization_id)) {
    const ids = own.map(({ id }) => id);
    for (const one of await lockIncidents(context, { organizationId, ids })) byId.set(one.id, one);
  }
  return ofAlerts.flatMap(({ key, id }) => {
    const incident = byId.get(id);
    // It may have been resolved before it was locked.
    return incident && isOpen(incident) ? [{ key, incident, isExchanged: false }] : [];
  });
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
    matched: await readable(context, matched),
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
  const joined = [...openOf].map(([key, own]) => [key, { ...fresh, open: distinct(own) }] as const);
  const ofLast = new Map(
    lasts.map((last) => {
      const key = keyText(last);
      // Undefined if it cannot be read; that has been reported already.
      const escalation = last.escalation ?? escalationOf.get(last.id);
      const own = openOf.get(key) ?? [];
      const exchanged = exchangedAmong(own);
      const state = keyStateAfter({ ...last, escalation }, distinct(own));
      return [key, exchanged.size > 0 ? { ...state, exchanged } : state];
    }),
  );
  return new Map<string, KeyState>([...joined, ...ofLast]);
}

const distinct = (matches: readonly Match[]): readonly Incident[] =>
  [...new Map(matches.map(({ incident }) => [incident.id, incident])).values()].sort(byAge);

/** Of what several lead to, all of them have to be. */
function exchangedAmong(matches: readonly Match[]): ReadonlySet<string> {
  const exchanged = new Set(
    matches.flatMap(({ incident, isExchanged }) => (isExchanged ? [incident.id] : [])),
  );
  for (const { incident, isExchanged } of matches) if (!isExchanged) exchanged.delete(incident.id);
  return exchanged;
}
