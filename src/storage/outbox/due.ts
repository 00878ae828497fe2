// Which notices may be claimed now, found at a cost that does not grow with those that may not:
// rows that wait for their time, for a recipient that has enough to do, or for those before them.

import type { ClaimRequest, OutboxKey } from '../../engine/ports/sending.ts';
import { type Candidate, shareOut } from '../../engine/sending/fair-shares.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { pacedChannels } from '../../resources/channels.ts';
import { columnList } from '../database/columns.ts';
import type { Transaction } from '../database/database.ts';
import { CLAIM_WINDOW, full } from './candidates.ts';
import { type OutboxRow, outboxColumns } from './claimed.ts';
import { attemptsElsewhere, lastOutcome } from './handed-over.ts';

/** How many ordering keys of a recipient may be held by other servers before its next is missed. */
const ORDERING_KEYS_READ = 32;

const names = ['organization_id', 'key', 'channel', 'recipient_key', 'rank', 'created_at'] as const;

/** Locked: what is due, in the order in which it is to be sent. What is left out is found again. */
export async function lockDueNotices(
  sql: Transaction,
  request: ClaimRequest,
  window?: number,
): Promise<readonly OutboxRow[]> {
  const chosen = shareOut(await readCandidates(sql, request, window), request);
  return chosen.length === 0 ? [] : await sql<OutboxRow[]>`${locked(sql, request, chosen)}`;
}

type CandidateRow = readonly [organization: string, key: string, channel: string, to: string];

/** The most urgent first: before others are called a second time, all are called once. */
async function readCandidates(
  sql: Transaction,
  request: ClaimRequest,
  window?: number,
): Promise<readonly (OutboxKey & Candidate)[]> {
  const isNext = request.inAnyOrder ? sql`` : sql`where not ${isBehind(sql, request)}`;
  // As one value: the driver takes longer to read hundreds of rows.
  const [row] = await sql<{ candidates: readonly CandidateRow[] | null }[]>`
    select json_agg(json_build_array(organization_id, key, channel, recipient_key)
      order by rank, is_tried, created_at desc, key) as candidates
    from (${claimable(sql, request, window)}) due ${isNext}`;
  return (row?.candidates ?? []).map(([organization_id, key, channel, recipient_key]) => ({
    organization_id,
    key,
    channel,
    recipient_key,
  }));
}

/** What another server holds is passed over, and the next are taken. */
export function locked(
  sql: Transaction,
  { now, limit }: Pick<ClaimRequest, 'now' | 'limit'>,
  chosen: readonly OutboxKey[],
) {
  const organizations = chosen.map(({ organization_id }) => organization_id);
  const keys = chosen.map(({ key }) => key);
  // Written so that no index condition matches and the planner joins by the key; else it might read
  // all due rows, perhaps once for each row.
  const isStillDue = sql`
    case when f.nth > 0 then o.state = 'pending' and o.wake_at <= ${now} end`;
  return sql`
    select ${outboxColumns(sql)}
    from unnest(${organizations}::text[], ${keys}::text[]) with ordinality
      as f (organization_id, key, nth)
    join outbox o on o.organization_id = f.organization_id and o.key = f.key
    left join users u on u.organization_id = o.organization_id and u.id = o.user_id
    where ${isStillDue}
    order by f.nth limit ${limit}
    for update of o skip locked`;
}

/**
 * While pages of earlier steps are tried in vain, one of a later step goes after their next try: it may
 * be withdrawn by then. Not for long, for its person is to be woken; and not at all once a page was
 * taken for which it cannot be withdrawn any more. Subplans (`case`, `offset 0`), for the planner would
 * join all rows.
 */
function isBehind(sql: Transaction, { now }: ClaimRequest) {
  const atFirst = now.subtract({ seconds: sendingLimits.earlierStepFirst });
  const again = now.subtract({ seconds: sendingLimits.earlierStepAgain });
  return sql`
    case when due.rank <= 1 then exists (
      select from outbox later
      left join lateral (${lastOutcome(sql, 'later')}) own on true
      where later.organization_id = due.organization_id and later.key = due.key
        and (later.kind = 'nobody_paged' or later.kind = 'page' and later.step > 0)
        and later.wake_at > case
          when later.tried_at is null or later.attempts = ${attemptsElsewhere(sql, 'later')}
          then ${atFirst}::timestamptz else ${again}::timestamptz end
        and own.outcome is distinct from 'handed_over'
        and exists (
          select from outbox earlier
          left join lateral (${lastOutcome(sql, 'earlier')}) last on true
          where earlier.organization_id = later.organization_id and earlier.incident_id = later.incident_id
            and earlier.kind = 'page' and earlier.cycle = later.cycle and earlier.state = 'pending'
            and (earlier.step < later.step or later.kind = 'nobody_paged')
            and (earlier.attempts > 0 or earlier.wake_at <= ${now})
            and last.outcome is distinct from 'handed_over'
            and (last.finished_at is null or last.finished_at < later.wake_at
              -- It goes on at once, at another contact.
              or last.number = ${attemptsElsewhere(sql, 'earlier')})
            and not exists (
              select from outbox page
              left join lateral (${lastOutcome(sql, 'page')}) result on true
              where page.organization_id = later.organization_id
                and page.incident_id = later.incident_id and page.kind = 'page'
                and page.cycle = later.cycle and page.step >= earlier.step
                and (page.state = 'sent'
                  or page.state = 'pending' and result.outcome = 'handed_over')
              offset 0)
          offset 0))
      else false end`;
}

/**
 * Of all that is due the most urgent, and of those the newest, and the newest that were never tried.
 * Its conditions are those of the indexes `outbox_wakes`, `outbox_due`, `outbox_untried`,
 * `outbox_by_recipient` and `outbox_ordered`.
 */
export function claimable(sql: Transaction, request: ClaimRequest, window = CLAIM_WINDOW) {
  const { now, limit, perRecipient } = request;
  const busy = sql`any(${[...request.busy]})`;
  const mayGo = (of: string) =>
    sql`not ${sql(of)}.recipient_key = ${busy} ${hasRoom(sql, request)}`;
  const columnsOf = (of: string) => columnList(sql, [...names, 'is_tried'], of);
  const stored = sql`${columnList(sql, names)}, tried_at is not null as is_tried`;
  const columns = columnList(sql, [...names, 'is_tried']);
  const { isFree, isQueued } = conditions(sql);
  const isMany = sql`(select is_many from due_now)`;
  const isShort = sql`(select count(distinct recipient_key) from newest) < ${limit}`;
  return sql`
    with recursive soon as materialized (
      select ${stored}, ordering_key, sequence, tried_at from outbox
      where state = 'pending' and wake_at <= ${now} order by wake_at limit ${window + 1}
    ), due_now as materialized (
      select count(*) > ${window} as is_many from soon
    ), newest as materialized (
      select ${columns} from (
        select ${stored}, wake_at from outbox where ${isFree}
        order by rank, created_at desc limit ${window}) free
      where ${isMany} and wake_at <= ${now} and ${mayGo('free')}
    ), untried as materialized (
      select ${columns} from (
        select ${stored}, wake_at from outbox
        where state = 'pending' and ordering_key is null and tried_at is null
        order by rank, created_at desc limit ${window}) free
      where ${isMany} and wake_at <= ${now} and ${mayGo('free')}
    ), recipients as (${eachRecipient(sql)}), orderings as (${eachOrderingKey(sql, busy)})
    select ${columns} from soon where not ${isMany} and ${mayGo('soon')} and ${isFirst(sql)}
    union
    select ${columns} from newest
    union
    select ${columns} from untried
    union
    select * from (
      select ${columnsOf('due')} from recipients cross join lateral (
        select ${stored} from outbox where ${isFree} and wake_at <= ${now}
          and rank = recipients.rank and recipient_key = recipients.recipient_key
        order by wake_at limit ${perRecipient}) due
      where ${isMany} and ${isShort} and ${mayGo('recipients')} limit ${limit * 2}) longest_due
    union
    select * from (
      select ${columnsOf('first')} from orderings cross join lateral (
        select ${stored}, wake_at from outbox
        where ${isQueued} and recipient_key = orderings.recipient_key
          and ordering_key = orderings.ordering_key
        order by sequence limit 1) first
      where ${isMany} and wake_at <= ${now} and ${mayGo('orderings')} limit ${limit}) first_in_order`;
}

/** Of its channel, its organisation, its organisation's calls, and its lane. */
function hasRoom(sql: Transaction, { rooms }: ClaimRequest) {
  if (rooms === undefined) return sql``;
  const { channels, organizations, calls, lanes } = rooms;
  const isCall = sql`channel = 'webhook'`;
  const mayCall =
    calls.each > 0
      ? sql`not (${isCall} and organization_id = ${full(sql, calls)})`
      : sql`not ${isCall}`;
  return sql`and not channel = ${full(sql, channels)}
    and not organization_id = ${full(sql, organizations)} and ${mayCall}
    and not (${isPaced(sql)} and organization_id || ' ' || channel = ${full(sql, lanes)})`;
}

const isPaced = (sql: Transaction) => sql`channel = any(${[...pacedChannels]})`;

type Fragment = ReturnType<typeof conditions>['isFree'];

const conditions = (sql: Transaction) => ({
  /** Without an ordering key, or past its first try: it waits for no other. */
  isFree: sql`state = 'pending' and (ordering_key is null or tried_at is not null)`,
  isQueued: sql`state = 'pending' and ordering_key is not null and tried_at is null`,
});

const isFirst = (sql: Transaction) => sql`
  (ordering_key is null or tried_at is not null or not exists (
    select from outbox before
    where before.recipient_key = soon.recipient_key and before.ordering_key = soon.ordering_key
      and before.sequence < soon.sequence
      and before.state = 'pending' and before.ordering_key is not null
      and before.tried_at is null))`;

/** In the order of urgency, each found from the one before by one step in the index. */
function eachRecipient(sql: Transaction) {
  const { isFree } = conditions(sql);
  return sql`
    (select rank, recipient_key from outbox where ${isFree} order by rank, recipient_key limit 1)
    union all
    select next.rank, next.recipient_key from recipients cross join lateral (
      select rank, recipient_key from outbox
      where ${isFree} and (rank, recipient_key) > (recipients.rank, recipients.recipient_key)
      order by rank, recipient_key limit 1) next`;
}

/** The same. An ordering key begins with its recipient's key, and `~` sorts after all of these. */
function eachOrderingKey(sql: Transaction, busy: Fragment) {
  const { isQueued } = conditions(sql);
  return sql`
    (select recipient_key, ordering_key, 1 as nth from outbox where ${isQueued}
      order by recipient_key, ordering_key limit 1)
    union all
    select next.recipient_key, next.ordering_key,
      case when next.recipient_key = orderings.recipient_key then orderings.nth + 1 else 1 end
    from orderings cross join lateral (
      select recipient_key, ordering_key from outbox
      where ${isQueued} and (recipient_key, ordering_key) > (orderings.recipient_key,
        case when orderings.recipient_key = ${busy} or orderings.nth >= ${ORDERING_KEYS_READ}
          then orderings.recipient_key || '~' else orderings.ordering_key end)
      order by recipient_key, ordering_key limit 1) next`;
}
