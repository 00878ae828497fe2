import { isDeepStrictEqual } from 'node:util';
import { systemRandom } from '../../engine/random.ts';
import { accessLimits } from '../../limits/access.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import {
  type ApiKey,
  type ApiKeyFields,
  changeApiKey,
  createApiKey,
  findApiKey,
  listApiKeys,
  livingKeysMadeBy,
  MakerRevoked,
  revokeApiKey,
  TooManyKeys,
  UnknownKeyTeams,
} from '../../storage/people/api-keys.ts';
import { keyPrefix, newKeyText } from '../../storage/people/key-text.ts';
import { activeOwners } from '../../storage/people/reach.ts';
import { pageSchema } from '../answers.ts';
import { invalid, Refusal } from '../failures.ts';
import { createLimiter, type Limiter } from '../http/limiter.ts';
import { flagParameter, paging } from '../records/list-query.ts';
import { type Call, type Caller, ok, type Route } from '../route.ts';
import { readFlag, readPage } from './listing.ts';
import { archivedOutput, keyInput, keyOutput, newKeyOutput } from './shapes.ts';
import {
  actOf,
  conflict,
  idIn,
  isAbove,
  orNotFound,
  type PeopleParts,
  readBody,
  readChange,
  readOnly,
  route,
  unknownMembers,
} from './writing.ts';

const tag = 'api keys';
const answers = { status: 200, schema: keyOutput };
const made = { status: 201, schema: newKeyOutput };
const listed = { status: 200, schema: pageSchema(keyOutput) };
const revoked = { status: 200, schema: archivedOutput };
const filters = {
  ...paging,
  archived: flagParameter(
    'true returns only revoked keys. Otherwise, only keys that are not revoked are returned.',
  ),
};

type KeyParts = PeopleParts & { readonly ownerMails: Limiter };

export function apiKeyRoutes(people: PeopleParts): Route[] {
  const { sql, clock } = people;
  const ownerMails = createLimiter({ clock, tries: accessLimits.keyMails, seconds: 3_600 });
  const parts = { ...people, ownerMails };
  return [
    route('GET /api-keys', 'admin', {
      tag,
      doc: 'Lists the API keys.',
      query: filters,
      answers: listed,
      handle: async (call) => {
        const { teamIds } = call.caller;
        const filter = { teamIds, archived: readFlag(call, 'archived') ?? false };
        return ok(await listApiKeys(sql, { ...readPage(call), filter }));
      },
    }),
    route('POST /api-keys', 'admin', {
      tag,
      doc: 'Creates an API key and returns its secret text once. The key belongs to the person who creates it. A key cannot create a key that expires after itself. A key that a key created ends when that key is revoked, and the owners get an e-mail about it.',
      body: keyInput,
      answers: made,
      ignored: readOnly,
      handle: (call) => create(parts, call),
    }),
    route('GET /api-keys/:id', 'admin', {
      tag,
      doc: 'Returns an API key, without its secret text.',
      answers,
      handle: async (call) =>
        ok(orNotFound(await findApiKey(sql, { ...actOf(call), id: idIn(call) }))),
    }),
    route('PATCH /api-keys/:id', 'admin', {
      tag,
      doc: 'Updates the name or expiry of an API key. A key cannot set an expiry later than its own. Keys that were created with it expire no later than it.',
      body: keyInput,
      answers,
      ignored: readOnly,
      handle: (call) => change(parts, call),
    }),
    route('DELETE /api-keys/:id', 'admin', {
      tag,
      doc: 'Revokes an API key at once, with the keys that were created with it. A revoked key cannot be restored. The warnings list those keys, and the keys of an earlier release that were created with it and are still valid.',
      answers: revoked,
      handle: (call) => revoke(parts, call),
    }),
  ];
}

/** The reader has held it to the schema and filled in the defaults. */
const asFields = (value: Record<string, unknown>) => value as ApiKeyFields;

const tooManyKeys = `the organization already has ${accessLimits.apiKeys.toLocaleString('en')} active API keys, the maximum`;

async function create(parts: KeyParts, call: Call) {
  const fields = asFields(readBody(keyInput, call.body));
  withinRole(call.caller, fields.role);
  const problems = [
    ...withinTeams(call.caller, fields),
    ...ownDefault(fields),
    ...stillToCome(fields.expires_at, call.now),
    ...withinOwnTime(await expiryOf(parts, call), fields.expires_at),
  ];
  if (problems.length > 0) throw invalid(problems);
  const key = newKeyText((parts.random ?? systemRandom).bytes);
  const creating = {
    act: actOf(call),
    ids: parts.ids,
    fields,
    prefix: keyPrefix(key),
    digest: parts.secrets.digest(key),
  };
  try {
    const created = await createApiKey(parts.sql, creating);
    await notify(parts, call, created);
    return ok({ ...created, key }, 201);
  } catch (error) {
    if (error instanceof MakerRevoked) throw new Refusal('unauthorized');
    if (error instanceof TooManyKeys) throw conflict('', tooManyKeys);
    if (error instanceof UnknownKeyTeams) throw invalid(unknownTeams(fields, error.ids));
    throw error;
  }
}

/** A session that was stolen ends, and so does a key. What they make would stay unnoticed. */
async function notify({ sql, mails, ownerMails }: KeyParts, { caller }: Call, created: ApiKey) {
  const api_key = `${created.name} (${created.prefix})`;
  const { organizationId, kind, id, name: made_with } = caller;
  if (kind === 'session') return mails.sendFactorChanged(id, 'api_key_created', { api_key });
  if (ownerMails.take(organizationId) > 0) return;
  for (const owner of await activeOwners(sql, organizationId))
    mails.sendFactorChanged(owner.id, 'api_key_made_with_key', { api_key, made_with });
}

function unknownTeams(fields: ApiKeyFields, ids: readonly string[]): Problem[] {
  const what = 'active team';
  const { team_ids = [], default_team_id } = fields;
  const named = unknownMembers('team_ids', team_ids, { ids, what });
  return default_team_id !== undefined && ids.includes(default_team_id)
    ? [...named, { path: 'default_team_id', message: `does not match any ${what}` }]
    : [...named];
}

async function change(parts: PeopleParts, call: Call) {
  const { sql, ids } = parts;
  const ownExpiry = await expiryOf(parts, call);
  const changed = await changeApiKey(sql, {
    act: actOf(call),
    ids,
    id: idIn(call),
    change(before) {
      if (before.archived_at !== undefined) throw new Refusal('archived');
      withinRole(call.caller, before.role);
      const fields = asFields(readChange(keyInput, { call, before, isPatch: true }));
      const fixed = (['role', 'team_ids', 'default_team_id'] as const).filter(
        (name) => !isDeepStrictEqual(fields[name], before[name]),
      );
      const issues = fixed.map((path) => ({
        path,
        message: 'cannot be changed: create another key',
      }));
      if (issues.length > 0) throw new Refusal('immutable', { issues });
      if (fields.expires_at !== before.expires_at) {
        const wrong = [
          ...stillToCome(fields.expires_at, call.now),
          ...withinOwnTime(ownExpiry, fields.expires_at),
        ];
        if (wrong.length > 0) throw invalid(wrong);
      }
      return fields;
    },
  });
  return ok(orNotFound(changed));
}

async function revoke({ sql, ids }: PeopleParts, call: Call) {
  const id = idIn(call);
  const check = (before: ApiKey) => withinRole(call.caller, before.role);
  const revoked = await revokeApiKey(sql, { act: actOf(call), ids, id, check });
  const { key, ended } = orNotFound(revoked);
  const { organizationId } = call.caller;
  const made = await livingKeysMadeBy(sql, { organizationId, id, now: call.now });
  const created = ({ name, prefix }: Pick<ApiKey, 'name' | 'prefix'>) =>
    `The API key "${name}" (${prefix}) was created with this key`;
  const warnings = [
    ...ended.map((one) => `${created(one)} and ended with it.`),
    ...made.map(
      (one) => `${created(one)} and is still valid. If this key was leaked, revoke that key too.`,
    ),
  ];
  return ok({ id, archived_at: key.archived_at, warnings });
}

function withinRole(caller: Caller, role: string): void {
  if (!isAbove(role, caller.role)) return;
  const message = `Your role is ${caller.role}, so the key cannot have a higher role.`;
  throw new Refusal('forbidden', { message });
}

function withinTeams({ teamIds }: Caller, { team_ids }: ApiKeyFields): Problem[] {
  if (teamIds === null) return [];
  if (team_ids === undefined)
    return [
      { path: 'team_ids', message: 'is required, because you are limited to teams yourself' },
    ];
  const outside = team_ids.filter((id) => !teamIds.includes(id));
  return [...unknownMembers('team_ids', team_ids, { ids: outside, what: 'of your teams' })];
}

/** When the key of a call expires; undefined: it never does, or a person calls. */
async function expiryOf({ sql }: PeopleParts, { caller }: Call): Promise<string | undefined> {
  if (caller.kind !== 'key') return undefined;
  const { organizationId, id } = caller;
  return (await findApiKey(sql, { organizationId, teamIds: null, id }))?.expires_at;
}

/** Else whoever finds a key would keep what it may do for as long as they like. */
const withinOwnTime = (own: string | undefined, expiresAt: string | undefined): Problem[] =>
  own !== undefined && (expiresAt === undefined || Temporal.Instant.compare(expiresAt, own) > 0)
    ? [
        {
          path: 'expires_at',
          message: `must not be after ${own}, when the API key of this request expires`,
        },
      ]
    : [];

const ownDefault = ({ team_ids, default_team_id }: ApiKeyFields): Problem[] =>
  team_ids !== undefined && default_team_id !== undefined && !team_ids.includes(default_team_id)
    ? [{ path: 'default_team_id', message: 'must be one of team_ids' }]
    : [];

const stillToCome = (expiresAt: string | undefined, now: Temporal.Instant): Problem[] =>
  expiresAt !== undefined && Temporal.Instant.compare(expiresAt, now) <= 0
    ? [{ path: 'expires_at', message: 'must be in the future' }]
    : [];
