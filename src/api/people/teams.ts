import { optional, text } from '../../resources/declaration/field.ts';
import { team } from '../../resources/team.ts';
import {
  archiveTeam,
  changeTeam,
  createTeam,
  findTeam,
  listTeams,
  restoreTeam,
  type Team,
  type TeamFields,
  TeamInUse,
  UnknownUsers,
} from '../../storage/people/teams.ts';
import { pageSchema } from '../answers.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { flagParameter, paging } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { readFlag, readPage } from './listing.ts';
import { archivedOutput } from './shapes.ts';
import {
  actOf,
  checkVersion,
  idIn,
  needsWholeOrganization,
  orNotFound,
  type PeopleParts,
  readBody,
  readChange,
  readOnly,
  route,
  unknownMembers,
} from './writing.ts';

const tag = 'teams';
const answers = { status: 200, schema: team.output };
const made = { ...answers, status: 201 };
const listed = { status: 200, schema: pageSchema(team.output) };
const archived = { status: 200, schema: archivedOutput };
const filters = {
  ...paging,
  name: optional(text({ doc: 'Returns only teams with this name.', min: 1 })),
  archived: flagParameter(
    'true returns only archived teams. Otherwise, only active teams are returned.',
  ),
};

export function teamRoutes(parts: PeopleParts): Route[] {
  return [
    route('GET /teams', 'viewer', {
      tag,
      doc: 'Lists the teams.',
      query: filters,
      answers: listed,
      handle: (call) => list(parts, call),
    }),
    route('POST /teams', 'admin', {
      tag,
      doc: 'Adds a team.',
      body: team.input,
      answers: made,
      ignored: readOnly,
      handle: (call) => create(parts, call),
      again: async ({ caller }, id) =>
        ok(orNotFound(await findTeam(parts.sql, caller.organizationId, id)), 201),
    }),
    route('GET /teams/:id', 'viewer', {
      tag,
      doc: 'Returns a team, including an archived one.',
      answers,
      handle: async (call) => ok(await read(parts, call)),
    }),
    route('PATCH /teams/:id', 'admin', {
      tag,
      doc: 'Updates a team.',
      body: team.input,
      answers,
      ignored: readOnly,
      takesVersion: true,
      handle: (call) => change(parts, call, true),
    }),
    route('PUT /teams/:id', 'admin', {
      tag,
      doc: 'Replaces a team.',
      body: team.input,
      answers,
      ignored: readOnly,
      takesVersion: true,
      handle: (call) => change(parts, call, false),
    }),
    route('DELETE /teams/:id', 'admin', {
      tag,
      doc: 'Archives a team that owns no active records.',
      answers: archived,
      takesVersion: true,
      handle: (call) => archive(parts, call),
    }),
    route('POST /teams/:id/restore', 'admin', {
      tag,
      doc: 'Restores an archived team.',
      answers,
      keysRefused: 'restore_is_dashboard_only',
      handle: async (call) => {
        const restoring = { act: actOf(call), ids: parts.ids, id: teamIn(call) };
        return ok(orNotFound(await restoreTeam(parts.sql, restoring)));
      },
      again: async (call) => ok(await read(parts, call)),
    }),
  ];
}

/** Outside a key's teams there are none. */
export function teamIn(call: Call): string {
  const id = idIn(call);
  const { teamIds } = call.caller;
  if (teamIds !== null && !teamIds.includes(id)) throw notFound();
  return id;
}

const read = async ({ sql }: PeopleParts, call: Call) =>
  orNotFound(await findTeam(sql, call.caller.organizationId, teamIn(call)));

async function list({ sql }: PeopleParts, call: Call) {
  const { name } = call.query;
  const filter = {
    teamIds: call.caller.teamIds,
    archived: readFlag(call, 'archived') ?? false,
    ...(name !== undefined && { name }),
  };
  return ok(await listTeams(sql, { ...readPage(call), filter }));
}

/** The reader has held it to the schema and filled in the defaults. */
const asFields = (value: Record<string, unknown>) => value as TeamFields;

async function create({ sql, ids }: PeopleParts, call: Call) {
  needsWholeOrganization(call);
  const fields = asFields(readBody(team.input, call.body));
  const creating = { act: actOf(call), ids, fields };
  return ok(await explained(() => fields, createTeam(sql, creating)), 201);
}

async function change({ sql, ids }: PeopleParts, call: Call, isPatch: boolean) {
  const id = teamIn(call);
  let wanted: TeamFields | undefined;
  const changed = changeTeam(sql, {
    act: actOf(call),
    ids,
    id,
    change(before) {
      if (before.archived_at !== undefined) throw new Refusal('archived');
      checkVersion(call, before);
      wanted = asFields(readChange(team.input, { call, before, isPatch }));
      // It takes the default away from another team.
      if (wanted.default && !before.default) needsWholeOrganization(call);
      return wanted;
    },
  });
  return ok(orNotFound(await explained(() => wanted, changed)));
}

async function archive({ sql, ids }: PeopleParts, call: Call) {
  const id = teamIn(call);
  const check = (before: Team) => checkVersion(call, before);
  const { archived_at } = orNotFound(
    await explained(() => undefined, archiveTeam(sql, { act: actOf(call), ids, id, check })),
  );
  return ok({ id, archived_at, warnings: [] });
}

async function explained<T>(wanted: () => TeamFields | undefined, written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof TeamInUse) throw inUse(error);
    if (!(error instanceof UnknownUsers)) throw error;
    const list = wanted()?.user_ids ?? [];
    throw invalid(unknownMembers('user_ids', list, { ids: error.ids, what: 'user' }));
  }
}

const inUse = ({ uses }: TeamInUse) =>
  new Refusal('conflict', {
    message: 'The team still owns active records. Archive or move them first.',
    issues: uses.map(({ kind, id, name }) => ({
      path: id,
      message: `the ${kind.replaceAll('_', ' ')} "${name}" is still active`,
    })),
  });
