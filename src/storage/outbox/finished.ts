// What became of attempts.
import type { IncidentKey, UnreadableIncident } from '../../engine/ports/incidents.ts';
import type { AttemptOutcome, AttemptResult, OutboxKey } from '../../engine/ports/sending.ts';
import { type Incident, pageKinds } from '../../incidents/incident.ts';
import { neverPaged } from '../../incidents/notice-cancellation.ts';
import { traitsOf } from '../../resources/channels.ts';
import { countTaken } from '../connections/usage.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { lockIncidents, postponeIncident } from '../ledger/incidents.ts';
import { keyed } from '../ledger/keys.ts';
import { insertTimeline } from '../ledger/timeline.ts';
import { forgetEndedCalls, recordPosted } from '../message-updates/posted-messages.ts';
import { noteArrival } from '../people/lost-contacts.ts';
import { json } from '../records/rows.ts';
import { noteTries } from './failing-webhooks.ts';
import { settleEarlyReceipts } from './receipts.ts';
import { recipientKeyOf } from './recipient-key.ts';
import { lockTelephones, wakeCalls } from './telephone.ts';

export async function finish(
  context: LedgerContext,
  all: readonly AttemptResult[],
): Promise<readonly Incident[]> {
  const { sql } = context;
  const withheld = await withhold(context, all);
  const attempts = all.filter((one) => !withheld.has(one) && !one.isUncertain);
  const rows = attempts.map((one) => ({
    organization_id: one.claimed.organization_id,
    key: one.claimed.key,
    number: one.claimed.attempt,
    state: one.state,
    outcome: outcomeOf(one),
    connection_id: (one.reportedBy ?? one.counted)?.connectionId ?? null,
    vendor_id: one.reportedBy?.vendorId ?? null,
    blame: one.blame ?? null,
    reason: one.reason,
    answer: one.answer,
    status: one.status,
    wake_at: one.wakeAt,
    finished_at: one.finishedAt,
    lost_answers: one.lostAnswers ?? null,
    ...nextContactOf(context, one),
  }));
  const values = json(sql, rows);
  const at = attempts[0]?.finishedAt;
  if (!at) return [];
  // Locked first, so that no attempt is claimed between the count and the commit.
  const news = await sql<{ key: string; number: number; isReported: boolean }[]>`
    with held as (
      select o.organization_id, o.key, o.attempts
      from json_populate_recordset(null::attempts, ${values}) r
      join outbox o on o.organization_id = r.organization_id and o.key = r.key
      order by o.organization_id, o.key for update of o
    )
    update attempts a
    set outcome = r.outcome, connection_id = coalesce(r.connection_id, a.connection_id),
      vendor_id = coalesce(r.vendor_id, a.vendor_id), reason = r.reason, blame = r.blame,
      answer = r.answer, status = r.status,
      finished_at = r.finished_at, attempts_claimed = h.attempts
    from json_populate_recordset(null::attempts, ${values}) r
    join held h on h.organization_id = r.organization_id and h.key = r.key
    where a.organization_id = r.organization_id and a.key = r.key and a.number = r.number
      and a.finished_at is null
    returning a.key, a.number, a.receipt is not null as "isReported"`;
  const newOnes = new Set(news.map((row) => `${row.key} ${row.number}`));
  const ended = attempts.filter(({ claimed }) => newOnes.has(`${claimed.key} ${claimed.attempt}`));
  const entries = entriesOf(ended);
  await lockTelephones(
    context,
    ended.map(({ claimed }) => claimed),
  );
  await lockTouched(context, ended);
  const { incidents, unreadable } = await readTouched(context, ended);
  await recordPosted(context, ended);
  await Promise.all([
    // A success is recorded whichever attempt reports it; a failure only if no later attempt was
    // claimed.
    sql`
      update outbox o
      set state = r.state, reason = r.reason, wake_at = r.wake_at,
        tried_at = coalesce(o.tried_at, r.finished_at),
        recipient_key = coalesce(r.recipient_key, o.recipient_key),
        notice = case
          when r.recipient_key is not null then ((o.notice::jsonb - 'lost_answers')
            || jsonb_build_object('address', r.address, 'tried', r.tried))::json
          when r.lost_answers is not null then (o.notice::jsonb
            || jsonb_build_object('lost_answers', r.lost_answers))::json
          else o.notice end,
        finished_at = case when r.state = 'pending' then null else r.finished_at end
      from json_to_recordset(${values}) as r(organization_id text, key text, number integer,
        state text, reason text, wake_at timestamptz, finished_at timestamptz,
        recipient_key text, address text, tried jsonb, lost_answers integer)
      where o.organization_id = r.organization_id and o.key = r.key and o.state = 'pending'
        and (r.state = 'sent' or o.attempts = r.number)`,
    insertTimeline(context, { entries, at }),
  ]);
  const handedOver = ended.filter(({ reportedBy }) => reportedBy);
  const over = ended.filter(({ reportedBy }) => !reportedBy);
  await wakeCalls(
    context,
    over.map(({ claimed }) => claimed),
    at,
  );
  const reported = new Set(
    news.flatMap((row) => (row.isReported ? `${row.key} ${row.number}` : [])),
  );
  const unanswered = over.filter(
    ({ state, claimed }) =>
      state === 'pending' && reported.has(`${claimed.key} ${claimed.attempt}`),
  );
  await settleEarlyReceipts(context, [...handedOver, ...unanswered], at);
  await forgetEndedCalls(
    context,
    handedOver.map(({ claimed }) => claimed),
  );
  await noteTries(context, ended);
  await noteArrivals(context, ended);
  // It is unknown whether anybody was paged for these incidents, so the admins are notified.
  for (const { error, ...incident } of unreadable)
    await postponeIncident(context, incident, { error, now: at });
  await countTaken(sql, takenOf(attempts), at);
  return incidents;
}

/** Where no receipt comes, the vendor was queried. */
async function noteArrivals(
  { sql, ids }: LedgerContext,
  attempts: readonly AttemptResult[],
): Promise<void> {
  for (const { state, isUnconfirmed = false, finishedAt: now, claimed } of attempts) {
    const { organization_id: organizationId, channel, address } = claimed;
    if (state === 'sent' && !isUnconfirmed && traitsOf(channel)?.billed)
      await noteArrival(sql, { ids, now, organizationId, channel, address });
  }
}

/** Takes back the claims under which nothing was requested; answers which those are. */
async function withhold(
  { sql }: LedgerContext,
  attempts: readonly AttemptResult[],
): Promise<ReadonlySet<AttemptResult>> {
  const rows = attempts.flatMap(({ withheldUnder: lease_until, claimed, ...one }) => {
    const { organization_id, key, attempt: number } = claimed;
    if (lease_until === undefined) return [];
    return [{ organization_id, key, number, lease_until, reason: one.reason, wake_at: one.wakeAt }];
  });
  if (rows.length === 0) return new Set();
  const taken = await sql<(OutboxKey & { number: number })[]>`
    with withheld as (
      select r.* from json_to_recordset(${json(sql, rows)}) as r(organization_id text, key text,
        number integer, lease_until timestamptz, reason text, wake_at timestamptz)
      join outbox o on o.organization_id = r.organization_id and o.key = r.key
      where o.state = 'pending' and o.attempts = r.number and o.wake_at = r.lease_until
      order by o.organization_id, o.key for update of o
    ), gone as (
      delete from attempts a using withheld w
      where a.organization_id = w.organization_id and a.key = w.key and a.number = w.number
        and a.finished_at is null and a.receipt is null
      returning a.organization_id, a.key
    )
    update outbox o set attempts = w.number - 1, reason = w.reason, wake_at = w.wake_at
    from withheld w join gone g on g.organization_id = w.organization_id and g.key = w.key
    where o.organization_id = w.organization_id and o.key = w.key
    returning o.organization_id, o.key, w.number`;
  await cancelAllClears(sql, taken, attempts[0]?.finishedAt);
  const keys = new Set(taken.map(({ key, number }) => `${key} ${number}`));
  return new Set(
    attempts.filter(
      ({ withheldUnder, claimed: { key, attempt } }) =>
        withheldUnder !== undefined && keys.has(`${key} ${attempt}`),
    ),
  );
}

/** Of these pages, to whom none was ever sent: the incident ended while the last waited for its turn. */
async function cancelAllClears(
  sql: LedgerContext['sql'],
  pages: readonly (OutboxKey & { readonly number: number })[],
  now: Temporal.Instant | undefined,
): Promise<void> {
  const unsent = pages
    .filter(({ number }) => number === 1)
    .map(({ organization_id, key }) => ({ organization_id, id: key }));
  if (now === undefined || unsent.length === 0) return;
  const kinds = sql`any(${[...pageKinds]})`;
  await sql`
    update outbox c
    set state = 'cancelled', reason = ${neverPaged}, wake_at = null, finished_at = ${now}
    from ${keyed(sql, unsent)}
    join outbox o on o.organization_id = k.organization_id and o.key = k.id and o.kind = ${kinds}
    where c.organization_id = o.organization_id and c.incident_id = o.incident_id
      and c.kind = 'all_clear' and c.recipient_key = o.recipient_key and c.state = 'pending'
      and not exists (
        select from outbox p
        where p.organization_id = o.organization_id and p.incident_id = o.incident_id
          and p.recipient_key = o.recipient_key and p.kind = ${kinds}
          and (p.state = 'sent' or p.attempts > 0))
      and not exists (
        select from incidents i
        where i.organization_id = o.organization_id and i.merged_into_id = o.incident_id)`;
}

/** Of a page that goes on at another contact of its recipient. */
function nextContactOf(
  context: LedgerContext,
  { claimed: { organization_id, channel }, nextAddress: address, tried }: AttemptResult,
) {
  if (address === undefined) return {};
  const recipient_key = recipientKeyOf(context, { organization_id, channel, address });
  return { recipient_key, address, tried };
}

function outcomeOf({ state, reportedBy, isUnconfirmed }: AttemptResult): AttemptOutcome {
  if (state === 'failed') return 'failed';
  if (state === 'sent') return isUnconfirmed ? 'unconfirmed' : 'delivered';
  return reportedBy ? 'handed_over' : 'retry';
}

const takenOf = (attempts: readonly AttemptResult[]) =>
  attempts.flatMap(({ claimed, counted }) =>
    counted === undefined ? [] : [{ ...counted, ...countedBy(claimed) }],
  );

const countedBy = ({ organization_id, key, attempt, channel }: AttemptResult['claimed']) => ({
  organizationId: organization_id,
  key,
  attempt,
  channel,
});

const entriesOf = (attempts: readonly AttemptResult[]) =>
  attempts.flatMap(({ entry, claimed: { organization_id } }) =>
    entry === null ? [] : [{ ...entry, organization_id }],
  );

type Touched = {
  readonly incidents: readonly Incident[];
  readonly unreadable: readonly (IncidentKey & { readonly error: unknown })[];
};

/**
 * Incidents of which a step's page was tried, a notice has failed, or has left a message that follows
 * them: whoever changes one finds the message, or is waited for. All in one order, so that two batches
 * never wait for each other; between notices and timelines, as a claim locks them.
 */
async function lockTouched(
  { sql }: LedgerContext,
  attempts: readonly AttemptResult[],
): Promise<void> {
  const incidents = incidentsOf(attempts);
  const posted = attempts.filter((one) => one.posted).map(({ claimed }) => claimed);
  if (incidents.length + posted.length === 0) return;
  const notices = posted.map(({ organization_id, key: id }) => ({ organization_id, id }));
  await sql`
    with touched as (
      select k.organization_id, k.id from ${keyed(sql, incidents)}
      union
      select o.organization_id, o.incident_id from ${keyed(sql, notices)}
      join outbox o on o.organization_id = k.organization_id and o.key = k.id
    )
    select from touched t join incidents i on i.organization_id = t.organization_id and i.id = t.id
    order by i.id for update of i`;
}

/** Of which a step's page was tried, or a notice has failed. */
const incidentsOf = (attempts: readonly AttemptResult[]): readonly IncidentKey[] => [
  ...pagedIn(attempts),
  ...failedIn(attempts),
];

const pagedIn = (attempts: readonly AttemptResult[]): readonly IncidentKey[] =>
  attempts.flatMap(({ claimed }) =>
    claimed.about === 'incident' && claimed.kind === 'page'
      ? [{ organization_id: claimed.organization_id, id: claimed.incident.id }]
      : [],
  );

const failedIn = (attempts: readonly AttemptResult[]): readonly IncidentKey[] =>
  entriesOf(attempts.filter(({ state }) => state === 'failed')).map(
    ({ organization_id, incident_id: id }) => ({ organization_id, id }),
  );

/** Locked already. Without an answer of those that failed it is unknown whether anybody was paged. */
async function readTouched(
  context: LedgerContext,
  attempts: readonly AttemptResult[],
): Promise<Touched> {
  const failed = new Set(failedIn(attempts).map(({ id }) => id));
  const touched = Map.groupBy(incidentsOf(attempts), ({ organization_id }) => organization_id);
  const incidents: Incident[] = [];
  const broken: (IncidentKey & { readonly error: unknown })[] = [];
  for (const organizationId of [...touched.keys()].sort()) {
    const ids = touched.get(organizationId)?.map(({ id }) => id) ?? [];
    const unreadable = ({ id, error }: UnreadableIncident) => {
      if (failed.has(id)) broken.push({ organization_id: organizationId, id, error: error.cause });
    };
    incidents.push(...(await lockIncidents(context, { organizationId, ids, unreadable })));
  }
  return { incidents, unreadable: broken };
}
