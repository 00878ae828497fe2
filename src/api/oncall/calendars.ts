import { accessLimits } from '../../limits/access.ts';
import { instant } from '../../resources/declaration/answer.ts';
import { id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { mayAct } from '../../resources/roles.ts';
import {
  type CalendarFeed,
  createFeed,
  type FeedOf,
  type FeedParts,
  listFeeds,
  revokeFeed,
} from '../../storage/calendars/feeds.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { readableOf, unreadablePageSchema } from '../answers.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { readPage } from '../people/listing.ts';
import { actOf, conflict, idIn, readBody, route } from '../people/writing.ts';
import { paging } from '../records/list-query.ts';
import { type Call, type Caller, ok, type Route } from '../route.ts';

const tag = 'calendar feeds';
const subject = {
  oncall_schedule_id: optional(
    id('The schedule whose shifts the calendar contains. If absent, all schedules of the person.', {
      to: 'oncall_schedule',
      within: 'organization',
    }),
  ),
  user_id: optional(
    id('The person whose shifts the calendar contains. If absent, everyone on the schedule.', {
      to: 'user',
      within: 'organization',
    }),
  ),
};
const feedInput = objectOf(
  subject,
  'A calendar feed of a schedule, of a person, or of a person on a schedule.',
);
const feedOutput = objectOf(
  {
    id: id('The id of the calendar feed. It never changes.'),
    url: text({
      doc: 'The secret address of the calendar. Anyone who knows it can read the calendar.',
      sensitive: true,
    }),
    ...subject,
    created_at: instant('When the calendar feed was created.'),
  },
  'A calendar feed. Calendar programs subscribe to its address.',
);
const revokedOutput = objectOf({ id: id('The id of the revoked calendar feed.') });
const filters = {
  ...paging,
  oncall_schedule_id: optional(id('Returns only feeds of this schedule.')),
  user_id: optional(id('Returns only feeds of this person.')),
};

export type CalendarParts = FeedParts & { readonly publicUrl: string };

export function calendarRoutes(parts: CalendarParts): Route[] {
  return [
    route('GET /calendar-feeds', 'viewer', {
      tag,
      doc: 'Lists the calendar feeds that the caller created. Admins see everyone’s.',
      query: filters,
      answers: { status: 200, schema: unreadablePageSchema(feedOutput) },
      handle: (call) => list(parts, call),
    }),
    route('POST /calendar-feeds', 'viewer', {
      tag,
      doc: 'Creates a calendar feed. Only admins create feeds for other people.',
      body: feedInput,
      answers: { status: 201, schema: feedOutput },
      handle: (call) => create(parts, call),
    }),
    route('DELETE /calendar-feeds/:id', 'viewer', {
      tag,
      doc: 'Revokes a calendar feed at once. Only admins revoke feeds of other people.',
      answers: { status: 200, schema: revokedOutput },
      handle: (call) => revoke(parts, call),
    }),
  ];
}

const render = ({ publicUrl }: CalendarParts, { id, token, ...feed }: CalendarFeed) => ({
  id,
  url: `${publicUrl}/calendars/${token}.ics`,
  ...feed,
});

/** Admins see and revoke what everybody made. */
const makerOf = (caller: Caller) => (mayAct(caller, 'admin') ? null : caller.id);

async function list(parts: CalendarParts, call: Call) {
  const filter = {
    teamIds: call.caller.teamIds,
    madeBy: makerOf(call.caller),
    ...idInQuery(call, 'oncall_schedule_id'),
    ...idInQuery(call, 'user_id'),
  };
  const { data, next_cursor } = await listFeeds(parts, { ...readPage(call), filter });
  const { readable, broken: _, ...unread } = readableOf<CalendarFeed>(data);
  return ok({ data: readable.map((feed) => render(parts, feed)), next_cursor, ...unread });
}

function idInQuery(call: Call, name: keyof FeedOf): FeedOf {
  const value = call.query[name];
  return value === undefined ? {} : { [name]: value };
}

async function create(parts: CalendarParts, call: Call) {
  // The reader has held it to the schema.
  const of = readBody(feedInput, call.body) as FeedOf;
  mayMake(call.caller, of);
  const feed = await createFeed(parts, {
    act: actOf(call),
    of,
    async check(lookup, madeBefore) {
      const problems = await problemsOf(of, call.caller, lookup);
      if (problems.length > 0) throw invalid(problems);
      if (madeBefore >= accessLimits.calendars)
        throw conflict(
          '',
          `you already have ${accessLimits.calendars} feeds, the maximum: revoke one first`,
        );
    },
  });
  return ok(render(parts, feed), 201);
}

function mayMake(caller: Caller, of: FeedOf): void {
  if (of.oncall_schedule_id === undefined && of.user_id === undefined)
    throw invalid([{ path: 'oncall_schedule_id', message: 'or user_id must be set' }]);
  if (of.oncall_schedule_id === undefined && caller.teamIds !== null)
    throw new Refusal('forbidden', {
      message: 'This key is limited to its teams. Specify a schedule of one of those teams.',
    });
  const isOwn = caller.kind === 'session' && caller.id === of.user_id;
  if (of.user_id !== undefined && !isOwn && !mayAct(caller, 'admin'))
    throw new Refusal('forbidden', { message: 'Only admins can create feeds for other people.' });
}

async function problemsOf(of: FeedOf, caller: Caller, lookup: Lookup): Promise<readonly Problem[]> {
  const { oncall_schedule_id: scheduleId, user_id: userId } = of;
  const schedules = await lookup('oncall_schedule', scheduleId === undefined ? [] : [scheduleId]);
  const users = await lookup('user', userId === undefined ? [] : [userId]);
  const schedule = schedules.get(scheduleId ?? '');
  const user = users.get(userId ?? '');
  const isInScope = caller.teamIds?.includes(schedule?.teamId ?? '') ?? true;
  return [
    ...(scheduleId !== undefined && !(schedule && isInScope)
      ? [{ path: 'oncall_schedule_id', message: 'does not match any on-call schedule' }]
      : []),
    ...(userId !== undefined && !user
      ? [{ path: 'user_id', message: 'does not match any user' }]
      : []),
  ];
}

async function revoke(parts: CalendarParts, call: Call) {
  const id = idIn(call);
  const isRevoked = await revokeFeed(parts, {
    act: actOf(call),
    id,
    madeBy: makerOf(call.caller),
  });
  if (!isRevoked) throw notFound();
  return ok({ id });
}
