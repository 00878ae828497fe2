// Requests to cover a shift. Whoever writes one holds the row of its schedule: two people who accept
// follow one another.
import type { Ids } from '../../engine/ids.ts';
import { type Configuration, configurationIn } from '../../incidents/configuration.ts';
import { queryLimits } from '../../limits/queries.ts';
import { coverRequestInput, type StoredRequestState } from '../../resources/cover-request.ts';
import type { OverrideFields } from '../../resources/override.ts';
import { type CoverStory, coverIntents } from '../../shifts/cover-requests.ts';
import type { ConfigurationCache } from '../configuration/cache.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, type AuditedAction, audit } from '../organizations/audit.ts';
import { insertCoverNotices } from '../outbox/cover-notices.ts';
import type { Scope } from '../records/queries.ts';
import { json, timeText } from '../records/rows.ts';
import { type Lookup, lookupIn } from '../records/uses.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { insertOverrides, lockSchedule, type ScheduleRef } from './overrides.ts';
import { readSchedules, type ScheduleWithHistory } from './schedules.ts';

export type CoverRequest = {
  readonly id: string;
  readonly oncall_schedule_id: string;
  readonly schedule_name: string;
  readonly user_id: string;
  readonly start_at: Temporal.Instant;
  readonly end_at: Temporal.Instant;
  readonly comment: string | null;
  readonly candidates: readonly string[];
  readonly requested_by: Act['actor'];
  readonly created_at: Temporal.Instant;
  readonly state: StoredRequestState;
  readonly accepted_by: string | null;
  readonly accepted_at: Temporal.Instant | null;
  readonly override_id: string | null;
};

const columns = (sql: Queries) => sql`
  r.id, r.oncall_schedule_id, s.name as schedule_name, r.user_id, r.start_at, r.end_at, r.comment,
  r.candidates, r.requested_by, r.created_at, r.state, r.accepted_by, r.accepted_at, r.override_id`;

const withSchedule = (sql: Queries) => sql`
  cover_requests r join oncall_schedules s
    on s.organization_id = r.organization_id and s.id = r.oncall_schedule_id`;

const ofSchedule = (sql: Queries, { organizationId, scheduleId }: ScheduleRef) => sql`
  select ${columns(sql)} from ${withSchedule(sql)}
  where r.organization_id = ${organizationId} and r.oncall_schedule_id = ${scheduleId}`;

type Page = {
  /** The last id already seen; '' at the start. */
  readonly after: string;
  readonly limit: number;
};
type CoverRequestList = ScheduleRef &
  Page & {
    /** Only those that are open at this time; null: all. */
    readonly openAt: Temporal.Instant | null;
  };

const isOpenAt = (sql: Queries, at: Temporal.Instant) => sql`r.state = 'open' and r.end_at > ${at}`;

/** Oldest first. */
export const listCoverRequests = (
  sql: Queries,
  { openAt, after, limit, ...of }: CoverRequestList,
): Promise<CoverRequest[]> => sql<CoverRequest[]>`
  ${ofSchedule(sql, of)} and r.id > ${after} and ${openAt ? isOpenAt(sql, openAt) : sql`true`}
  order by r.id limit ${limit}`;

type OpenRequests = Page & {
  readonly scope: Scope;
  readonly now: Temporal.Instant;
  /** Only those of this person, made by them, or that they can accept. */
  readonly concerning: string | null;
};

/** Open ones of all schedules, oldest first. */
export const listOpenRequests = (
  sql: Queries,
  { scope, now, concerning: id, after, limit }: OpenRequests,
): Promise<CoverRequest[]> => sql<CoverRequest[]>`
  select ${columns(sql)} from ${withSchedule(sql)}
  where r.organization_id = ${scope.organizationId} and ${isOpenAt(sql, now)} and r.id > ${after}
    ${scope.teamIds === null ? sql`` : sql`and s.team_id = any(${[...scope.teamIds]})`}
    ${id === null ? sql`` : sql`and (r.user_id = ${id} or r.requested_by->>'id' = ${id} or r.candidates::jsonb ? ${id})`}
  order by r.id limit ${limit}`;

export async function readCoverRequest(
  sql: Queries,
  of: ScheduleRef,
  id: string,
): Promise<CoverRequest | null> {
  const [row] = await sql<CoverRequest[]>`${ofSchedule(sql, of)} and r.id = ${id}`;
  return row ?? null;
}

export type CoverRequestRefusal = 'not_found' | 'archived' | 'too_many' | 'too_many_requests';

type Parts = { readonly sql: Sql; readonly ids: Ids };
type Change = {
  readonly act: Act;
  /** The schedule's id or counter. */
  readonly schedule: string;
};

/** What requests are decided with, in the transaction that stores them; throw to store nothing. */
type Deciding = { readonly lookup: Lookup; readonly known: ScheduleWithHistory };

export type NewCoverRequest = {
  readonly userId: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly comment: string | null;
  readonly candidates: readonly string[];
};

type Creation = Change & {
  readonly decide: (
    deciding: Deciding & { readonly configuration: Configuration },
  ) => Promise<NewCoverRequest>;
};

export type CreationParts = Parts & {
  readonly secrets: Secrets;
  readonly configurations: ConfigurationCache;
};

/** The request and its notices. */
export function createCoverRequest(
  { sql, ids, secrets, configurations }: CreationParts,
  { act, schedule, decide }: Creation,
): Promise<CoverRequest | CoverRequestRefusal> {
  const { organizationId, now } = act;
  return transact(sql, async (tx) => {
    const of = await lockSchedule(tx, act, schedule);
    if (typeof of === 'string') return of;
    const read = await configurations.read(tx, [organizationId], now);
    const configuration = configurationIn(read, organizationId);
    const deciding = await decidingOf(tx, of, now);
    const decided = await decide({ ...deciding, configuration });
    if ((await countOpen(tx, of, now)) >= queryLimits.coverRequests) return 'too_many_requests';
    const { userId: user_id, start: start_at, end: end_at, comment, candidates } = decided;
    const request = { id: ids.next(), user_id, start_at, end_at, comment };
    await tx`
      insert into cover_requests ${tx({
        organization_id: organizationId,
        oncall_schedule_id: of.scheduleId,
        ...request,
        candidates: json(tx, candidates),
        requested_by: json(tx, act.actor),
        created_at: now,
      })}`;
    const story = storyOf(request, { act, known: deciding.known, configuration });
    const intents = coverIntents(story, candidates, configuration);
    await insertCoverNotices({ sql: tx, secrets }, { organizationId, intents }, now);
    const after = await readLocked(tx, of, request.id);
    await auditRequest(tx, ids, { act, action: 'create', after });
    return after;
  });
}

type Naming = {
  readonly act: Act;
  readonly known: ScheduleWithHistory;
  readonly configuration: Configuration;
};

function storyOf(
  request: Pick<CoverRequest, 'id' | 'user_id' | 'start_at' | 'end_at' | 'comment'>,
  { act: { actor }, known, configuration }: Naming,
): CoverStory {
  const { id, user_id, start_at, end_at, comment } = request;
  return {
    id,
    schedule: { id: known.id, name: known.name, timezone: known.timezone },
    person: configuration.people.get(user_id)?.name ?? '',
    requester: actor.id === user_id ? null : actor.name,
    start: start_at,
    end: end_at,
    comment,
  };
}

type Acceptance = Change & {
  readonly id: string;
  /** The override that the acceptance creates. */
  readonly decide: (
    deciding: Deciding & { readonly request: CoverRequest },
  ) => Promise<OverrideFields & { readonly user_id: string }>;
};

/** Creates the override and ends the request. */
export function acceptCoverRequest(
  { sql, ids }: Parts,
  { act, schedule, id, decide }: Acceptance,
): Promise<CoverRequest | CoverRequestRefusal> {
  return transact(sql, async (tx) => {
    const of = await lockSchedule(tx, act, schedule);
    if (typeof of === 'string') return of;
    const request = await readCoverRequest(tx, of, id);
    if (request === null) return 'not_found';
    const fields = await decide({ ...(await decidingOf(tx, of, act.now)), request });
    const made = await insertOverrides(tx, ids, { act, of, all: [fields] });
    if (made === 'too_many') return made;
    const [override] = made;
    await tx`
      update cover_requests
      set state = 'accepted', accepted_by = ${fields.user_id}, accepted_at = ${act.now},
        override_id = ${override?.id ?? null}
      where organization_id = ${act.organizationId} and id = ${id}`;
    const after = await readLocked(tx, of, id);
    await auditRequest(tx, ids, { act, action: 'update', before: request, after });
    return after;
  });
}

type Withdrawal = Change & {
  readonly id: string;
  readonly check: (checking: {
    readonly lookup: Lookup;
    readonly request: CoverRequest;
  }) => Promise<void>;
};

export function withdrawCoverRequest(
  { sql, ids }: Parts,
  { act, schedule, id, check }: Withdrawal,
): Promise<CoverRequest | CoverRequestRefusal> {
  return transact(sql, async (tx) => {
    const of = await lockSchedule(tx, act, schedule);
    if (typeof of === 'string') return of;
    const request = await readCoverRequest(tx, of, id);
    if (request === null) return 'not_found';
    await check({ lookup: lookupIn(tx, act.organizationId), request });
    await tx`
      update cover_requests set state = 'withdrawn'
      where organization_id = ${act.organizationId} and id = ${id}`;
    await auditRequest(tx, ids, { act, action: 'delete', before: request });
    return request;
  });
}

async function decidingOf(
  tx: Transaction,
  { organizationId, scheduleId }: ScheduleRef,
  since: Temporal.Instant,
): Promise<Deciding> {
  const schedules = await readSchedules(tx, { organizationId, ids: [scheduleId], since });
  const known = schedules.get(scheduleId);
  if (known === undefined) throw new Error(`the schedule ${scheduleId} cannot be read`);
  return { lookup: lookupIn(tx, organizationId), known };
}

async function countOpen(tx: Queries, of: ScheduleRef, now: Temporal.Instant): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from (${ofSchedule(tx, of)} and ${isOpenAt(tx, now)}) as open_requests`;
  return row?.count ?? 0;
}

async function readLocked(tx: Queries, of: ScheduleRef, id: string): Promise<CoverRequest> {
  const request = await readCoverRequest(tx, of, id);
  if (request === null) throw new Error(`the cover request ${id} is missing`);
  return request;
}

type RequestAudit = {
  readonly act: Act;
  readonly action: AuditedAction;
  readonly before?: CoverRequest;
  readonly after?: CoverRequest;
};

function auditRequest(
  tx: Queries,
  ids: Ids,
  { act, action, before, after }: RequestAudit,
): Promise<void> {
  return audit(tx, ids, {
    act,
    action,
    id: (after ?? before)?.id ?? '',
    schema: coverRequestInput,
    kind: 'cover_request',
    ...(before && { before: auditedOf(before) }),
    ...(after && { after: auditedOf(after) }),
  });
}

const auditedOf = (request: CoverRequest) => ({
  oncall_schedule_id: request.oncall_schedule_id,
  user_id: request.user_id,
  start: timeText(request.start_at),
  end: timeText(request.end_at),
  ...(request.comment !== null && { comment: request.comment }),
  state: request.state,
  ...(request.accepted_by !== null && { accepted_by: request.accepted_by }),
  ...(request.override_id !== null && { override_id: request.override_id }),
});
