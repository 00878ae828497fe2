// Reads what src/incidents/why/why.ts tells from.
import type { Incident } from '../../incidents/incident.ts';
import type { OwnNotice, Story, StoryEntry } from '../../incidents/why/story.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Queries } from '../database/database.ts';
import { personNameOrEmail } from '../records/names.ts';
import { removalsOf } from '../retention/removals.ts';

export type Person = { readonly id: string; readonly name: string };

export async function readStory(sql: Queries, incident: Incident, user: Person): Promise<Story> {
  const [entries, notices] = await Promise.all([
    readEntries(sql, incident),
    readNotices(sql, incident, user),
  ]);
  const event = await readEvent(sql, incident, entries);
  // Last, so that nothing goes unmentioned that was removed meanwhile.
  const of = { organizationId: incident.organization_id, incidentId: incident.id };
  const { timeline, noticesAt } = await removalsOf(sql, of);
  const removed = { entries: timeline?.at ?? null, notices: noticesAt };
  return { incident, user, entries, notices, event, removed };
}

/** By id; inactive ones too. */
export async function findPerson(
  sql: Queries,
  organizationId: string,
  id: string,
): Promise<Person | null> {
  const [row] = await sql<Person[]>`
    select id, ${personNameOrEmail(sql)} as name from users
    where organization_id = ${organizationId} and id = ${id}`;
  return row ?? null;
}

/** Of the alerts that were suppressed, the first; how many there were, the incident knows. */
async function readEntries(sql: Queries, incident: Incident): Promise<readonly StoryEntry[]> {
  const { organization_id, id } = incident;
  const entries = await sql<StoryEntry[]>`
    select id, at, type, text, details from timeline t
    where organization_id = ${organization_id} and incident_id = ${id}
      and type not in ('notice_sent', 'notice_handed_over', 'notice_retry', 'notice_failed',
        'notice_cancelled')
      and (type <> 'suppressed' or not exists (
        select from timeline before
        where before.organization_id = t.organization_id and before.incident_id = t.incident_id
          and before.type = 'suppressed' and before.sequence < t.sequence))
    order by sequence limit ${queryLimits.storyEntries}`;
  const isIncluded = entries.some(({ type }) => type === 'suppressed');
  return isIncluded ? entries : withRepeat(entries, await firstRepeat(sql, incident));
}

async function firstRepeat(
  sql: Queries,
  { organization_id, id }: Incident,
): Promise<StoryEntry | null> {
  const [row] = await sql<{ id: string; at: Temporal.Instant }[]>`
    select id, received_at as at from events
    where organization_id = ${organization_id} and suppressed_onto_id = ${id}
    order by received_at limit 1`;
  return row ? { ...row, type: 'suppressed', text: '', details: null, isEvent: true } : null;
}

/** Before the first entry that is younger. */
function withRepeat(
  entries: readonly StoryEntry[],
  repeat: StoryEntry | null,
): readonly StoryEntry[] {
  if (repeat === null) return entries;
  const isYounger = ({ at }: StoryEntry) => Temporal.Instant.compare(at, repeat.at) > 0;
  const index = entries.findIndex(isYounger);
  return entries.toSpliced(index < 0 ? entries.length : index, 0, repeat);
}

type NoticeRow = Omit<OwnNotice, 'attempts'>;
type AttemptRow = OwnNotice['attempts'][number] & { readonly key: string };

async function readNotices(
  sql: Queries,
  { organization_id, id }: Incident,
  user: Person,
): Promise<readonly OwnNotice[]> {
  const rows = await sql<NoticeRow[]>`
    select key, kind, channel, notice->>'why' as why, state, reason, created_at, finished_at
    from outbox
    where organization_id = ${organization_id} and incident_id = ${id} and user_id = ${user.id}
    order by created_at, key limit ${queryLimits.storyNotices}`;
  const attempts = await sql<AttemptRow[]>`
    select key, number, claimed_at, finished_at, outcome,
      coalesce(reason, nullif(receipt_reason, '')) as reason
    from attempts
    where organization_id = ${organization_id} and key = any(${rows.map(({ key }) => key)})
    order by key, number`;
  const attemptsOf = Map.groupBy(attempts, ({ key }) => key);
  return rows.map((row) => ({ ...row, attempts: attemptsOf.get(row.key) ?? [] }));
}

async function readEvent(
  sql: Queries,
  { organization_id }: Incident,
  entries: readonly StoryEntry[],
): Promise<Story['event']> {
  const opened = entries.find(({ type }) => type === 'opened');
  // As the opening writes them.
  const { event_id = null } = (opened?.details ?? {}) as { event_id?: string };
  if (opened === undefined || event_id === null) return null;
  const [event] = await sql<NonNullable<Story['event']>[]>`
    select id, received_at, source from events
    where organization_id = ${organization_id} and id = ${event_id}`;
  return event ?? { id: event_id, received_at: opened.at, source: null };
}
