// The channels of workspaces that apps can post to: read page by page, apart from all that sends.
import type { Queries, Sql } from '../database/database.ts';
import { transact } from '../database/database.ts';
import { json } from '../records/rows.ts';

export type ChatChannel = {
  readonly channelId: string;
  readonly name: string;
  readonly isPrivate: boolean;
};

/** A page that this server may now read. */
export type ChatReading = {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly leaseUntil: Temporal.Instant;
  /** Null: the first. */
  readonly nextPage: string | null;
  /** Of this reading, that are read. */
  readonly pages: number;
};

type Claim = {
  readonly vendors: readonly string[];
  readonly now: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
};

const dueAt = (sql: Queries) => sql`coalesce(r.wake_at, c.created_at)`;

const readings = (sql: Queries, vendors: readonly string[]) => sql`
  from channel_connections c left join chat_channel_readings r
    on r.organization_id = c.organization_id and r.connection_id = c.id
  where c.vendor = any(${[...vendors]}) and c.enabled and c.archived_at is null`;

/** When a page is due; null: there is no connection. */
export async function nextChatReading(
  sql: Queries,
  vendors: readonly string[],
): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ next: Temporal.Instant | null }[]>`
    select min(${dueAt(sql)}) as next ${readings(sql, vendors)}`;
  return row?.next ?? null;
}

/** Null: none is due, or another server reads it. */
export async function claimChatReading(
  sql: Queries,
  { vendors, now, leaseUntil }: Claim,
): Promise<ChatReading | null> {
  const [row] = await sql<Omit<ChatReading, 'leaseUntil'>[]>`
    insert into chat_channel_readings as held (organization_id, connection_id, wake_at)
    select c.organization_id, c.id, ${leaseUntil} ${readings(sql, vendors)}
      and ${dueAt(sql)} <= ${now}
    order by ${dueAt(sql)} limit 1
    on conflict (organization_id, connection_id) do update set wake_at = excluded.wake_at
      where held.wake_at <= ${now}
    returning organization_id as "organizationId", connection_id as "connectionId",
      next_page as "nextPage", pages`;
  return row === undefined ? null : { ...row, leaseUntil };
}

type Page = {
  readonly channels: readonly ChatChannel[];
  /** Null: it was the last. */
  readonly nextPage: string | null;
  readonly now: Temporal.Instant;
  readonly wakeAt: Temporal.Instant;
};

/** With the last page, those that were not there any more are removed. */
export function storeChatPage(sql: Sql, reading: ChatReading, page: Page): Promise<void> {
  const { organizationId, connectionId, leaseUntil } = reading;
  const { channels, nextPage, now, wakeAt } = page;
  return transact(sql, async (tx) => {
    const beganAt = reading.nextPage === null ? now : null;
    const [row] = await tx<{ began_at: Temporal.Instant }[]>`
      update chat_channel_readings
      set wake_at = ${wakeAt}, next_page = ${nextPage},
        pages = ${nextPage === null ? 0 : reading.pages + 1},
        began_at = coalesce(${beganAt}::timestamptz, began_at),
        complete_at = ${nextPage === null ? now : tx`complete_at`}
      where organization_id = ${organizationId} and connection_id = ${connectionId}
        and wake_at = ${leaseUntil}
      returning began_at`;
    // The lease is over: another server has read it.
    if (row === undefined) return;
    await upsertChatChannels(tx, { organizationId, connectionId, channels, now });
    if (nextPage !== null) return;
    await tx`
      delete from chat_channels
      where organization_id = ${organizationId} and connection_id = ${connectionId}
        and read_at < ${row.began_at}`;
  });
}

type Upsert = Pick<ChatReading, 'organizationId' | 'connectionId'> & Pick<Page, 'channels' | 'now'>;

export async function upsertChatChannels(
  sql: Queries,
  { organizationId, connectionId, channels, now }: Upsert,
): Promise<void> {
  await sql`
    insert into chat_channels (organization_id, connection_id, channel_id, name, is_private, read_at)
    select distinct on (c."channelId") ${organizationId}, ${connectionId}, c."channelId", c.name,
      c."isPrivate", ${now}
    from json_to_recordset(${json(sql, channels)})
      as c("channelId" text, name text, "isPrivate" boolean)
    order by c."channelId"
    on conflict (organization_id, connection_id, channel_id) do update
      set name = excluded.name, is_private = excluded.is_private, read_at = excluded.read_at`;
}

type Postponement = {
  readonly wakeAt: Temporal.Instant;
  /** It is read from the first page on. */
  readonly isAnew: boolean;
};

export async function postponeChatReading(
  sql: Queries,
  { organizationId, connectionId, leaseUntil }: ChatReading,
  { wakeAt, isAnew }: Postponement,
): Promise<void> {
  await sql`
    update chat_channel_readings
    set wake_at = ${wakeAt},
      next_page = ${isAnew ? null : sql`next_page`}, pages = ${isAnew ? 0 : sql`pages`}
    where organization_id = ${organizationId} and connection_id = ${connectionId}
      and wake_at = ${leaseUntil}`;
}

type Search = {
  readonly organizationId: string;
  readonly vendor: string;
  /** A part of a name, or an id. */
  readonly text: string;
  readonly limit: number;
};

export type ListedChatChannel = ChatChannel & {
  readonly connectionId: string;
  readonly connection: string;
};

/** Those that begin with it come first. */
export const searchChatChannels = (
  sql: Queries,
  { organizationId, vendor, text, limit }: Search,
): Promise<readonly ListedChatChannel[]> =>
  sql<ListedChatChannel[]>`
    select ch.channel_id as "channelId", ch.name, ch.is_private as "isPrivate",
      c.id as "connectionId", c.name as connection
    from channel_connections c
    join chat_channels ch on ch.organization_id = c.organization_id and ch.connection_id = c.id
    where c.organization_id = ${organizationId} and c.vendor = ${vendor}
      and c.enabled and c.archived_at is null
      and (strpos(lower(ch.name), lower(${text})) > 0 or ch.channel_id = ${text})
    order by lower(ch.name) = lower(${text}) desc, starts_with(lower(ch.name), lower(${text})) desc,
      lower(ch.name), c.position, c.id, ch.channel_id
    limit ${limit}`;

/** Whether all channels of all connections in use were read once at least. */
export async function areChatChannelsRead(
  sql: Queries,
  { organizationId, vendor }: Pick<Search, 'organizationId' | 'vendor'>,
): Promise<boolean> {
  const unread = await sql`
    select ${readings(sql, [vendor])}
      and c.organization_id = ${organizationId} and r.complete_at is null limit 1`;
  return unread.length === 0;
}

/**
 * Of these, the channels that no connection in use can post to; none while there is no connection, while
 * their channels are read for the first time, or where none is known: a bot in Teams learns of its teams
 * one after another.
 */
export async function unpostableChannels(
  sql: Queries,
  of: Pick<Search, 'organizationId' | 'vendor'>,
  channelIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (channelIds.length === 0 || !(await areChatChannelsRead(sql, of))) return new Set();
  const rows = await sql<{ id: string }[]>`
    with connections as (
      select c.organization_id, c.id ${readings(sql, [of.vendor])}
        and c.organization_id = ${of.organizationId}
    )
    select id from unnest(${[...channelIds]}::text[]) as named (id)
    where exists (
      select from connections c join chat_channels ch
        on ch.organization_id = c.organization_id and ch.connection_id = c.id)
    and not exists (
      select from connections c join chat_channels ch
        on ch.organization_id = c.organization_id and ch.connection_id = c.id
      where ch.channel_id = named.id)`;
  return new Set(rows.map(({ id }) => id));
}
