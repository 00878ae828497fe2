// Overrides, each as its versions: an edit ends one and begins the next, so that the past stays.
import type { Ids } from '../../engine/ids.ts';
import { askingLimits } from '../../limits/asking.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { type OverrideFields, overrideOutput, overrideTime } from '../../resources/override.ts';
import { type Act, type AuditedAction, audit } from '../audit.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database.ts';
import { find } from '../records/queries.ts';
import { json, timeText } from '../records/rows.ts';
import { type LookUp, lookUpIn } from '../records/uses.ts';
import { countEdit, type EditCounted } from './watch.ts';

/** As it stands; times in ISO 8601. */
export type StandingOverride = OverrideFields & {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
};

type Row = {
  readonly id: string;
  readonly number: number;
  readonly user_id: string;
  readonly replaces_user_id: string | null;
  readonly start_at: Temporal.Instant;
  readonly end_at: Temporal.Instant;
  readonly comment: string | null;
  readonly created_at: Temporal.Instant;
  readonly in_force_from: Temporal.Instant;
};

const overrideOf = (row: Row): StandingOverride => ({
  id: row.id,
  user_id: row.user_id,
  ...(row.replaces_user_id !== null && { replaces_user_id: row.replaces_user_id }),
  start: timeText(row.start_at),
  end: timeText(row.end_at),
  ...(row.comment !== null && { comment: row.comment }),
  created_at: timeText(row.created_at),
  updated_at: timeText(row.in_force_from),
});

type Of = { readonly organizationId: string; readonly scheduleId: string };

const standing = (sql: Queries, { organizationId, scheduleId }: Of) => sql`
  select id, number, user_id, replaces_user_id, start_at, end_at, comment, created_at,
    in_force_from
  from oncall_overrides
  where organization_id = ${organizationId} and oncall_schedule_id = ${scheduleId}
    and in_force_until is null`;

type Listed = Of & {
  /** Only those that end after it; null: all. */
  readonly endingAfter: Temporal.Instant | null;
  /** The last id already seen; '' at the start. */
  readonly after: string;
  readonly limit: number;
};

/** Oldest first. */
export async function listOverrides(sql: Queries, listed: Listed): Promise<StandingOverride[]> {
  const { endingAfter, after, limit } = listed;
  const rows = await sql<Row[]>`${standing(sql, listed)}
    and id > ${after} ${endingAfter ? sql`and end_at > ${endingAfter}` : sql``}
    order by id limit ${limit}`;
  return rows.map(overrideOf);
}

export async function readOverride(
  sql: Queries,
  of: Of,
  id: string,
): Promise<StandingOverride | null> {
  const [row] = await sql<Row[]>`${standing(sql, of)} and id = ${id}`;
  return row ? overrideOf(row) : null;
}

export type OverrideRefusal = 'not_found' | 'archived' | 'ended' | 'too_many';

/** What is stored, decided inside the transaction that stores it; throw to store nothing. */
type Decide = (look: LookUp) => Promise<OverrideFields>;
type DecideAgain = (look: LookUp, before: StandingOverride) => Promise<OverrideFields>;

type Parts = { readonly sql: Sql; readonly ids: Ids };

export type OverrideChange = {
  readonly act: Act;
  /** The schedule's id or counter. */
  readonly schedule: string;
  readonly id: string;
};

export function createOverride(
  { sql, ids }: Parts,
  said: Omit<OverrideChange, 'id'> & { readonly decide: Decide },
): Promise<StandingOverride | OverrideRefusal> {
  const { act, schedule, decide } = said;
  return transact(sql, async (tx) => {
    const of = await heldSchedule(tx, act, schedule);
    if (typeof of === 'string') return of;
    const fields = await decide(lookUpIn(tx, act.organizationId));
    if ((await countStanding(tx, of, act.now)) >= askingLimits.overrides) return 'too_many';
    const edit = await countEdit(tx, { ...of, now: act.now });
    const version = { ...of, id: ids.next(), number: 1, created_at: edit.at };
    const after = await insertVersion(tx, { act, edit, version, fields });
    await note(tx, ids, { act, of, action: 'create', id: after.id, after });
    return after;
  });
}

export function changeOverride(
  { sql, ids }: Parts,
  said: OverrideChange & { readonly decide: DecideAgain },
): Promise<StandingOverride | OverrideRefusal> {
  const { act, decide } = said;
  return transact(sql, async (tx) => {
    const held = await heldOverride(tx, said);
    if (typeof held === 'string') return held;
    const { of, row, before } = held;
    const fields = await decide(lookUpIn(tx, act.organizationId), before);
    const edit = await countEdit(tx, { ...of, now: act.now });
    await endVersion(tx, { of, row, edit });
    const { id, created_at } = row;
    const version = { ...of, id, number: row.number + 1, created_at };
    const after = await insertVersion(tx, { act, edit, version, fields });
    await note(tx, ids, { act, of, action: 'update', id, before, after });
    return after;
  });
}

/** One that runs ends now. */
export function deleteOverride(
  { sql, ids }: Parts,
  said: OverrideChange,
): Promise<StandingOverride | OverrideRefusal> {
  const { act } = said;
  return transact(sql, async (tx) => {
    const held = await heldOverride(tx, said);
    if (typeof held === 'string') return held;
    const { of, row, before } = held;
    const edit = await countEdit(tx, { ...of, now: act.now });
    await endVersion(tx, { of, row, edit });
    await note(tx, ids, { act, of, action: 'delete', id: row.id, before });
    return before;
  });
}

/** The schedule, as it is until the transaction ends. */
async function heldSchedule(
  tx: Transaction,
  act: Act,
  key: string,
): Promise<Of | 'not_found' | 'archived'> {
  const row = await find(tx, oncallSchedule, { key, scope: act, lock: true });
  if (row === undefined) return 'not_found';
  if (row['archived_at'] !== null) return 'archived';
  return { organizationId: act.organizationId, scheduleId: row['id'] };
}

async function heldOverride(tx: Transaction, { act, schedule, id }: OverrideChange) {
  const of = await heldSchedule(tx, act, schedule);
  if (typeof of === 'string') return of;
  const [row] = await tx<Row[]>`${standing(tx, of)} and id = ${id}`;
  if (row === undefined) return 'not_found';
  if (Temporal.Instant.compare(row.end_at, act.now) <= 0) return 'ended';
  return { of, row, before: overrideOf(row) };
}

async function countStanding(tx: Queries, of: Of, now: Temporal.Instant): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from (${standing(tx, of)} and end_at > ${now}) as known`;
  return row?.count ?? 0;
}

type Inserted = {
  readonly act: Act;
  readonly edit: EditCounted;
  readonly version: Of & { id: string; number: number; created_at: Temporal.Instant };
  readonly fields: OverrideFields;
};

async function insertVersion(tx: Queries, { act, edit, version, fields }: Inserted) {
  const { organizationId, scheduleId, ...own } = version;
  const row = {
    ...own,
    user_id: fields.user_id,
    replaces_user_id: fields.replaces_user_id ?? null,
    start_at: overrideTime(fields.start),
    end_at: overrideTime(fields.end),
    comment: fields.comment ?? null,
    in_force_from: edit.at,
  };
  await tx`
    insert into oncall_overrides ${tx({
      ...{ organization_id: organizationId, oncall_schedule_id: scheduleId },
      ...{ ...row, edit: edit.edit, actor: json(tx, act.actor) },
    })}`;
  return overrideOf(row);
}

type Ended = { readonly of: Of; readonly row: Row; readonly edit: EditCounted };

async function endVersion(tx: Queries, { of, row, edit }: Ended): Promise<void> {
  await tx`
    update oncall_overrides set ended_edit = ${edit.edit}, in_force_until = ${edit.at}
    where organization_id = ${of.organizationId} and id = ${row.id} and number = ${row.number}`;
}

type Noted = {
  readonly act: Act;
  readonly of: Of;
  readonly action: AuditedAction;
  readonly id: string;
  readonly before?: StandingOverride;
  readonly after?: StandingOverride;
};

function note(tx: Queries, ids: Ids, { act, of, action, id, ...said }: Noted): Promise<void> {
  const shown = (one: StandingOverride) => ({ oncall_schedule_id: of.scheduleId, ...one });
  return audit(tx, ids, {
    ...{ act, action, id, schema: overrideOutput },
    kind: 'oncall_override',
    ...(said.before && { before: shown(said.before) }),
    ...(said.after && { after: shown(said.after) }),
  });
}
