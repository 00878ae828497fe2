// Cover requests of a schedule: someone asks the others on it to take a shift, and one of them accepts.
import Type from 'typebox';
import { noWake } from '../../engine/wake.ts';
import type { Configuration } from '../../incidents/configuration.ts';
import { queryLimits } from '../../limits/queries.ts';
import { coverCandidates } from '../../oncall/cover-candidates.ts';
import { isOnCallIn } from '../../oncall/on-call.ts';
import { later } from '../../oncall/order.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import {
  acceptInput,
  type CoverRequestFields,
  coverRequestInput,
  coverRequestOutcome,
} from '../../resources/cover-request.ts';
import { instant, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, optional } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { storedInstant } from '../../resources/instant.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { timeProblems } from '../../resources/override.ts';
import { mayAct } from '../../resources/roles.ts';
import { coverRequestState } from '../../shifts/cover-requests.ts';
import { pageOf } from '../../storage/database/page.ts';
import {
  acceptCoverRequest,
  type CoverRequest,
  type CoverRequestRefusal,
  type CreationParts,
  createCoverRequest,
  listCoverRequests,
  listOpenRequests,
  type NewCoverRequest,
  readCoverRequest,
  withdrawCoverRequest,
} from '../../storage/oncall/cover-requests.ts';
import type { ScheduleWithHistory } from '../../storage/oncall/schedules.ts';
import { timeText } from '../../storage/records/rows.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { pageSchema } from '../answers.ts';
import { invalid, Refusal } from '../failures.ts';
import { actorShape, renderActor } from '../people/actor.ts';
import { readFlag, readPage } from '../people/listing.ts';
import { actOf, idIn, orNotFound, route } from '../people/writing.ts';
import { flagParameter, paging, readQuery } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { type OverrideParts, overrideRefusal, reviewOverride } from './overrides.ts';
import { scheduleId } from './params.ts';
import { refuseBeforeUpgrade } from './upgrade-gate.ts';

export type CoverRequestParts = OverrideParts & Pick<CreationParts, 'secrets' | 'configurations'>;

const tag = oncallSchedule.table;
const shape = objectOf(
  {
    id: id('The id of the request.'),
    oncall_schedule_id: id('The schedule of the shift.'),
    schedule_name: word('The name of the on-call schedule of the shift.'),
    user_id: id('The person whose shift it is.'),
    start: instant('When the cover begins (inclusive).'),
    end: instant('When the cover ends (exclusive).'),
    comment: optional(word('The reason. Absent if none was given.')),
    candidate_user_ids: Type.Array(id('The id of a person.'), {
      description:
        'The people who were asked: those who were active in the layers of the schedule.',
    }),
    requested_by: objectOf(
      actorShape.properties,
      'The person or the API key that made the request.',
    ),
    created_at: instant('When the request was made.'),
    state: coverRequestOutcome,
    accepted_by: optional(id('The person who took the shift. Absent unless it is accepted.')),
    accepted_at: optional(instant('When they accepted. Absent unless it is accepted.')),
    override_id: optional(id('The override that was created then. Absent unless it is accepted.')),
  },
  'A request to cover a shift.',
);
const answers = { status: 200, schema: shape };
const listed = { status: 200, schema: pageSchema(shape) };
const concerning = {
  for: optional(
    choice(['me'], {
      doc: 'me returns only requests that ask the caller, are for a shift of the caller, or were made by the caller.',
    }),
  ),
};

export function coverRequestRoutes(parts: CoverRequestParts): readonly Route[] {
  return [
    route('GET /cover-requests', 'viewer', {
      tag,
      doc: 'Lists the open cover requests of all schedules, oldest first.',
      query: { ...paging, ...concerning },
      answers: listed,
      handle: async (call) => ok(await listOpen(parts, call)),
    }),
    route('GET /on-calls/:id/cover-requests', 'viewer', {
      tag,
      doc: 'Lists the cover requests of a schedule, oldest first.',
      query: {
        ...paging,
        all: flagParameter(
          'true includes requests that were accepted or withdrawn, or have expired. Otherwise, only open requests are returned.',
        ),
      },
      answers: listed,
      handle: async (call) => ok(await list(parts, call)),
    }),
    route('POST /on-calls/:id/cover-requests', 'responder', {
      tag,
      doc: 'Asks the other active people in the layers of a schedule to cover a shift. They are notified by the channels of their shift_change settings, but never by phone. Who is on call changes only when one of them accepts.',
      body: coverRequestInput,
      answers: { status: 201, schema: shape },
      handle: (call) => create(parts, call),
      again: async (call, request_id) =>
        ok(await read(parts, { ...call, params: { ...call.params, request_id } }), 201),
    }),
    route('GET /on-calls/:id/cover-requests/:request_id', 'viewer', {
      tag,
      doc: 'Returns a cover request.',
      answers,
      handle: async (call) => ok(await read(parts, call)),
    }),
    route('POST /on-calls/:id/cover-requests/:request_id/accept', 'responder', {
      tag,
      doc: 'Takes the shift of a cover request. This creates an override, which begins now if the shift has begun. If someone else was first, the request is refused with 409.',
      body: acceptInput,
      bodyMayBeAbsent: true,
      answers,
      handle: (call) => accept(parts, call),
      again: async (call) => ok(await read(parts, call)),
    }),
    route('DELETE /on-calls/:id/cover-requests/:request_id', 'responder', {
      tag,
      doc: 'Withdraws an open cover request. Only the person who made it, the person whose shift it is, and managers can do this.',
      answers: {
        status: 200,
        schema: objectOf({ id: id('The id of the withdrawn request.') }),
      },
      handle: (call) => withdraw(parts, call),
    }),
  ];
}

async function listOpen({ sql }: CoverRequestParts, call: Call) {
  const { caller, now } = call;
  const { after, limit } = readPage(call);
  const { for: who } = readQuery(concerning, call);
  const rows = await listOpenRequests(sql, {
    scope: caller,
    now,
    concerning: who === 'me' ? caller.id : null,
    after,
    limit: limit + 1,
  });
  return pageOf(rows.map(rendered(call)), limit);
}

async function list({ sql }: CoverRequestParts, call: Call) {
  const { organizationId, after, limit } = readPage(call);
  const of = { organizationId, scheduleId: await scheduleId(sql, call) };
  const openAt = readFlag(call, 'all') ? null : call.now;
  const rows = await listCoverRequests(sql, { ...of, openAt, after, limit: limit + 1 });
  return pageOf(rows.map(rendered(call)), limit);
}

async function read({ sql }: CoverRequestParts, call: Call) {
  const { organizationId } = call.caller;
  const of = { organizationId, scheduleId: await scheduleId(sql, call) };
  return rendered(call)(orNotFound(await readCoverRequest(sql, of, idIn(call, 'request_id'))));
}

async function create(parts: CoverRequestParts, call: Call) {
  // A server of the previous release cannot read the notices.
  await refuseBeforeUpgrade(parts.sql, ['start']);
  const made = await createCoverRequest(parts, {
    ...target(call),
    decide: (deciding) => review(call, deciding),
  });
  const request = orRefused(made);
  parts.committed({ ...noWake, notices: true });
  return ok(rendered(call)(request), 201);
}

async function accept(parts: CoverRequestParts, call: Call) {
  const { now } = call;
  const accepted = await acceptCoverRequest(parts, {
    ...target(call),
    id: idIn(call, 'request_id'),
    async decide({ lookup, known, request }) {
      await needsOpen(request, { lookup, now });
      const user_id = accepting(call, request);
      const { user_id: replaces_user_id, start_at, end_at: to, comment } = request;
      const from = later(start_at, now);
      if (!isOnCallIn(scheduleAsOf(known.history), replaces_user_id, { from, to }))
        throw new Refusal('conflict', {
          message: `${await nameOf(lookup, replaces_user_id)} is no longer on call at that time, so there is no shift to take.`,
        });
      const override = {
        user_id,
        replaces_user_id,
        start: timeText(from),
        end: timeText(to),
        ...(comment !== null && { comment }),
      };
      return { ...(await reviewOverride(override, { lookup, before: null, now })), user_id };
    },
  });
  const request = orRefused(accepted);
  parts.committed({ ...noWake, shifts: true });
  return ok(rendered(call)(request));
}

/** Who takes the shift. */
function accepting(call: Call, request: CoverRequest): string {
  const read = readObject(acceptInput, call.body ?? {});
  if (!read.ok) throw invalid(read.problems);
  const userId = personOf(read.value as { user_id?: string }, call);
  if (userId === undefined) throw invalid([nobodySignedIn]);
  if (userId === request.user_id)
    throw invalid([{ path: 'user_id', message: 'must be another person: this is their shift' }]);
  return userId;
}

async function withdraw(parts: CoverRequestParts, call: Call) {
  const { caller, now } = call;
  const withdrawn = await withdrawCoverRequest(parts, {
    ...target(call),
    id: idIn(call, 'request_id'),
    async check({ lookup, request }) {
      const isOwn = [request.user_id, request.requested_by.id].includes(caller.id);
      if (!isOwn && !mayAct(caller, 'manager'))
        throw new Refusal('forbidden', {
          message:
            'Only the person who made the request, the person whose shift it is, and managers can withdraw it.',
        });
      await needsOpen(request, { lookup, now });
    },
  });
  return ok({ id: orRefused(withdrawn).id });
}

const target = (call: Call) => ({ act: actOf(call), schedule: call.params['id'] ?? '' });

function orRefused(result: CoverRequest | CoverRequestRefusal): CoverRequest {
  if (result === 'too_many_requests')
    throw new Refusal('conflict', {
      message: `The schedule already has ${queryLimits.coverRequests} open cover requests, the maximum. Withdraw one first.`,
    });
  if (typeof result === 'string') throw overrideRefusal(result);
  return result;
}

/** The person who signed in, unless the body names another; undefined: a key names nobody. */
const personOf = ({ user_id }: { readonly user_id?: string }, { caller }: Call) =>
  user_id ?? (caller.kind === 'session' ? caller.id : undefined);

const nobodySignedIn = { path: 'user_id', message: 'is required for requests with an API key' };

type Reviewing = {
  readonly lookup: Lookup;
  readonly known: ScheduleWithHistory;
  readonly configuration: Configuration;
};

/** Refuses with all mistakes at once; without one, answers what is stored. */
async function review(call: Call, reviewing: Reviewing): Promise<NewCoverRequest> {
  const { now } = call;
  const read = readObject(coverRequestInput, call.body);
  // What the reader lets through is held to the schema.
  const fields = (read.ok ? read.value : read.readable) as Partial<CoverRequestFields>;
  const userId = personOf(fields, call);
  const problems = [
    ...(read.ok ? [] : read.problems),
    ...timeProblems(fields, now),
    ...(userId === undefined ? [nobodySignedIn] : []),
  ];
  const { start: from, end: to } = fields;
  if (problems.length > 0 || userId === undefined || from === undefined || to === undefined)
    throw invalid(problems);
  const [start, end] = [storedInstant(from), storedInstant(to)];
  await checkShift({ userId, start, end }, reviewing, now);
  const candidates = candidatesFor([userId, call.caller.id], reviewing);
  return { userId, start, end, comment: fields.comment ?? null, candidates };
}

type Shift = Pick<NewCoverRequest, 'userId' | 'start' | 'end'>;

async function checkShift(
  { userId, start, end }: Shift,
  { lookup, known }: Reviewing,
  now: Temporal.Instant,
): Promise<void> {
  const wrong = (message: string) => invalid([{ path: 'user_id', message }]);
  const people = await lookup('user', [userId]);
  if (!people.has(userId)) throw wrong('does not match any user in this organization');
  const interval = { from: later(start, now), to: end };
  if (!isOnCallIn(scheduleAsOf(known.history), userId, interval))
    throw wrong('is not on call at any moment between start and end');
}

function candidatesFor(except: readonly string[], { known, configuration }: Reviewing) {
  const candidates = coverCandidates({
    layers: known.history.revisions.at(-1)?.layers ?? [],
    except,
    isActive: (id) => configuration.people.get(id)?.active === true,
  });
  if (candidates.length === 0)
    throw new Refusal('conflict', {
      message:
        'There is nobody to ask: the layers of this schedule have no other active people. Create an override instead.',
    });
  return candidates;
}

type Naming = { readonly lookup: Lookup; readonly now: Temporal.Instant };

async function needsOpen(request: CoverRequest, { lookup, now }: Naming): Promise<void> {
  const message = await closedText(request, { lookup, now });
  if (message !== null) throw new Refusal('conflict', { message });
}

async function closedText(request: CoverRequest, { lookup, now }: Naming): Promise<string | null> {
  switch (stateOf(request, now)) {
    case 'open':
      return null;
    case 'accepted':
      return `${await nameOf(lookup, request.accepted_by ?? '')} has already taken this shift.`;
    case 'withdrawn':
      return 'The cover request was withdrawn.';
    case 'expired':
      return 'The cover request has expired, because its end has passed.';
  }
}

async function nameOf(lookup: Lookup, id: string): Promise<string> {
  return (await lookup('user', [id])).get(id)?.name ?? id;
}

const stateOf = ({ state, end_at: end }: CoverRequest, now: Temporal.Instant) =>
  coverRequestState({ state, end }, now);

const rendered =
  ({ now }: Pick<Call, 'now'>) =>
  (request: CoverRequest) => {
    const { start_at, end_at, comment, candidates, requested_by, created_at, ...rest } = request;
    const { accepted_by, accepted_at, override_id, ...named } = rest;
    return {
      ...named,
      start: timeText(start_at),
      end: timeText(end_at),
      ...(comment !== null && { comment }),
      candidate_user_ids: candidates,
      requested_by: renderActor(requested_by),
      created_at: timeText(created_at),
      state: stateOf(request, now),
      ...(accepted_by !== null && { accepted_by }),
      ...(accepted_at !== null && { accepted_at: timeText(accepted_at) }),
      ...(override_id !== null && { override_id }),
    };
  };
