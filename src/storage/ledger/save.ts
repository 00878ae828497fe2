import type { Changes } from '../../engine/ports/changes.ts';
import { type Incident, pageKinds, wakeAt } from '../../incidents/incident.ts';
import { wakesPages } from '../../incidents/notice-cancellation.ts';
import { versioned } from '../../resources/declaration/stored-document.ts';
import { wakePosted } from '../message-updates/posted-messages.ts';
import { insertCalls } from '../outbox/calls.ts';
import { recipientKeyOf } from '../outbox/recipient-key.ts';
import { json, namedRows } from '../records/rows.ts';
import { saveEnds } from './alert-ends.ts';
import { insertAllClear } from './all-clear.ts';
import type { LedgerContext } from './context.ts';
import { saveFindings } from './findings.ts';
import { saveAlerts } from './incident-alerts.ts';
import { changingOf, columns, rowOf } from './incident-rows.ts';
import { noteStorms } from './storms.ts';
import { insertTimeline } from './timeline.ts';

/** State, timeline and outbox together. Answers the numbers of the opened. */
export async function save(
  context: LedgerContext,
  changes: Changes,
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, number>> {
  const { changed, opened, intents, counted = new Set() } = changes;
  for (const { organization_id: organizationId, id } of [...changed, ...opened])
    context.changed?.set(id, { organizationId, id });
  const decided = changed.filter(({ id }) => !counted.has(id));
  const calls = intents.filter(({ kind }) => kind === 'webhook');
  const notices = intents.filter(({ kind }) => kind !== 'webhook');
  const [, , , , , , , , , numbers] = await Promise.all([
    updateIncidents(context, decided),
    updateCounts(
      context,
      changed.filter(({ id }) => counted.has(id)),
    ),
    saveEnds(context, changes.ends ?? []),
    saveFindings(context, changes.findings ?? [], now),
    insertTimeline(context, { entries: changes.entries, at: now, opened: idsOf(opened) }),
    insertNotices(context, notices, now),
    insertCalls(context, calls, now),
    wakePages(context, changes.entries.filter(wakesPages), now),
    wakePosted(context, decided, now),
    // After the others, for the counter's row stays locked until the commit.
    insertIncidents(context, opened),
    saveAlerts(context, [...opened, ...changed], changes.split ?? []),
    ...changes.allClear.map((incident) => insertAllClear(context, incident, { now })),
  ]);
  await noteStorms(context, changes.entries, now);
  return numbers;
}

/**
 * Pages that a mute held or that wait for their next try, but for those that are being sent or await a receipt. Whoever has locked one is about to
 * read the incident, and waits for this transaction to tell what it is.
 */
async function wakePages(
  { sql }: LedgerContext,
  waking: Changes['entries'],
  now: Temporal.Instant,
): Promise<void> {
  if (waking.length === 0) return;
  const ids = waking.map(({ organization_id, incident_id: id }) => ({ organization_id, id }));
  await sql`
    with held as (
      select o.organization_id, o.key
      from json_to_recordset(${json(sql, ids)}) as i(organization_id text, id text)
      join outbox o on o.organization_id = i.organization_id and o.incident_id = i.id
      where o.kind = any(${[...pageKinds]}) and o.state = 'pending' and o.wake_at > ${now}
        and not exists (
          select from attempts a
          where a.organization_id = o.organization_id and a.key = o.key
            and a.number = o.attempts
            and (a.finished_at is null or a.outcome = 'handed_over')
        )
      for update of o skip locked
    )
    update outbox o set wake_at = ${now} from held
    where o.organization_id = held.organization_id and o.key = held.key`;
}

const idsOf = (incidents: readonly Incident[]) => new Set(incidents.map((one) => one.id));

async function updateIncidents(
  { sql }: LedgerContext,
  changed: readonly Incident[],
): Promise<void> {
  if (changed.length === 0) return;
  await sql`
    update incidents i
    set raw_key = r.raw_key, title = r.title, links = r.links, team_id = r.team_id, service_id = r.service_id,
      integration_id = r.integration_id, escalation_policy_id = r.escalation_policy_id,
      steps = r.steps, status = r.status, priority = r.priority, severity = r.severity,
      responder_ids = r.responder_ids, suppressed_count = r.suppressed_count,
      updated_at = r.updated_at, acknowledged_at = r.acknowledged_at,
      resolved_at = r.resolved_at, resolved_by_timer = r.resolved_by_timer,
      muted_until = r.muted_until, merged_into_id = r.merged_into_id,
      group_key = r.group_key, alerts_firing = r.alerts_firing, alerts_total = r.alerts_total,
      verdict = r.verdict, verdict_by = r.verdict_by, verdict_at = r.verdict_at,
      is_test = r.is_test,
      escalation = r.escalation, wake_at = r.wake_at
    from json_populate_recordset(null::incidents, ${json(sql, changed.map(changingOf))}) r
    where i.organization_id = r.organization_id and i.id = r.id`;
}

/** What repeats change, in a row that is written often. */
async function updateCounts({ sql }: LedgerContext, counted: readonly Incident[]): Promise<void> {
  if (counted.length === 0) return;
  const rows = counted.map((incident) => ({
    organization_id: incident.organization_id,
    id: incident.id,
    suppressed_count: incident.suppressed_count,
    updated_at: incident.updated_at,
    escalation: versioned(incident.escalation),
    wake_at: wakeAt(incident),
  }));
  await sql`
    update incidents i
    set suppressed_count = r.suppressed_count, updated_at = r.updated_at,
      escalation = r.escalation, wake_at = r.wake_at
    from json_to_recordset(${json(sql, rows)}) as r(organization_id text, id text,
      suppressed_count integer, updated_at timestamptz, escalation json, wake_at timestamptz)
    where i.organization_id = r.organization_id and i.id = r.id`;
}

async function insertIncidents(
  { sql }: LedgerContext,
  opened: readonly Incident[],
): Promise<ReadonlyMap<string, number>> {
  const organizations = [...new Set(opened.map((one) => one.organization_id))].sort();
  const inserted = await Promise.all(
    organizations.map((organizationId) => {
      const own = opened.filter((one) => one.organization_id === organizationId);
      // The position in the list for now; the database adds the numbers given before.
      const rows = own.map((one, index) => ({ ...rowOf(one), number: index + 1 }));
      return sql<{ id: string; number: number }[]>`
        with counter as (
          insert into counters as c (organization_id, kind, last)
          values (${organizationId}, 'incident', ${own.length})
          on conflict (organization_id, kind) do update set last = c.last + ${own.length}
          returning last - ${own.length} as before
        )
        insert into incidents (number, ${sql.unsafe(incidentColumns.join(', '))})
        select counter.before + r.number,
          ${sql.unsafe(incidentColumns.map((name) => `r.${name}`).join(', '))}
        from counter, json_populate_recordset(null::incidents, ${json(sql, rows)}) r
        returning id, number`;
    }),
  );
  return new Map(inserted.flat().map((row) => [row.id, row.number]));
}

const incidentColumns = [...columns.filter((name) => name !== 'number'), 'wake_at'];

/** A notice decided before is known by its key and not written again. */
async function insertNotices(
  context: LedgerContext,
  intents: Changes['intents'],
  now: Temporal.Instant,
): Promise<void> {
  const { sql } = context;
  if (intents.length === 0) return;
  const rows = intents.map((intent) => ({
    organization_id: intent.organization_id,
    key: intent.key,
    incident_id: intent.incident_id,
    kind: intent.kind,
    channel: intent.channel,
    recipient_key: recipientKeyOf(context, intent),
    notice: versioned({
      address: intent.address,
      recipient: intent.recipient,
      ...(intent.route !== undefined && { route: intent.route }),
      mention: intent.mention,
      why: intent.why,
      ...(intent.wave !== undefined && { wave: intent.wave }),
      ...(intent.otherStorms && { other_storms: intent.otherStorms }),
    }),
    cycle: intent.cycle,
    step: intent.step,
    user_id: intent.user_id,
    rank: intent.rank,
    state: 'pending',
    attempts: 0,
    created_at: now,
    wake_at: now,
  }));
  await sql`
    insert into outbox ${namedRows(sql, 'outbox', rows)}
    on conflict (organization_id, key) do nothing`;
}
