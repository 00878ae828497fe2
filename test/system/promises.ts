// What must be true whatever was killed and when, asked of the database and of the receivers. A
// server that lives for a minute has incidents of the canary too, whose pages go to no receiver.
import assert from 'node:assert/strict';
import type { Sql } from '../../src/storage/database/database.ts';
import { canaryId } from '../../src/storage/health/canary.ts';
import { eventually } from './eventually.ts';
import type { Promised } from './load.ts';
import type { ReceivedMail } from './notice-servers.ts';

export async function drained(sql: Sql): Promise<void> {
  await eventually('every event is decided and every notice ended', async () => {
    const [left] = await sql<{ count: number }[]>`
      select (select count(*) from events where decided_at is null)
        + (select count(*) from outbox where state = 'pending') as count`;
    return left?.count === 0;
  });
}

export async function keepsItsPromises(
  sql: Sql,
  promised: Promised,
  mails: readonly ReceivedMail[],
): Promise<void> {
  assert.deepEqual(promised.strange, []);
  await everyEventIsLogged(sql, promised);
  await everyPageArrived(sql, mails);
  await noConfirmedNoticeWasTriedAgain(sql, mails);
  await nothingWasClaimedAfterAnAcknowledgement(sql, promised);
  await everyOpenIncidentContinues(sql);
}

async function everyEventIsLogged(sql: Sql, { events }: Promised): Promise<void> {
  const rows = await sql<{ id: string; outcome: string | null }[]>`select id, outcome from events`;
  const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]));
  const lost = [...events.keys()].filter((id) => !outcomes.get(id));
  assert.deepEqual(lost, [], `of ${events.size} accepted events`);
  const numbers = await sql<{ number: number }[]>`
    select number from incidents where organization_id <> ${canaryId}`;
  const known = new Set(numbers.map(({ number }) => number));
  const unknown = [...events.values()].filter((number) => number !== null && !known.has(number));
  assert.deepEqual(unknown, [], 'every incident that was answered exists');
}

type Incident = { id: string; status: string };

async function everyPageArrived(sql: Sql, mails: readonly ReceivedMail[]): Promise<void> {
  const incidents = await sql<Incident[]>`
    select id, status from incidents where organization_id <> ${canaryId}`;
  const paged = new Set(mails.map(({ incident }) => incident));
  const silent = incidents.filter(({ id, status }) => status === 'triggered' && !paged.has(id));
  assert.deepEqual(await storiesOf(sql, silent), [], `of ${incidents.length} incidents`);
  const unsaid = await sql<{ key: string }[]>`
    select key from outbox
    where state = 'failed' or (state = 'cancelled' and incident_id in
      (select id from incidents where status = 'triggered'))`;
  assert.deepEqual([...unsaid], []);
  const sent = await sql<{ key: string }[]>`
    select key from outbox where state = 'sent' and organization_id <> ${canaryId}`;
  const arrived = new Set(mails.map(({ notice }) => notice));
  assert.deepEqual(
    sent.filter(({ key }) => !arrived.has(key)),
    [],
    'what is recorded as sent has arrived',
  );
}

/** What the server itself knows of them. */
const storiesOf = (sql: Sql, incidents: readonly Incident[]) =>
  Promise.all(
    incidents.map(async (incident) => ({
      ...incident,
      timeline: await sql`
        select at, type, text from timeline where incident_id = ${incident.id} order by sequence`,
      notices: await sql`select key, state, reason from outbox where incident_id = ${incident.id}`,
    })),
  );

async function noConfirmedNoticeWasTriedAgain(sql: Sql, mails: readonly ReceivedMail[]) {
  const again = await sql<{ key: string }[]>`
    select later.key from attempts later join attempts earlier
      on earlier.organization_id = later.organization_id and earlier.key = later.key
    where earlier.outcome = 'delivered' and later.claimed_at > earlier.finished_at`;
  assert.deepEqual([...again], []);
  const rows = await sql<{ key: string; tries: number }[]>`
    select key, count(*) as tries from attempts group by key`;
  const tries = new Map(rows.map((row) => [row.key, row.tries]));
  const counts = Map.groupBy(mails, ({ notice }) => notice);
  const unaccounted = [...counts].filter(([key, each]) => each.length > (tries.get(key) ?? 0));
  assert.deepEqual(unaccounted, [], 'every mail is an attempt in the log');
}

type Claim = { number: number; claimed_at: Temporal.Instant };

async function nothingWasClaimedAfterAnAcknowledgement(sql: Sql, { acknowledgedMs }: Promised) {
  const claims = await sql<Claim[]>`
    select i.number, a.claimed_at
    from attempts a
    join outbox o on o.organization_id = a.organization_id and o.key = a.key
    join incidents i on i.organization_id = o.organization_id and i.id = o.incident_id
    where o.kind = 'page' and o.organization_id <> ${canaryId}`;
  const late = claims.filter(({ number, claimed_at }) => {
    const answeredMs = acknowledgedMs.get(number);
    return answeredMs !== undefined && claimed_at.epochMilliseconds > answeredMs;
  });
  assert.deepEqual(late, [], `of ${acknowledgedMs.size} acknowledged incidents`);
  const rows = await sql<{ number: number }[]>`
    select number from incidents
    where acknowledged_at is not null and organization_id <> ${canaryId}`;
  const acknowledged = new Set(rows.map(({ number }) => number));
  const undone = [...acknowledgedMs.keys()].filter((number) => !acknowledged.has(number));
  assert.deepEqual(undone, [], 'every acknowledgement that was answered stands');
}

/** Nothing is open and forgotten: a timer is set, or every step has fired. */
async function everyOpenIncidentContinues(sql: Sql): Promise<void> {
  const forgotten = await sql<{ number: number }[]>`
    select number from incidents
    where status = 'triggered' and wake_at is null
      and (escalation->>'nextStep')::integer < json_array_length(steps)`;
  assert.deepEqual([...forgotten], []);
}
