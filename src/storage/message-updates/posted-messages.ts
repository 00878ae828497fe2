// Messages that stand outside and can still be changed: recorded with the attempt that sent them,
// woken by what changes their incident, claimed and settled apart from notices.

import {
  type Joined,
  type LastAction,
  notYet,
  shownActions,
  uncertain,
} from '../../engine/message-updates/decide-update.ts';
import type {
  ClaimedPost,
  PostStorage,
  PostStory,
} from '../../engine/message-updates/reconcile.ts';
import type { Changes } from '../../engine/ports/changes.ts';
import type { AttemptResult, OutboxKey } from '../../engine/ports/sending.ts';
import type { PostedMessage } from '../../engine/sending/channel.ts';
import type { ClaimedIncidentNotice } from '../../engine/sending/claimed.ts';
import { isFinal, receiptStates } from '../../engine/sending/receipt.ts';
import { titlesIn, titlesNamed } from '../../incidents/combined-entries.ts';
import { type Incident, pageKinds } from '../../incidents/incident.ts';
import { noticeEntry } from '../../incidents/notice-cancellation.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { ringingChannels, rings } from '../../resources/channels.ts';
import { asUnavailable, type Queries, transact } from '../database/database.ts';
import { insertAllClear } from '../ledger/all-clear.ts';
import type { LedgerContext, LedgerParts } from '../ledger/context.ts';
import { lockIncidents } from '../ledger/incidents.ts';
import { keyed } from '../ledger/keys.ts';
import { insertTimeline } from '../ledger/timeline.ts';
import { type OutboxRow, outboxColumns, readClaimed } from '../outbox/claimed.ts';
import { recipientKeyOf } from '../outbox/recipient-key.ts';
import { json } from '../records/rows.ts';
import { claimPosts, mayChange } from './due.ts';

/**
 * Those of attempts that are recorded for the first time; their incidents are locked. Each is looked
 * at once, for its incident may have changed while it was sent: whoever changes it later finds the
 * message here.
 */
export async function recordPosted(
  { sql }: LedgerContext,
  attempts: readonly AttemptResult[],
): Promise<void> {
  const rows = attempts.flatMap(({ claimed, posted = [], finishedAt }) =>
    posted.map(({ connectionId, place, messageId, shows, joinedAt, wakeAt }) => ({
      organization_id: claimed.organization_id,
      key: claimed.key,
      number: claimed.attempt,
      connection_id: connectionId,
      place,
      message_id: messageId,
      shows,
      joined_at: joinedAt ?? null,
      wake_at: wakeAt,
      changed_at: finishedAt,
    })),
  );
  if (rows.length === 0) return;
  const values = json(sql, rows);
  await sql`
    insert into posted (organization_id, key, number, incident_id, connection_id, place, message_id,
      shows, joined_at, wake_at, changed_at, tries)
    select distinct on (r.organization_id, r.connection_id, r.place, r.message_id)
      r.organization_id, r.key, r.number, o.incident_id, r.connection_id, r.place, r.message_id,
      r.shows, r.joined_at, r.wake_at, r.changed_at, 0
    from json_populate_recordset(null::posted, ${values}) r
    join outbox o on o.organization_id = r.organization_id and o.key = r.key
    where o.incident_id is not null
    order by r.organization_id, r.connection_id, r.place, r.message_id, o.created_at desc
    on conflict on constraint posted_once do update
      set key = excluded.key, number = excluded.number, incident_id = excluded.incident_id,
        shows = excluded.shows, joined_at = excluded.joined_at, wake_at = excluded.wake_at, changed_at = excluded.changed_at,
        changes = posted.changes + 1, tries = 0`;
}

/**
 * What changes soon after is shown by the same edit. A telephone that rings comes before messages, and
 * what was decided last before the others: they are due a microsecond after each other.
 */
export async function wakePosted(
  { sql }: LedgerContext,
  changed: Changes['changed'],
  now: Temporal.Instant,
): Promise<void> {
  if (changed.length === 0) return;
  const soon = now.add({ milliseconds: sendingLimits.editDelay });
  const ids = changed.map(({ organization_id, id }) => ({ organization_id, id }));
  await sql`
    update posted p
    set wake_at = least(p.wake_at, ${soon}::timestamptz + n.nth * interval '1 microsecond'),
      changed_at = ${now}, changes = p.changes + 1, tries = 0
    from (
      select p.organization_id, p.key, p.number, p.place, row_number() over (
        partition by p.organization_id, p.incident_id
        order by o.channel <> all(${[...ringingChannels]}), o.created_at desc, p.number desc, p.key, p.place) - 1 as nth
      from json_to_recordset(${json(sql, ids)}) as i(organization_id text, id text)
      join posted p on p.organization_id = i.organization_id and p.incident_id = i.id
      join outbox o on o.organization_id = p.organization_id and o.key = p.key) n
    where p.organization_id = n.organization_id and p.key = n.key and p.number = n.number
      and p.place = n.place`;
}

/** Calls of these notices whose end is known need nobody to hang up. */
export async function forgetEndedCalls(
  { sql }: Pick<LedgerContext, 'sql'>,
  notices: readonly (OutboxKey & { readonly channel: string })[],
): Promise<void> {
  const keys = notices.flatMap(({ organization_id, key: id, channel }) =>
    rings(channel) ? [{ organization_id, id }] : [],
  );
  if (keys.length === 0) return;
  await sql`
    delete from posted p using ${keyed(sql, keys)}, attempts a
    where a.organization_id = k.organization_id and a.key = k.id
      and a.receipt = any(${receiptStates.filter((state) => isFinal({ state }))})
      and p.organization_id = a.organization_id and p.key = a.key
      and p.connection_id = a.connection_id and p.message_id = a.vendor_id`;
}

/** What a message is about; null: it is not known, or not any more. */
export async function incidentOfPosted(
  sql: Queries,
  organizationId: string,
  posted: PostedMessage,
): Promise<string | null> {
  const [row] = await sql<{ incident_id: string }[]>`
    select incident_id from posted p where ${isMessage(sql, organizationId, posted)}`;
  return row?.incident_id ?? null;
}

/** So that this one is changed at once; false: it is not known. */
export async function refreshPosted(
  sql: Queries,
  organizationId: string,
  posted: PostedMessage,
  now: Temporal.Instant,
): Promise<boolean> {
  const refreshed = await sql`
    update posted p
    set wake_at = ${now}, changed_at = ${now}, changes = p.changes + 1, tries = 0, shows = null
    where ${isMessage(sql, organizationId, posted)}`;
  return refreshed.count > 0;
}

type Adoption = {
  readonly incident: Pick<Incident, 'organization_id' | 'id'>;
  readonly channel: string;
  /** Of the contact that it was sent to. */
  readonly address: string;
  readonly posted: PostedMessage;
  readonly now: Temporal.Instant;
};

/**
 * Has a message change with its incident that is ours, and of which no attempt knows: its answer was
 * lost. It is kept with the last page that went to its address. False: there is none.
 */
export function adoptPosted(
  { sql, secrets }: Pick<LedgerParts, 'sql' | 'secrets'>,
  { incident: { organization_id, id }, channel, address, posted, now }: Adoption,
): Promise<boolean> {
  const { connectionId, place, messageId } = posted;
  const recipientKey = recipientKeyOf({ secrets }, { organization_id, channel, address });
  return transact(sql, async (tx) => {
    // One at a time of one page, for the numbers below.
    const [page] = await tx<{ key: string }[]>`
      select key from outbox
      where organization_id = ${organization_id} and incident_id = ${id}
        and recipient_key = ${recipientKey} and kind = any(${[...pageKinds]}) and attempts > 0
      order by created_at desc, key limit 1 for no key update`;
    if (page === undefined) return false;
    await tx`
      select from incidents where organization_id = ${organization_id} and id = ${id} for share`;
    // Attempts count from 1: these count down, so that none of them is in the way.
    const adopted = await tx`
      insert into posted (organization_id, key, number, incident_id, connection_id, place,
        message_id, wake_at, changed_at, tries)
      select ${organization_id}, ${page.key}, least(1, min(number)) - 1, ${id}, ${connectionId},
        ${place}, ${messageId}, ${now}, ${now}, 0
      from posted where organization_id = ${organization_id} and key = ${page.key}
      on conflict do nothing`;
    return adopted.count > 0;
  });
}

/** The first message about the incident that stands where this notice goes. */
export async function threadOf(
  sql: Queries,
  { organization_id, incident, recipient_key }: ClaimedIncidentNotice,
): Promise<PostedMessage | null> {
  const [row] = await sql<PostedMessage[]>`
    select p.connection_id as "connectionId", p.place, p.message_id as "messageId"
    from posted p join outbox o on o.organization_id = p.organization_id and o.key = p.key
    where p.organization_id = ${organization_id} and p.incident_id = ${incident.id}
      and o.recipient_key = ${recipient_key}
    order by o.created_at, o.key, p.number desc limit 1`;
  return row ?? null;
}

const isMessage = (
  sql: Queries,
  organizationId: string,
  { connectionId, place, messageId }: PostedMessage,
) => sql`
  p.organization_id = ${organizationId} and p.place = ${place} and p.message_id = ${messageId}
  and ${connectionId === null ? sql`p.connection_id is null` : sql`p.connection_id = ${connectionId}`}`;

/** More than all servers together change at once. */
const NEXT_READ = 64;

export function createPostStorage(parts: LedgerParts): PostStorage {
  const { sql } = parts;
  const inTransaction = <T>(work: (context: LedgerContext) => Promise<T>) =>
    transact(sql, (transaction) => work({ ...parts, sql: transaction }));
  return {
    claim: (request) => inTransaction((context) => claimPosts(context, request)),
    read: (post) => inTransaction((context) => read(context, post)),
    settle: (post, settled, now) =>
      inTransaction((context) => settle(context, { post, settled, now })),
    async next(rooms) {
      try {
        const [row] = await sql<{ next: Temporal.Instant | null }[]>`
          select min(next) as next from (
            select greatest(wake_at, lease_until) as next from posted p
            where ${mayChange(sql, rooms)}
            order by wake_at limit ${NEXT_READ}) soon`;
        return row?.next ?? null;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

async function read(context: LedgerContext, post: ClaimedPost): Promise<PostStory> {
  const { sql } = context;
  const { organization_id, key } = post;
  const rows = await sql<OutboxRow[]>`
    select ${outboxColumns(sql)}
    from outbox o
    left join users u on u.organization_id = o.organization_id and u.id = o.user_id
    where o.organization_id = ${organization_id} and o.key = ${key}`;
  const { notices, broken } = await readClaimed(context, rows);
  if (broken[0] !== undefined) throw broken[0].error;
  const [notice] = notices;
  if (notice?.about !== 'incident') throw new Error('what was sent is about no incident');
  return {
    notice,
    last: await lastActionOn(context, notice.incident),
    joined: await joinedOn(context, notice.incident, post.joinedAt ?? notice.created_at),
  };
}

/** The alerts that joined after that time, of those that the incident has as it was read. */
async function joinedOn(
  { sql }: LedgerContext,
  { organization_id, id, escalation }: Incident,
  since: Temporal.Instant,
): Promise<Joined | null> {
  if (escalation.joinedAt === undefined) return null;
  const [row] = await sql<
    { count: number | null; at: Temporal.Instant; first: readonly unknown[] }[]
  >`
    with joined as materialized (
      select at, details, sequence from timeline
      where organization_id = ${organization_id} and incident_id = ${id}
        and type = 'alert_joined' and at > ${since} and at <= ${escalation.joinedAt})
    select sum(coalesce((details->>'alerts')::integer, 1))::integer as count, max(at) as at, (
      select json_agg(details order by sequence) from (
        select details, sequence from joined order by sequence limit ${titlesNamed}) f) as first
    from joined`;
  if (row === undefined || row.count === null) return null;
  const titles = row.first.flatMap(titlesIn).slice(0, titlesNamed);
  return { count: row.count, titles, at: row.at };
}

async function lastActionOn(
  { sql }: LedgerContext,
  { organization_id, id }: Incident,
): Promise<LastAction | null> {
  const [row] = await sql<LastAction[]>`
    select type, actor, at from timeline
    where organization_id = ${organization_id} and incident_id = ${id}
      and type = any(${[...shownActions]})
    order by sequence desc limit 1`;
  return row ?? null;
}

type Settling = {
  readonly post: ClaimedPost;
  readonly settled: Parameters<PostStorage['settle']>[1];
  readonly now: Temporal.Instant;
};

type Fragment = ReturnType<typeof isMessage>;
type Release = {
  readonly shows?: Fragment;
  readonly wakeAt?: Fragment;
  readonly tries?: Fragment;
  readonly commentedAt?: Temporal.Instant | null;
  readonly countedAt?: Temporal.Instant | null;
  readonly joinedAt?: Temporal.Instant | null;
  readonly messageId?: string | undefined;
};

async function settle(context: LedgerContext, { post, settled, now }: Settling): Promise<boolean> {
  const { sql } = context;
  const isOurs = sql`
    ${isMessage(sql, post.organization_id, post.posted)} and p.lease_until = ${post.leaseUntil}`;
  // By the same attempt: what was sent anew as the same message may have come before or after.
  const isSame = sql`p.key = ${post.key} and p.number = ${post.number}`;
  const isUnchanged = sql`${isSame} and p.changes = ${post.changes}`;
  /** Whoever changed it meanwhile made it due, and it is free for them. */
  const release = async ({
    shows,
    wakeAt,
    tries,
    commentedAt = null,
    countedAt = null,
    joinedAt = null,
    messageId = post.posted.messageId,
  }: Release = {}) => {
    const released = await sql`
      update posted p
      set lease_until = null,
        message_id = ${messageId},
        commented_at = coalesce(${commentedAt}::timestamptz, p.commented_at),
        counted_at = coalesce(${countedAt}::timestamptz, p.counted_at),
        joined_at = coalesce(${joinedAt}::timestamptz, p.joined_at),
        tries = case when ${isUnchanged} then ${tries ?? sql`p.tries`} else p.tries end,
        wake_at = case when ${isUnchanged} then ${wakeAt ?? sql`p.wake_at`} else p.wake_at end,
        shows = case
          when ${isUnchanged} or ${isSame} and p.shows is not null then ${shows ?? sql`p.shows`}
          when p.shows = ${notYet} then p.shows end
      where ${isOurs}`;
    return released.count > 0;
  };
  switch (settled.type) {
    case 'shown':
      return release({
        shows: sql`${settled.shows}::text`,
        wakeAt: sql`${settled.wakeAt}::timestamptz`,
        tries: sql`0`,
        commentedAt: settled.commentedAt,
        countedAt: settled.countedAt ?? null,
        joinedAt: settled.joinedAt ?? null,
        messageId: settled.insteadBy?.messageId,
      });
    case 'retry':
      return release({
        shows: sql`case when p.shows = ${notYet} then p.shows else ${uncertain} end`,
        wakeAt: sql`${settled.wakeAt}::timestamptz`,
      });
    case 'wait':
      return release({ wakeAt: sql`${settled.until}::timestamptz`, tries: sql`0` });
    case 'forget': {
      const gone = await sql`delete from posted p where ${isOurs} and ${isUnchanged}`;
      return gone.count > 0 || release();
    }
    case 'failed': {
      const { notice, reason } = settled;
      const { organization_id: organizationId, id } = notice.incident;
      // Before the message: that is the order of whoever changes the incident.
      const [incident] = await lockIncidents(context, { organizationId, ids: [id] });
      const gone = await sql`delete from posted p where ${isOurs} and ${isUnchanged}`;
      if (gone.count === 0) return release();
      if (incident === undefined) return true;
      const text = `stays as it was, for it could not be changed: ${reason}`;
      const entry = noticeEntry(notice, incident, { type: 'edit_failed', text });
      await insertTimeline(context, {
        entries: [{ ...entry, organization_id: organizationId }],
        at: now,
      });
      // Whatever was sent there last: it is for whom a page was sent to.
      if (incident.status === 'resolved')
        await insertAllClear(context, incident, { now, recipientKey: notice.recipient_key });
      return true;
    }
  }
}
