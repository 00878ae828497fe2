import { queryLimits } from '../../limits/queries.ts';
import { type CalendarSchedule, calendarInterval } from '../../notices/calendar.ts';
import { usersOf } from '../../oncall/schedule.ts';
import { personName } from '../../resources/person-name.ts';
import {
  readComments,
  readLastChanges,
  readPeopleChanges,
} from '../../storage/calendars/calendars.ts';
import type { Feed } from '../../storage/calendars/feeds.ts';
import type { Queries } from '../../storage/database/database.ts';
import { readSchedulesAround } from '../../storage/oncall/around.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { listScheduleIds } from '../../storage/oncall/schedules.ts';
import type { CalendarInput } from './calendar-file.ts';
import type { People } from './render.ts';

type Reading = { readonly sql: Queries; readonly publicUrl: string };

/** All that its file is computed from. */
export async function readCalendar(
  { sql, publicUrl }: Reading,
  feed: Feed,
  now: Temporal.Instant,
): Promise<CalendarInput> {
  const { organizationId, user_id: userId } = feed;
  const interval = calendarInterval(now);
  const schedules = await readSchedules(sql, feed, interval.from);
  const histories = schedules.map(({ history }) => history);
  const overrides = histories.flatMap((history) => history.overrides.map(({ id }) => id));
  const ids = userId === undefined ? [...new Set(histories.flatMap(usersOf))] : [userId];
  const people = namesOf(await readPeople(sql, organizationId, ids));
  return {
    ...titleOf(feed, schedules, people),
    schedules,
    interval,
    userId,
    people,
    peopleChangedAt: await readPeopleChanges(sql, { organizationId, ids }),
    publicUrl,
    comments: await readComments(sql, { organizationId, ids: [...new Set(overrides)] }),
  };
}

async function readSchedules(
  sql: Queries,
  feed: Feed,
  since: Temporal.Instant,
): Promise<readonly CalendarSchedule[]> {
  const { organizationId } = feed;
  const ids = await scheduleIdsOf(sql, feed, since);
  const known = await readSchedulesAround(sql, { organizationId, ids }, since);
  const changes = await readLastChanges(sql, { organizationId, ids });
  return ids.flatMap((id) => {
    const [schedule, change] = [known.get(id), changes.get(id)];
    return schedule && change ? [{ ...schedule, ...change }] : [];
  });
}

async function scheduleIdsOf(sql: Queries, feed: Feed, since: Temporal.Instant) {
  const { organizationId, oncall_schedule_id, user_id = null } = feed;
  if (oncall_schedule_id !== undefined) return [oncall_schedule_id];
  const rows = await listScheduleIds(sql, {
    scope: { organizationId, teamIds: null },
    naming: user_id,
    activeAfter: since,
    after: 0,
    limit: queryLimits.calendarSchedules,
  });
  return rows.map(({ id }) => id);
}

type Names = ReadonlyMap<string, string>;

const namesOf = (people: People): Names =>
  new Map([...people.values()].map((person) => [person.id, personName(person)]));

function titleOf(feed: Feed, schedules: readonly CalendarSchedule[], people: Names) {
  const who = people.get(feed.user_id ?? '');
  const [schedule] = feed.oncall_schedule_id === undefined ? [] : schedules;
  const onCall = who === undefined ? 'On call' : `${who} on call`;
  return {
    name: schedule === undefined ? onCall : `${onCall}: ${schedule.name}`,
    timezone: schedule?.timezone ?? null,
  };
}
