// Who is inactive, as schedules know it: a period in each schedule that names the person, begun and
// ended by an edit of it that makes no revision.
//
// Every write takes its locks in one order, so that no two wait for each other in a circle: the row of
// the schedule, `schedule_rules`, the people by their ids, the cursors of schedules by theirs. The
// writer of a schedule has its row from the start; a deactivation takes no such row.
import type { ScheduleRulesBegun } from '../../engine/schedule-rules.ts';
import type { Edit } from '../../oncall/revisions/edits.ts';
import type { Queries } from '../database/database.ts';
import { json } from '../records/rows.ts';
import {
  applyNewScheduleRules,
  lockScheduleRules,
  newScheduleRulesApply,
  newScheduleRulesStay,
} from './schedule-rules.ts';
import { countEdits, type EditCounted } from './shift-cursor.ts';

type Person = {
  readonly organizationId: string;
  readonly userId: string;
  readonly now: Temporal.Instant;
};

/**
 * In the transaction in which the person becomes active or inactive: before it locks the person.
 * Answers what notes the change in their schedules, after it.
 */
export async function activityNoted(
  tx: Queries,
  { organizationId, userId, now }: Person,
): Promise<(active: boolean) => Promise<void>> {
  const areNoted = await newScheduleRulesStay(tx);
  const people = { organizationId, userIds: [userId], now };
  return async (active) => {
    if (areNoted) await (active ? endPeriods : beginPeriods)(tx, people);
  };
}

type People = Omit<Person, 'userId'> & { readonly userIds: readonly string[] };

/** One for each schedule that names one of the people. */
type Named = { readonly schedule_id: string; readonly user_id: string };

/** Of people who are inactive. Answers the schedules that name one who had none. */
async function beginPeriods(tx: Queries, { organizationId, userIds, now }: People) {
  // Without a join: the planner expects far more people in layers, and fewer periods, than there are.
  const named = await tx<Named[]>`
    select schedule_id, user_id from (
      select id as schedule_id, by_layer #>> '{}' as user_id
      from oncall_schedules
      cross join lateral jsonb_path_query(layers::jsonb, '$[*].users[*]') as named (by_layer)
      where organization_id = ${organizationId}
      union
      select oncall_schedule_id, user_id from oncall_overrides
      where organization_id = ${organizationId} and in_force_until is null and end_at > ${now}
      except
      select oncall_schedule_id, user_id from schedule_inactivity
      where organization_id = ${organizationId} and in_force_until is null) as unnoted
    where user_id = any(${[...userIds]})`;
  const scheduleIds = schedulesOf(named);
  const edits = await countEdits(tx, { organizationId, scheduleIds, now });
  const periods = named.map((one) => ({ ...one, ...edits.get(one.schedule_id) }));
  await insertPeriods(tx, organizationId, periods);
  return scheduleIds;
}

/** Of people who are active. Answers the schedules that name one who had one. */
async function endPeriods(tx: Queries, { organizationId, userIds, now }: People) {
  const open = tx`
    i.organization_id = ${organizationId} and i.user_id = any(${[...userIds]})
    and i.in_force_until is null`;
  const scheduleIds = schedulesOf(
    await tx<Named[]>`
      select oncall_schedule_id as schedule_id, user_id from schedule_inactivity i where ${open}`,
  );
  await countEdits(tx, { organizationId, scheduleIds, now });
  await tx`
    update schedule_inactivity i set ended_edit = c.edits, in_force_until = c.edited_at
    from shift_cursors c
    where ${open} and c.organization_id = i.organization_id
      and c.oncall_schedule_id = i.oncall_schedule_id`;
  return scheduleIds;
}

const schedulesOf = (named: readonly Named[]) => [
  ...new Set(named.map(({ schedule_id }) => schedule_id)),
];

/** Of these people, those who are on call nowhere; by the rules of 0.1.0, everybody may be. */
export async function inactiveAmong(
  sql: Queries,
  people: ReadonlyMap<string, { readonly active: boolean }>,
): Promise<ReadonlySet<string>> {
  const inactive = inactiveIn(people, true);
  // Mostly there is nobody, and nothing to ask.
  return inactive.size === 0 || (await newScheduleRulesApply(sql)) ? inactive : new Set();
}

/** The same, where it is known whose rules apply. */
export function inactiveIn(
  people: ReadonlyMap<string, { readonly active: boolean }>,
  areNew: boolean,
): ReadonlySet<string> {
  return new Set(areNew ? [...people].flatMap(([id, { active }]) => (active ? [] : [id])) : []);
}

type NamedPeople = {
  readonly organizationId: string;
  /** Whom the schedule names from the edit on. */
  readonly userIds: readonly (string | null)[];
};

/** What an edit has to know of the people whom it names. */
export type LockedActivity = {
  readonly rules: Edit['rules'];
  readonly active: ReadonlySet<string>;
  /** Who is on call nowhere. */
  readonly inactive: readonly string[];
};

/** Before the edit is counted: it stays so until the transaction ends. */
export async function lockActivity(
  tx: Queries,
  { organizationId, userIds }: NamedPeople,
): Promise<LockedActivity> {
  const areNew = await newScheduleRulesStay(tx);
  const named = [...new Set(userIds.flatMap((id) => id ?? []))];
  const people = await tx<{ id: string; active: boolean }[]>`
    select id, active from users
    where organization_id = ${organizationId}
      and id in (select json_array_elements_text(${json(tx, named)}))
    order by id for share`;
  const idsOf = (isActive: boolean) =>
    people.flatMap(({ id, active }) => (active === isActive ? [id] : []));
  return {
    rules: areNew ? undefined : 'of 0.1.0',
    active: new Set(idsOf(true)),
    inactive: areNew ? idsOf(false) : [],
  };
}

type Edited = Pick<LockedActivity, 'inactive'> & {
  readonly organizationId: string;
  readonly scheduleId: string;
  readonly edit: EditCounted;
};

/** Of the people whom an edit names, those who are inactive are so from it on, if they were not. */
export async function noteInactive(
  tx: Queries,
  { organizationId, scheduleId, edit, inactive }: Edited,
): Promise<void> {
  if (inactive.length === 0) return;
  const known = await tx<{ user_id: string }[]>`
    select user_id from schedule_inactivity
    where organization_id = ${organizationId} and oncall_schedule_id = ${scheduleId}
      and in_force_until is null`;
  const unknown = inactive.filter((id) => !known.some(({ user_id }) => user_id === id));
  const periods = unknown.map((user_id) => ({ schedule_id: scheduleId, user_id, ...edit }));
  await insertPeriods(tx, organizationId, periods);
}

type NewPeriod = Named & Partial<EditCounted>;

async function insertPeriods(tx: Queries, organizationId: string, periods: readonly NewPeriod[]) {
  await tx`
    insert into schedule_inactivity
      (organization_id, oncall_schedule_id, user_id, edit, in_force_from)
    select ${organizationId}, schedule_id, user_id, edit, at
    from json_to_recordset(${json(tx, periods)})
      as new_periods (schedule_id text, user_id text, edit integer, at timestamptz)`;
}

/**
 * Puts the rules of this release in force: who is inactive is so from now on. If they were already,
 * notes what a server of 0.1.0 changed since, for it notes nothing.
 */
export async function beginScheduleRules(
  tx: Queries,
  now: Temporal.Instant,
): Promise<ScheduleRulesBegun> {
  const wereInForce = await lockScheduleRules(tx);
  const changed = new Set<string>();
  for (const { organization_id: organizationId, inactive, returned } of await peopleToNote(tx)) {
    const ended = await endPeriods(tx, { organizationId, userIds: returned, now });
    const begun = await beginPeriods(tx, { organizationId, userIds: inactive, now });
    for (const id of [...ended, ...begun]) changed.add(id);
  }
  if (!wereInForce) await applyNewScheduleRules(tx, now);
  return { areNew: !wereInForce, schedules: changed.size };
}

type PeopleToNote = {
  readonly organization_id: string;
  readonly inactive: readonly string[];
  /** Who is active, and was not by the periods. */
  readonly returned: readonly string[];
};

const peopleToNote = (tx: Queries) => tx<PeopleToNote[]>`
  select organization_id, coalesce(array_agg(id) filter (where not active), '{}') as inactive,
    coalesce(array_agg(id) filter (where active), '{}') as returned
  from users
  where not active or id in (
    select user_id from schedule_inactivity where in_force_until is null)
  group by organization_id order by organization_id`;
