// Who is inactive, as schedules know it: a period in each schedule that names the person, begun and
// ended by an edit of it that makes no revision.
import type { Queries } from '../database/database.ts';
import { json } from '../records/rows.ts';
import {
  applyNewScheduleRules,
  lockScheduleRules,
  newScheduleRulesApply,
  newScheduleRulesStay,
} from './schedule-rules.ts';
import { countEdit, type EditCounted } from './shift-cursor.ts';

type Person = {
  readonly organizationId: string;
  readonly userId: string;
  readonly now: Temporal.Instant;
};

/** In the transaction in which the person becomes active or inactive, after that. */
export async function noteActivity(
  tx: Queries,
  { organizationId, userId, now, active }: Person & { readonly active: boolean },
): Promise<void> {
  if (!(await newScheduleRulesStay(tx))) return;
  if (active) await endPeriods(tx, { organizationId, userId, now });
  else await beginPeriods(tx, { organizationId, userIds: [userId], now });
}

type People = Omit<Person, 'userId'> & { readonly userIds: readonly string[] };

/** Answers how many schedules name one of them. */
async function beginPeriods(tx: Queries, { organizationId, userIds, now }: People) {
  const named = await tx<{ id: string; user_ids: string[] }[]>`
    select s.id, array_agg(u.id order by u.id) as user_ids
    from oncall_schedules s join unnest(${[...userIds]}::text[]) as u (id)
      on strpos(s.layers::text, u.id) > 0 or exists (
        select from oncall_overrides o
        where o.organization_id = s.organization_id and o.oncall_schedule_id = s.id
          and o.user_id = u.id and o.in_force_until is null and o.end_at > ${now})
    where s.organization_id = ${organizationId} and not exists (
      select from schedule_inactivity i
      where i.organization_id = s.organization_id and i.oncall_schedule_id = s.id
        and i.user_id = u.id and i.in_force_until is null)
    group by s.id order by s.id`;
  for (const { id: scheduleId, user_ids } of named) {
    const edit = await countEdit(tx, { organizationId, scheduleId, now });
    await insertPeriods(tx, { organizationId, scheduleId, edit, userIds: user_ids });
  }
  return named.length;
}

async function endPeriods(tx: Queries, { organizationId, userId, now }: Person): Promise<void> {
  const open = await tx<{ id: string }[]>`
    select oncall_schedule_id as id from schedule_inactivity
    where organization_id = ${organizationId} and user_id = ${userId} and in_force_until is null
    order by oncall_schedule_id`;
  for (const { id: scheduleId } of open) {
    const { edit, at } = await countEdit(tx, { organizationId, scheduleId, now });
    await tx`
      update schedule_inactivity set ended_edit = ${edit}, in_force_until = ${at}
      where organization_id = ${organizationId} and oncall_schedule_id = ${scheduleId}
        and user_id = ${userId} and in_force_until is null`;
  }
}

/** Of these people, those who are on call nowhere; by the rules of 0.1.0, everybody may be. */
export async function inactiveAmong(
  sql: Queries,
  people: ReadonlyMap<string, { readonly active: boolean }>,
): Promise<ReadonlySet<string>> {
  const inactive = [...people].flatMap(([id, { active }]) => (active ? [] : [id]));
  const areKnown = inactive.length > 0 && (await newScheduleRulesApply(sql));
  return new Set(areKnown ? inactive : []);
}

type Edited = {
  readonly organizationId: string;
  readonly scheduleId: string;
  readonly edit: EditCounted;
  /** Whom the schedule names from this edit on. */
  readonly userIds: readonly (string | null)[];
};

/** Of the people whom an edit names, those who are inactive are so from it on, if they were not. */
export async function noteInactive(tx: Queries, edited: Edited): Promise<void> {
  const { organizationId, scheduleId } = edited;
  const named = [...new Set(edited.userIds.flatMap((id) => id ?? []))];
  // Nobody becomes inactive between this and the commit.
  const people = await tx<{ id: string; active: boolean }[]>`
    select id, active from users
    where organization_id = ${organizationId}
      and id in (select json_array_elements_text(${json(tx, named)}))
    order by id for share`;
  const inactive = people.filter(({ active }) => !active).map(({ id }) => id);
  if (inactive.length === 0 || !(await newScheduleRulesStay(tx))) return;
  const known = await tx<{ user_id: string }[]>`
    select user_id from schedule_inactivity
    where organization_id = ${organizationId} and oncall_schedule_id = ${scheduleId}
      and in_force_until is null`;
  const userIds = inactive.filter((id) => !known.some(({ user_id }) => user_id === id));
  await insertPeriods(tx, { ...edited, userIds });
}

async function insertPeriods(tx: Queries, { organizationId, scheduleId, edit, userIds }: Edited) {
  await tx`
    insert into schedule_inactivity
      (organization_id, oncall_schedule_id, user_id, edit, in_force_from)
    select ${organizationId}, ${scheduleId}, id, ${edit.edit}, ${edit.at}
    from json_array_elements_text(${json(tx, userIds)}) as named (id)`;
}

/**
 * Puts the rules of this release in force: who is inactive is so from now on. Answers how many
 * schedules name somebody inactive; null: the rules were in force already.
 */
export async function beginScheduleRules(
  tx: Queries,
  now: Temporal.Instant,
): Promise<number | null> {
  if (await lockScheduleRules(tx)) return null;
  const people = await tx<{ organization_id: string; ids: string[] }[]>`
    select organization_id, array_agg(id order by id) as ids from users where not active
    group by organization_id order by organization_id`;
  let schedules = 0;
  for (const { organization_id: organizationId, ids: userIds } of people)
    schedules += await beginPeriods(tx, { organizationId, userIds, now });
  await applyNewScheduleRules(tx, now);
  return schedules;
}
