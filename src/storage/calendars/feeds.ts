// Links to calendars. Whoever has a link reads the calendar, so the link is a secret: it is found
// by its digest, and sealed to be shown again to its maker.
import { randomBytes } from 'node:crypto';
import type { Ids } from '../../engine/ids.ts';
import { Unreadable } from '../../engine/unreadable.ts';
import { anything } from '../../resources/declaration/field.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type ListQuery, type Page, pageOf } from '../database/page.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { lockOrganization } from '../people/users.ts';
import { json, timeText } from '../records/rows.ts';
import { type Lookup, lookupIn } from '../records/uses.ts';
import { rowContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../sealed/secrets.ts';

const TOKEN_BYTES = 32;
const audited = { kind: 'calendar_feed', schema: anything('Without the link.') } as const;

/** Of one schedule, of one person, or of one person in one schedule. */
export type FeedOf = { readonly oncall_schedule_id?: string; readonly user_id?: string };

export type CalendarFeed = FeedOf & {
  readonly id: string;
  readonly token: string;
  readonly created_at: string;
};

type FeedRow = {
  readonly organization_id: string;
  readonly id: string;
  readonly token_encrypted: string;
  readonly oncall_schedule_id: string | null;
  readonly user_id: string | null;
  readonly created_at: Temporal.Instant;
};

const tokenContext = (organizationId: string, id: string) =>
  rowContext('calendar_feeds.token_encrypted', organizationId, id);

const feedOf = (secrets: Pick<Secrets, 'open'>, row: FeedRow): CalendarFeed => ({
  id: row.id,
  token: secrets.open(row.token_encrypted, tokenContext(row.organization_id, row.id)),
  ...subjectOf(row),
  created_at: timeText(row.created_at),
});

export type UnreadableFeed = { readonly id: string; readonly error: Unreadable };

function readableFeed(secrets: Pick<Secrets, 'open'>, row: FeedRow): CalendarFeed | UnreadableFeed {
  try {
    return feedOf(secrets, row);
  } catch (error) {
    return { id: row.id, error: new Unreadable(`The calendar feed ${row.id}`, error) };
  }
}

const subjectOf = (row: Pick<FeedRow, 'oncall_schedule_id' | 'user_id'>): FeedOf => ({
  ...(row.oncall_schedule_id !== null && { oncall_schedule_id: row.oncall_schedule_id }),
  ...(row.user_id !== null && { user_id: row.user_id }),
});

export type FeedFilter = FeedOf & {
  /** Only feeds of these teams' schedules; null: all. */
  readonly teamIds: readonly string[] | null;
  /** Only those that this person or key made; null: everybody's. */
  readonly madeBy: string | null;
};

const visible = (sql: Queries, { teamIds, madeBy }: FeedFilter) => sql`
  f.revoked_at is null
  ${madeBy === null ? sql`` : sql`and f.created_by ->> 'id' = ${madeBy}`}
  ${
    teamIds === null
      ? sql``
      : sql`and exists (
          select from oncall_schedules s
          where s.organization_id = f.organization_id and s.id = f.oncall_schedule_id
            and s.team_id in (select json_array_elements_text(${json(sql, teamIds)})))`
  }`;

export type FeedParts = { readonly sql: Sql; readonly ids: Ids; readonly secrets: Secrets };

export async function listFeeds(
  { sql, secrets }: FeedParts,
  query: ListQuery<FeedFilter>,
): Promise<Page<CalendarFeed | UnreadableFeed>> {
  const { oncall_schedule_id, user_id } = query.filter;
  const rows = await sql<FeedRow[]>`
    select f.organization_id, f.id, f.token_encrypted, f.oncall_schedule_id, f.user_id, f.created_at
    from calendar_feeds f
    where f.organization_id = ${query.organizationId} and f.id > ${query.after}
      and ${visible(sql, query.filter)}
    ${oncall_schedule_id === undefined ? sql`` : sql`and f.oncall_schedule_id = ${oncall_schedule_id}`}
    ${user_id === undefined ? sql`` : sql`and f.user_id = ${user_id}`}
    order by f.id limit ${query.limit + 1}`;
  return pageOf(
    rows.map((row) => readableFeed(secrets, row)),
    query.limit,
  );
}

type FeedCreation = {
  readonly act: Act;
  readonly of: FeedOf;
  /** Checks the feed inside the transaction; throws to refuse it. */
  readonly check: (lookup: Lookup, existing: number) => Promise<void>;
};

export function createFeed(
  parts: FeedParts,
  { act, of, check }: FeedCreation,
): Promise<CalendarFeed> {
  const { sql, ids, secrets } = parts;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, act.organizationId);
    await check(lookupIn(tx, act.organizationId), await countFeeds(tx, act));
    const id = ids.next();
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const sealed = secrets.seal(token, tokenContext(act.organizationId, id));
    await tx`
      insert into calendar_feeds (organization_id, id, token_digest, token_encrypted,
        oncall_schedule_id, user_id, created_at, created_by)
      values (${act.organizationId}, ${id}, ${secrets.digest(token)}, ${sealed},
        ${of.oncall_schedule_id ?? null}, ${of.user_id ?? null}, ${act.now},
        ${json(tx, act.actor)})`;
    const after = { id, ...of, created_at: timeText(act.now) };
    await audit(tx, ids, { act, ...audited, action: 'create', id, after });
    return { ...after, token };
  });
}

async function countFeeds(tx: Transaction, act: Act): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from calendar_feeds
    where organization_id = ${act.organizationId} and revoked_at is null
      and created_by ->> 'id' = ${act.actor.id}`;
  return row?.count ?? 0;
}

type FeedRevocation = {
  readonly act: Act;
  readonly id: string;
  readonly madeBy: string | null;
};

/** Whether there was such a feed; from now on nobody reads it. */
export function revokeFeed(
  parts: FeedParts,
  { act, id, madeBy }: FeedRevocation,
): Promise<boolean> {
  return transact(parts.sql, async (tx) => {
    const [row] = await tx<FeedRow[]>`
      update calendar_feeds f set revoked_at = ${act.now}
      where f.organization_id = ${act.organizationId} and f.id = ${id}
        and ${visible(tx, { teamIds: act.teamIds, madeBy })}
      returning f.id, f.oncall_schedule_id, f.user_id, f.created_at`;
    if (row === undefined) return false;
    const before = { id, ...subjectOf(row), created_at: timeText(row.created_at) };
    await audit(tx, parts.ids, { act, ...audited, action: 'revoke', id, before });
    return true;
  });
}

/** A feed as its link tells it. */
export type Feed = FeedOf & { readonly id: string; readonly organizationId: string };

/**
 * Null when there is no feed with such a link, or no longer, or its maker has left: a person who is
 * not active, or a key that is revoked, expired or made by such a person.
 */
export async function feedByToken(
  sql: Queries,
  { digest, now }: { readonly digest: Uint8Array; readonly now: Temporal.Instant },
): Promise<Feed | null> {
  const [row] = await sql<(FeedRow & { organization_id: string })[]>`
    select f.organization_id, f.id, f.oncall_schedule_id, f.user_id from calendar_feeds f
    left join api_keys k
      on k.organization_id = f.organization_id and k.id = f.created_by ->> 'id'
    left join users maker
      on maker.organization_id = f.organization_id
        and maker.id = coalesce(k.user_id, f.created_by ->> 'id')
    where f.token_digest = ${digest} and f.revoked_at is null
      and k.archived_at is null
      and (k.expires_at is null or k.expires_at > ${now.toString()})
      and coalesce(maker.active, true)`;
  return row ? { id: row.id, organizationId: row.organization_id, ...subjectOf(row) } : null;
}
