// The members of a team, one by one. Lists of whole teams and people have them too.
import { id, objectOf } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { teamMembersMax } from '../../resources/team.ts';
import { teamMembership, teamMembershipInput } from '../../resources/team-membership.ts';
import { joinTeam, leaveTeam } from '../../storage/people/team-members.ts';
import { findTeam } from '../../storage/people/teams.ts';
import { pageSchema } from '../answers.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { paging } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { readPage } from './listing.ts';
import { teamIn } from './teams.ts';
import { actOf, conflict, idIn, orNotFound, type PeopleParts, route } from './writing.ts';

const tag = 'teams';
const answers = { status: 200, schema: teamMembership.output };
const listed = { status: 200, schema: pageSchema(teamMembership.output) };
const removed = { status: 200, schema: objectOf({ id: id('The id of the person.') }) };

export function teamMemberRoutes(parts: PeopleParts): Route[] {
  return [
    route('GET /teams/:id/members', 'viewer', {
      tag,
      doc: 'Lists the members of an active team, by the id of the person.',
      query: paging,
      answers: listed,
      handle: (call) => list(parts, call),
    }),
    route('POST /teams/:id/members', 'admin', {
      tag,
      doc: 'Adds a person to a team. If the person is already a member, nothing changes. The version of the team stays.',
      body: teamMembershipInput,
      answers: { ...answers, status: 201 },
      ignored,
      handle: (call) => join(parts, call),
      again: async (call) => ok(await member(parts, call, readUserId(call)), 201),
    }),
    route('GET /teams/:id/members/:user_id', 'viewer', {
      tag,
      doc: 'Returns the membership of a person in an active team.',
      answers,
      handle: async (call) => ok(await member(parts, call, idIn(call, 'user_id'))),
    }),
    route('DELETE /teams/:id/members/:user_id', 'admin', {
      tag,
      doc: 'Removes a person from a team. Records, schedules and policies do not change.',
      answers: { status: 200, schema: removed },
      handle: (call) => leave(parts, call),
    }),
  ];
}

const ignored = ['id', 'team_id'];

/** Those of an archived team count for nothing. */
async function membersIn({ sql }: PeopleParts, call: Call) {
  const team = orNotFound(await findTeam(sql, call.caller.organizationId, teamIn(call)));
  if (team.archived_at !== undefined) throw notFound();
  return team.user_ids;
}

const shown = (call: Call, userId: string) => ({
  id: userId,
  team_id: teamIn(call),
  user_id: userId,
});

async function list(parts: PeopleParts, call: Call) {
  const { after, limit } = readPage(call);
  const rest = (await membersIn(parts, call)).filter((userId) => userId > after).sort();
  const page = rest.slice(0, limit);
  const next_cursor = rest.length > limit ? (page.at(-1) ?? null) : null;
  return ok({ data: page.map((userId) => shown(call, userId)), next_cursor });
}

async function member(parts: PeopleParts, call: Call, userId: string) {
  if (!(await membersIn(parts, call)).includes(userId)) throw notFound();
  return shown(call, userId);
}

function readUserId(call: Call): string {
  const read = readObject(teamMembershipInput, call.body, { ignored });
  if (!read.ok) throw invalid(read.problems);
  return String(read.value['user_id']);
}

async function join({ sql, ids }: PeopleParts, call: Call) {
  const userId = readUserId(call);
  const joined = await joinTeam(sql, { act: actOf(call), ids, id: teamIn(call), userId });
  switch (joined) {
    case 'not_found':
    case 'archived':
      throw new Refusal(joined);
    case 'unknown_user':
      throw invalid([{ path: 'user_id', message: 'does not match any user' }]);
    case 'too_many':
      throw conflict('', `the team already has ${teamMembersMax} members, the maximum`);
    case 'joined':
      return ok(shown(call, userId), 201);
  }
}

async function leave({ sql, ids }: PeopleParts, call: Call) {
  const userId = idIn(call, 'user_id');
  const left = await leaveTeam(sql, { act: actOf(call), ids, id: teamIn(call), userId });
  if (!left) throw notFound();
  return ok({ id: userId });
}
