// Which notices may be claimed now, found at a cost that does not grow with those that may not:
// rows that wait for their time, for a recipient that has enough to do, or for those before them.

import type { Rooms } from '../../engine/claims/rooms.ts';
import type { ClaimRequest } from '../../engine/ports/sending.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { pacedChannels } from '../../resources/channels.ts';
import { columnList } from '../columns.ts';
import type { Transaction } from '../database.ts';
import { full, isWithin } from '../rooms.ts';
import { outboxColumns } from './claimed.ts';
import { attemptsElsewhere, lastOutcome } from './handed-over.ts';

/** While no more rows than this are due, all of them are looked at; else the indexes are walked. */
const claimWindow = 256;
/** How many ordering keys of a recipient may be held by other servers before its next is missed. */
const ORDERING_KEYS_READ = 32;
/** More than one claim takes: what another server holds is passed over, and the next are taken. */
const anyNumber: Rooms = { each: 2 ** 31 - 1, of: new Map() };

const names = ['organization_id', 'key', 'channel', 'recipient_key', 'rank', 'created_at'] as const;

/**
 * Found without locks, shared out among recipients, then organisations, then channels, and only
 * then locked: what is left out is found again.
 */
export function dueNotices(sql: Transaction, request: ClaimRequest, window = claimWindow) {
  // Written so that no index condition matches and the planner joins by the key; else it might read
  // all due rows, perhaps once for each row.
  const isStillDue = sql`
    case when f.nth > 0 then o.state = 'pending' and o.wake_at <= ${request.now} end`;
  const { limit, perRecipient, shares = new Map<string, number>() } = request;
  const { channels, organizations, calls, lanes } = request.rooms ?? {
    channels: anyNumber,
    organizations: anyNumber,
    calls: anyNumber,
    lanes: anyNumber,
  };
  // Before others are called a second time, all are called once.
  const urgency = sql`rank, is_tried, created_at desc, key`;
  return sql`
    with due as (${claimable(sql, request, window)}), of_recipients as (
      select *, row_number() over (partition by recipient_key
        order by ${urgency}) as nth
      from due ${request.inAnyOrder ? sql`` : sql`where not ${isBehind(sql, request)}`}
    ), of_kinds as (
      select *, row_number() over (partition by organization_id, channel = 'webhook'
        order by ${urgency}) as nth_of_kind
      from of_recipients
      where ${isWithin(sql, 'nth', 'recipient_key', { each: perRecipient, of: shares })}
    ), of_organizations as (
      select *, row_number() over (partition by organization_id
        order by ${urgency}) as nth_of_all
      from of_kinds
      where channel <> 'webhook' or ${isWithin(sql, 'nth_of_kind', 'organization_id', calls)}
    ), of_lanes as (
      select *, row_number() over (partition by organization_id, channel
        order by ${urgency}) as nth_of_lane,
        organization_id || ' ' || channel as lane
      from of_organizations
      where ${isWithin(sql, 'nth_of_all', 'organization_id', organizations)}
    ), of_channels as (
      select *, row_number() over (partition by channel
        order by ${urgency}) as nth_of_channel
      from of_lanes
      where not ${isPaced(sql)} or ${isWithin(sql, 'nth_of_lane', 'lane', lanes)}
    )
    select ${outboxColumns(sql)}
    from of_channels f join outbox o on o.organization_id = f.organization_id and o.key = f.key
    left join users u on u.organization_id = o.organization_id and u.id = o.user_id
    where ${isWithin(sql, 'nth_of_channel', 'f.channel', channels)} and ${isStillDue}
    order by f.rank, f.is_tried, f.created_at desc, f.key limit ${limit}
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
export function claimable(sql: Transaction, request: ClaimRequest, window = claimWindow) {
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
