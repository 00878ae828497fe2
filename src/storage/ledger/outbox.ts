import type { Attempted, Claimed, ClaimRequest, Unwanted } from '../../engine/ledger.ts';
import type { Entry, Incident } from '../../incidents/incident.ts';
import { json } from '../record-rows.ts';
import { isSealed } from '../secrets.ts';
import { columns, type IncidentRow, incidentOf } from './incidents.ts';
import type { Desk } from './ledger.ts';
import { insertTimeline } from './save.ts';

type Row = {
  organization_id: string;
  key: string;
  incident_id: string;
  kind: Claimed['kind'];
  channel: string;
  receiver: string;
  notice: { address: string; recipient: string | null; mention: string | null; why: string };
  cycle: number;
  user_id: string | null;
  attempts: number;
  created_at: Temporal.Instant;
};
type Names = { id: string; service: string; organization: string };
type Cancel = { readonly reason: string; readonly entry: Entry };

/**
 * Notices first, skipping those that another process holds; then their incidents, shared: an
 * acknowledgement under way is waited for, one that comes later waits for this claim to commit.
 */
export async function claim(
  desk: Desk,
  request: ClaimRequest,
  unwanted: (notice: Claimed) => Unwanted | null,
): Promise<readonly Claimed[]> {
  const rows = await dueRows(desk, request);
  if (rows.length === 0) return [];
  const notices = await withIncidents(desk, rows);
  const cancelled: { notice: Claimed; cancel: Cancel }[] = [];
  const held: { notice: Claimed; until: Temporal.Instant }[] = [];
  const wanted: Claimed[] = [];
  for (const notice of notices) {
    const cancel = unwanted(notice);
    if (cancel && 'holdUntil' in cancel) held.push({ notice, until: cancel.holdUntil });
    else if (cancel) cancelled.push({ notice, cancel });
    else wanted.push(notice);
  }
  await Promise.all([
    cancelAll(desk, cancelled, request.now),
    holdAll(desk, held),
    lease(desk, wanted, request),
  ]);
  return wanted;
}

/**
 * The most urgent first, and of those the newest: old pages are stale pages. Looked at without
 * locks, shared out among the receivers, and only then locked: what is left out is found again.
 */
async function dueRows({ sql }: Desk, request: ClaimRequest): Promise<readonly Row[]> {
  // Written with coalesce so that only outbox_due fits: read in its order, nothing is sorted.
  const isDue = sql`coalesce(wake_at, 'infinity') <= ${request.now}`;
  return sql<Row[]>`
    with due as (
      select organization_id, key, receiver, rank, created_at from outbox
      where state = 'pending' and ${isDue} and not (receiver = any(${[...request.busy]}))
      order by rank, created_at desc limit ${request.limit * 2}
    ), shared as (
      select organization_id, key,
        row_number() over (partition by receiver order by rank, created_at desc) as place
      from due
    )
    select o.organization_id, o.key, o.incident_id, o.kind, o.channel, o.receiver, o.notice,
      o.cycle, o.user_id, o.attempts, o.created_at
    from shared s join outbox o on o.organization_id = s.organization_id and o.key = s.key
    where s.place <= ${request.perReceiver}
      and o.state = 'pending' and o.wake_at <= ${request.now}
    order by o.rank, o.created_at desc limit ${request.limit}
    for update of o skip locked`;
}

async function withIncidents(desk: Desk, rows: readonly Row[]): Promise<readonly Claimed[]> {
  const { sql, secrets } = desk;
  const ids = [...new Set(rows.map((row) => row.incident_id))];
  const [locked, names] = await Promise.all([
    sql<IncidentRow[]>`
      select ${sql(columns)} from incidents where id = any(${ids}) order by id for share`,
    sql<Names[]>`
      select i.id, s.name as service, o.name as organization
      from incidents i
      join services s on s.organization_id = i.organization_id and s.id = i.service_id
      join organizations o on o.id = i.organization_id
      where i.id = any(${ids})`,
  ]);
  const incidents = new Map<string, Incident>(locked.map((row) => [row.id, incidentOf(row)]));
  const namesOf = new Map(names.map((row) => [row.id, row]));
  return rows.flatMap((row): Claimed[] => {
    const incident = incidents.get(row.incident_id);
    const named = namesOf.get(row.incident_id);
    if (!incident || !named) return [];
    const { address, recipient, mention, why } = row.notice;
    return [
      {
        ...row,
        address: isSealed(address) ? secrets.open(address) : address,
        recipient,
        mention,
        why,
        attempt: row.attempts + 1,
        incident,
        serviceName: named.service,
        organizationName: named.organization,
      },
    ];
  });
}

async function lease(
  { sql }: Desk,
  wanted: readonly Claimed[],
  request: ClaimRequest,
): Promise<void> {
  if (wanted.length === 0) return;
  const rows = wanted.map((one) => ({
    organization_id: one.organization_id,
    key: one.key,
    number: one.attempt,
    claimed_at: request.now,
  }));
  const values = json(sql, rows);
  await Promise.all([
    sql`
      update outbox o set attempts = r.number, wake_at = ${request.leaseUntil}
      from json_populate_recordset(null::attempts, ${values}) r
      where o.organization_id = r.organization_id and o.key = r.key`,
    sql`insert into attempts select * from json_populate_recordset(null::attempts, ${values})`,
  ]);
}

async function holdAll(
  { sql }: Desk,
  held: readonly { notice: Claimed; until: Temporal.Instant }[],
): Promise<void> {
  if (held.length === 0) return;
  const rows = held.map(({ notice, until }) => ({
    organization_id: notice.organization_id,
    key: notice.key,
    wake_at: until,
  }));
  await sql`
    update outbox o set wake_at = r.wake_at
    from json_populate_recordset(null::outbox, ${json(sql, rows)}) r
    where o.organization_id = r.organization_id and o.key = r.key`;
}

async function cancelAll(
  desk: Desk,
  cancelled: readonly { notice: Claimed; cancel: Cancel }[],
  now: Temporal.Instant,
): Promise<void> {
  if (cancelled.length === 0) return;
  const { sql } = desk;
  const rows = cancelled.map(({ notice, cancel }) => ({
    organization_id: notice.organization_id,
    key: notice.key,
    reason: cancel.reason,
  }));
  const entries = cancelled.map(({ notice, cancel }) => ({
    ...cancel.entry,
    organization_id: notice.organization_id,
  }));
  await Promise.all([
    sql`
      update outbox o
      set state = 'cancelled', reason = r.reason, wake_at = null, finished_at = ${now}
      from json_populate_recordset(null::outbox, ${json(sql, rows)}) r
      where o.organization_id = r.organization_id and o.key = r.key`,
    insertTimeline(desk, entries, now),
  ]);
}

export async function finish(desk: Desk, attempts: readonly Attempted[]): Promise<void> {
  const { sql } = desk;
  const rows = attempts.map((one) => ({
    organization_id: one.claimed.organization_id,
    key: one.claimed.key,
    number: one.claimed.attempt,
    state: one.state,
    outcome: one.state === 'sent' ? 'delivered' : one.state === 'failed' ? 'failed' : 'retry',
    reason: one.reason,
    answer: one.answer,
    wake_at: one.wakeAt,
    finished_at: one.finishedAt,
  }));
  const values = json(sql, rows);
  const at = attempts[0]?.finishedAt;
  if (!at) return;
  const news = await sql<{ key: string; number: number }[]>`
    update attempts a
    set outcome = r.outcome, reason = r.reason, answer = r.answer, finished_at = r.finished_at
    from json_populate_recordset(null::attempts, ${values}) r
    where a.organization_id = r.organization_id and a.key = r.key and a.number = r.number
      and a.finished_at is null
    returning a.key, a.number`;
  const isNew = new Set(news.map((row) => `${row.key} ${row.number}`));
  const entries = attempts.flatMap(({ entry, claimed }) =>
    entry && isNew.has(`${claimed.key} ${claimed.attempt}`)
      ? [{ ...entry, organization_id: claimed.organization_id }]
      : [],
  );
  await Promise.all([
    // A confirmation stands whoever brings it; a failure only while nobody tried again since.
    sql`
      update outbox o
      set state = r.state, reason = r.reason, wake_at = r.wake_at,
        finished_at = case when r.state = 'pending' then null else r.finished_at end
      from json_to_recordset(${values}) as r(organization_id text, key text, number integer,
        state text, reason text, wake_at timestamptz, finished_at timestamptz)
      where o.organization_id = r.organization_id and o.key = r.key and o.state = 'pending'
        and (r.state = 'sent' or o.attempts = r.number)`,
    insertTimeline(desk, entries, at),
  ]);
}
