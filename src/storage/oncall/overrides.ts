// Overrides, each as its versions: an edit ends one and begins the next, so that the past stays.
import type { Ids } from '../../engine/ids.ts';
import { queryLimits } from '../../limits/queries.ts';
import { storedInstant } from '../../resources/instant.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { type OverrideFields, override } from '../../resources/override.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, type AuditedAction, audit } from '../organizations/audit.ts';
import { find } from '../records/queries.ts';
import { json, timeText } from '../records/rows.ts';
import { type Lookup, lookupIn } from '../records/uses.ts';
import { type LockedActivity, lockActivity, noteInactive } from './activity.ts';
import { countEdit, type EditCounted } from './shift-cursor.ts';

/** As it stands; times in ISO 8601. */
export type CurrentOverride = OverrideFields & {
  readonly id: string;
  readonly version: number;
  readonly oncall_schedule_id: string;
  readonly created_at: string;
  readonly updated_at: string;
};

type OverrideRow = {
  readonly id: string;
  readonly number: number;
  readonly oncall_schedule_id: string;
  readonly user_id: string | null;
  readonly replaces_user_id: string | null;
  readonly start_at: Temporal.Instant;
  readonly end_at: Temporal.Instant;
  readonly comment: string | null;
  readonly created_at: Temporal.Instant;
  readonly in_force_from: Temporal.Instant;
};

const overrideOf = (row: OverrideRow): CurrentOverride => ({
  id: row.id,
  version: row.number,
  oncall_schedule_id: row.oncall_schedule_id,
  user_id: row.user_id,
  ...(row.replaces_user_id !== null && { replaces_user_id: row.replaces_user_id }),
  start: timeText(row.start_at),
  end: timeText(row.end_at),
  ...(row.comment !== null && { comment: row.comment }),
  created_at: timeText(row.created_at),
  updated_at: timeText(row.in_force_from),
});

export type ScheduleRef = { readonly organizationId: string; readonly scheduleId: string };

const currentIn = (sql: Queries, organizationId: string) => sql`
  select id, number, oncall_schedule_id, user_id, replaces_user_id, start_at, end_at, comment, created_at,
    in_force_from
  from oncall_overrides
  where organization_id = ${organizationId} and in_force_until is null`;

const currentOverrides = (sql: Queries, { organizationId, scheduleId }: ScheduleRef) => sql`
  ${currentIn(sql, organizationId)} and oncall_schedule_id = ${scheduleId}`;

type OverrideList = ScheduleRef & {
  /** Only those that end after it; null: all. */
  readonly endingAfter: Temporal.Instant | null;
  /** The last id already seen; '' at the start. */
  readonly after: string;
  readonly limit: number;
};

/** Oldest first. */
export async function listOverrides(sql: Queries, query: OverrideList): Promise<CurrentOverride[]> {
  const { endingAfter, after, limit } = query;
  const rows = await sql<OverrideRow[]>`${currentOverrides(sql, query)}
    and id > ${after} ${endingAfter ? sql`and end_at > ${endingAfter}` : sql``}
    order by id limit ${limit}`;
  return rows.map(overrideOf);
}

export async function readOverride(
  sql: Queries,
  of: ScheduleRef,
  id: string,
): Promise<CurrentOverride | null> {
  const [row] = await sql<OverrideRow[]>`${currentOverrides(sql, of)} and id = ${id}`;
  return row ? overrideOf(row) : null;
}

/** Of whichever schedule it is. */
export async function findOverride(
  sql: Queries,
  organizationId: string,
  id: string,
): Promise<CurrentOverride | null> {
  const [row] = await sql<OverrideRow[]>`${currentIn(sql, organizationId)} and id = ${id}`;
  return row ? overrideOf(row) : null;
}

export type OverrideRefusal = 'not_found' | 'archived' | 'ended' | 'too_many';

type CreatedAtOnce = {
  /** The id of the first. */
  readonly first: string;
  readonly count: number;
};

/** Those that still exist of the overrides that were created at once. */
export async function readCreatedOverrides(
  sql: Queries,
  of: ScheduleRef,
  { first, count }: CreatedAtOnce,
): Promise<CurrentOverride[]> {
  const rows = await sql<OverrideRow[]>`${currentOverrides(sql, of)}
    and id in (
      select made.id
      from oncall_overrides first
      join oncall_overrides made using (organization_id, oncall_schedule_id, number)
      where organization_id = ${of.organizationId} and oncall_schedule_id = ${of.scheduleId}
        and number = 1 and first.id = ${first} and made.edit - first.edit between 0 and ${count - 1})
    order by id`;
  return rows.map(overrideOf);
}

/** What is stored, decided inside the transaction that stores it; throw to store nothing. */
type Decide = (lookup: Lookup) => Promise<readonly OverrideFields[]>;
type DecideChange = (lookup: Lookup, before: CurrentOverride) => Promise<OverrideFields>;

type Parts = { readonly sql: Sql; readonly ids: Ids };

export type OverrideChange = {
  readonly act: Act;
  /** The schedule's id or counter. */
  readonly schedule: string;
  readonly id: string;
};

/** All of them, or none. */
export function createOverrides(
  { sql, ids }: Parts,
  change: Omit<OverrideChange, 'id'> & { readonly decide: Decide },
): Promise<readonly CurrentOverride[] | OverrideRefusal> {
  const { act, schedule, decide } = change;
  return transact(sql, async (tx) => {
    const of = await lockSchedule(tx, act, schedule);
    if (typeof of === 'string') return of;
    const all = await decide(lookupIn(tx, act.organizationId));
    return insertOverrides(tx, ids, { act, of, all });
  });
}

type NewOverrides = {
  readonly act: Act;
  /** It is locked. */
  readonly of: ScheduleRef;
  readonly all: readonly OverrideFields[];
};

export async function insertOverrides(
  tx: Transaction,
  ids: Ids,
  { act, of, all }: NewOverrides,
): Promise<readonly CurrentOverride[] | 'too_many'> {
  const count = all.length;
  if ((await countCurrent(tx, of, act.now)) + count > queryLimits.overrides) return 'too_many';
  const activity = await activityOf(tx, of, all);
  // Each is an edit of its own, for the newest of several applies.
  const last = await countEdit(tx, { ...of, now: act.now, count });
  const first = last.edit - count + 1;
  const made: CurrentOverride[] = [];
  for (const [index, fields] of all.entries()) {
    const version = { ...of, id: ids.next(), number: 1, created_at: last.at };
    const edit = { ...last, edit: first + index };
    made.push(await insertVersion(tx, { act, edit, version, fields, activity }));
  }
  for (const after of made)
    await auditOverride(tx, ids, { act, action: 'create', id: after.id, after });
  return made;
}

export function changeOverride(
  { sql, ids }: Parts,
  change: OverrideChange & { readonly decide: DecideChange },
): Promise<CurrentOverride | OverrideRefusal> {
  const { act, decide } = change;
  return transact(sql, async (tx) => {
    const locked = await lockOverride(tx, change);
    if (typeof locked === 'string') return locked;
    const { of, row, before } = locked;
    const fields = await decide(lookupIn(tx, act.organizationId), before);
    const activity = await activityOf(tx, of, [fields]);
    const edit = await countEdit(tx, { ...of, now: act.now });
    await endVersion(tx, { of, row, edit });
    const { id, created_at } = row;
    const version = { ...of, id, number: row.number + 1, created_at };
    const after = await insertVersion(tx, { act, edit, version, fields, activity });
    await auditOverride(tx, ids, { act, action: 'update', id, before, after });
    return after;
  });
}

/** Of the people whom they put on call. */
const activityOf = (
  tx: Queries,
  { organizationId }: ScheduleRef,
  all: readonly OverrideFields[],
): Promise<LockedActivity> =>
  lockActivity(tx, { organizationId, userIds: all.map(({ user_id }) => user_id) });

/** One that runs ends now. */
export function deleteOverride(
  { sql, ids }: Parts,
  change: OverrideChange & { readonly check?: (before: CurrentOverride) => void },
): Promise<CurrentOverride | OverrideRefusal> {
  const { act, check } = change;
  return transact(sql, async (tx) => {
    const locked = await lockOverride(tx, change);
    if (typeof locked === 'string') return locked;
    const { of, row, before } = locked;
    check?.(before);
    const edit = await countEdit(tx, { ...of, now: act.now });
    await endVersion(tx, { of, row, edit });
    await auditOverride(tx, ids, { act, action: 'delete', id: row.id, before });
    return before;
  });
}

/** The schedule, as it is until the transaction ends. */
export async function lockSchedule(
  tx: Transaction,
  act: Act,
  key: string,
): Promise<ScheduleRef | 'not_found' | 'archived'> {
  const row = await find(tx, oncallSchedule, { key, scope: act, lock: true });
  if (row === undefined) return 'not_found';
  if (row['archived_at'] !== null) return 'archived';
  return { organizationId: act.organizationId, scheduleId: row['id'] };
}

async function lockOverride(tx: Transaction, { act, schedule, id }: OverrideChange) {
  const of = await lockSchedule(tx, act, schedule);
  if (typeof of === 'string') return of;
  const [row] = await tx<OverrideRow[]>`${currentOverrides(tx, of)} and id = ${id}`;
  if (row === undefined) return 'not_found';
  if (Temporal.Instant.compare(row.end_at, act.now) <= 0) return 'ended';
  return { of, row, before: overrideOf(row) };
}

async function countCurrent(tx: Queries, of: ScheduleRef, now: Temporal.Instant): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from (${currentOverrides(tx, of)} and end_at > ${now}) as current_overrides`;
  return row?.count ?? 0;
}

type NewVersion = {
  readonly act: Act;
  readonly edit: EditCounted;
  readonly version: ScheduleRef & { id: string; number: number; created_at: Temporal.Instant };
  readonly fields: OverrideFields;
  readonly activity: LockedActivity;
};

async function insertVersion(tx: Queries, { act, edit, version, fields, activity }: NewVersion) {
  const { organizationId, scheduleId, ...own } = version;
  const row = {
    ...own,
    oncall_schedule_id: scheduleId,
    user_id: fields.user_id,
    replaces_user_id: fields.replaces_user_id ?? null,
    start_at: storedInstant(fields.start),
    end_at: storedInstant(fields.end),
    comment: fields.comment ?? null,
    in_force_from: edit.at,
  };
  await tx`
    insert into oncall_overrides ${tx({
      ...row,
      organization_id: organizationId,
      edit: edit.edit,
      actor: json(tx, act.actor),
    })}`;
  const { inactive } = activity;
  await noteInactive(tx, { organizationId, scheduleId, edit, inactive });
  return overrideOf(row);
}

type EndedVersion = {
  readonly of: ScheduleRef;
  readonly row: OverrideRow;
  readonly edit: EditCounted;
};

async function endVersion(tx: Queries, { of, row, edit }: EndedVersion): Promise<void> {
  await tx`
    update oncall_overrides set ended_edit = ${edit.edit}, in_force_until = ${edit.at}
    where organization_id = ${of.organizationId} and id = ${row.id} and number = ${row.number}`;
}

type OverrideAudit = {
  readonly act: Act;
  readonly action: AuditedAction;
  readonly id: string;
  readonly before?: CurrentOverride;
  readonly after?: CurrentOverride;
};

function auditOverride(
  tx: Queries,
  ids: Ids,
  { act, action, id, before, after }: OverrideAudit,
): Promise<void> {
  return audit(tx, ids, {
    act,
    action,
    id,
    schema: override.output,
    kind: 'oncall_override',
    ...(before && { before }),
    ...(after && { after }),
  });
}
