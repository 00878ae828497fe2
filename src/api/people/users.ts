import Type from 'typebox';
import { choice, id, listOf, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { personName } from '../../resources/person-name.ts';
import { roles } from '../../resources/roles.ts';
import { user } from '../../resources/user.ts';
import { transact } from '../../storage/database/database.ts';
import { type Act, audit } from '../../storage/organizations/audit.ts';
import { keyNamesOf } from '../../storage/people/api-keys.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import { listContactsOf, listVerifiedContacts } from '../../storage/people/contacts.ts';
import { activePerson, setPassword } from '../../storage/people/sign-ins.ts';
import {
  changeUser,
  createUser,
  EmailTaken,
  findUser,
  listUsers,
  UnknownTeams,
  type User,
  type UserFields,
} from '../../storage/people/users.ts';
import { usesOfPerson } from '../../storage/people/uses.ts';
import { pageSchema, warned } from '../answers.ts';
import { contactProblems } from '../contacts/contact-problems.ts';
import { reachabilityOf, reachabilityShape } from '../contacts/reachability.ts';
import { invalid, Refusal } from '../failures.ts';
import { flagParameter, paging, readQuery } from '../records/list-query.ts';
import { useWarnings, withWarnings } from '../records/rendering.ts';
import { type Call, ok, type Route } from '../route.ts';
import { invitationsById, invitedShape } from './invitations.ts';
import { readFlag, readPage } from './listing.ts';
import { currentPasswordFields, needsProof, type OwnerProof } from './owner-proof.ts';
import { ownIn } from './sessions.ts';
import { newPasswordFields } from './shapes.ts';
import {
  actOf,
  checkVersion,
  conflict,
  idIn,
  isOwn,
  needsWholeOrganization,
  onlyOwnersTouchOwners,
  orNotFound,
  type PeopleParts,
  readBody,
  readChange,
  readOnly,
  route,
  unknownMembers,
} from './writing.ts';

const tag = 'users';
const answers = { status: 200, schema: user.output };
const made = { ...answers, status: 201 };
const done = { status: 200, schema: objectOf({ id: id('The id of the person.') }) };
const changedAnswers = { status: 200, schema: warned(user.output) };
const includes = ['reachability', 'invitations'] as const;
const include = optional(
  listOf(choice(includes, { doc: 'What is added.' }), {
    doc: 'What to add to the response: reachability adds whether each person can be reached, and by which channels. invitations adds who has not set a password yet, and when and by whom they were invited, for admins.',
    max: includes.length,
  }),
);
const added = {
  reachability: optional(
    Type.Record(Type.String(), reachabilityShape, {
      description: 'With include=reachability: whether each person can be reached, by id.',
    }),
  ),
  invitations: optional(
    Type.Record(Type.String(), invitedShape, {
      description:
        'With include=invitations: the active people who have not set a password yet, by id.',
    }),
  ),
};
const listed = {
  status: 200,
  schema: objectOf({ ...pageSchema(user.output).properties, ...added }),
};

const { current_password } = currentPasswordFields;
const passwordInput = objectOf({ ...newPasswordFields, current_password });
const changeInput = objectOf(
  { ...user.fields, ...currentPasswordFields },
  'The writable fields of a person.',
);
const onlySessions =
  'An API key cannot create, promote or activate an admin or owner, or change an e-mail address.';

type Parts = PeopleParts & { readonly proof: OwnerProof };

export function userRoutes(parts: Parts): Route[] {
  const { sql } = parts;
  return [
    route('GET /users', 'viewer', {
      tag,
      doc: 'Lists the people of the organization.',
      query: { ...filters, include },
      answers: listed,
      handle: (call) => list(parts, call),
    }),
    route('POST /users', 'admin', {
      tag,
      body: user.input,
      answers: made,
      ignored: readOnly,
      doc: `Adds a person to the organization. ${onlySessions}`,
      handle: (call) => create(parts, call),
      again: async ({ caller }, id) =>
        ok(orNotFound(await findUser(sql, caller.organizationId, id)), 201),
    }),
    route('GET /users/:id', 'viewer', {
      tag,
      doc: 'Reads a person.',
      answers,
      handle: async (call) =>
        ok(orNotFound(await findUser(sql, call.caller.organizationId, idIn(call)))),
    }),
    route('PATCH /users/:id', 'admin', {
      tag,
      body: changeInput,
      answers: changedAnswers,
      ignored: readOnly,
      takesVersion: true,
      doc: `Updates a person. \`active: false\` ends their sessions and disables their API keys. ${onlySessions} When an address changes, the old address gets an e-mail. To change your own address, send your current password.`,
      handle: (call) => change(parts, call, true),
    }),
    route('PUT /users/:id', 'admin', {
      tag,
      body: changeInput,
      answers: changedAnswers,
      ignored: readOnly,
      takesVersion: true,
      doc: 'Replaces a person. The same rules as for PATCH apply.',
      handle: (call) => change(parts, call, false),
    }),
    route('POST /users/:id/password', 'admin', {
      tag,
      keysRefused: 'session_only',
      body: passwordInput,
      answers: done,
      doc: 'Sets a password for a person and ends their sessions. The person gets an e-mail. To set your own, send your current password. The session of the request then stays open.',
      handle: (call) => password(parts, call),
    }),
  ];
}

const filters = {
  ...paging,
  email: optional(
    text({
      doc: 'Returns only the person with this e-mail address, ignoring case.',
    }),
  ),
  role: optional(choice(roles, { doc: 'Returns only people with this role.' })),
  active: flagParameter('true returns only active people, false only inactive people.'),
  team_id: optional(id('Returns only members of this team.')),
  reachable: flagParameter(
    'true returns only people who can be reached, false only those who cannot.',
  ),
};

async function list(parts: PeopleParts, call: Call) {
  const { include: added = [] } = readQuery({ include }, call);
  const page = readPage(call);
  const listed = await listUsers(parts.sql, { ...page, filter: await filter(parts, call) });
  const userIds = listed.data.map(({ id }) => id);
  return ok({
    ...listed,
    ...(added.includes('reachability') && {
      reachability: await reachabilityById(parts, call, listed.data),
    }),
    ...(added.includes('invitations') && {
      invitations: await invitationsById(parts, call, userIds),
    }),
  });
}

async function reachabilityById(parts: PeopleParts, call: Call, people: readonly User[]) {
  const { organizationId } = call.caller;
  const userIds = people.map(({ id }) => id);
  const contacts = await listContactsOf(parts.sql, { organizationId, userIds });
  const problemOf = await contactProblems(parts, organizationId);
  const reachability = people.map((person) => {
    const own = contacts.filter(({ user_id }) => user_id === person.id);
    return [person.id, reachabilityOf(person, own, { problemOf, now: call.now })];
  });
  return Object.fromEntries(reachability);
}

async function filter(parts: PeopleParts, call: Call) {
  const { email, role, team_id } = call.query;
  const active = readFlag(call, 'active');
  const reachable = readFlag(call, 'reachable');
  return {
    ...(email !== undefined && { email }),
    ...(role !== undefined && { role }),
    ...(active !== undefined && { active }),
    ...(team_id !== undefined && { team_id }),
    ...(reachable !== undefined && {
      reachable: { userIds: await reached(parts, call), is: reachable },
    }),
  };
}

/** The active to whom something can be sent. */
async function reached(parts: PeopleParts, { caller: { organizationId } }: Call) {
  const [contacts, problemOf] = await Promise.all([
    listVerifiedContacts(parts.sql, organizationId),
    contactProblems(parts, organizationId),
  ]);
  const used = contacts.filter((contact) => problemOf(contact) === null);
  return [...new Set(used.map(({ user_id }) => user_id))];
}

/** The reader has held it to the schema and filled in the defaults. */
const asFields = (value: Record<string, unknown>) => value as UserFields;

async function create(parts: PeopleParts, call: Call) {
  needsWholeOrganization(call);
  const fields = asFields(readBody(user.input, call.body));
  refuseKeys(call, null, fields);
  onlyOwnersMakeOwners(call, fields);
  const creating = { act: actOf(call), ids: parts.ids, fields };
  return ok(await explained(fields, createUser(parts.sql, creating)), 201);
}

async function change(parts: Parts, call: Call, isPatch: boolean) {
  needsWholeOrganization(call);
  const id = idIn(call);
  const isProved = await provesItself(parts, call, id);
  let wanted: UserFields | undefined;
  let old: User | undefined;
  const act = actOf(call);
  const changing = {
    act,
    ids: parts.ids,
    id,
    change(before: User, otherActiveOwners: number) {
      checkVersion(call, before);
      const read = readChange(changeInput, { call, before, isPatch });
      const { current_password: _, code: _code, ...changed } = read;
      const fields = asFields(changed);
      refuseKeys(call, before, fields);
      if (isOwn(call, id) && fields.email !== before.email && !isProved) throw needsProof();
      onlyOwnersTouchOwners(call, before);
      onlyOwnersMakeOwners(call, fields);
      keepAnOwner(before, fields, otherActiveOwners);
      wanted = fields;
      old = before;
      return fields;
    },
  };
  const after = orNotFound(await explained(() => wanted, changeUser(parts.sql, changing)));
  notifyOldAddress(parts, call, { old, after });
  return ok(withWarnings(after, after.active ? [] : await awayWarnings(parts, act, after)));
}

/** What a key may not do: `sessionOnly` of the declaration. */
function refuseKeys({ caller }: Call, before: User | null, after: UserFields): void {
  const issues = caller.kind === 'key' ? user.sessionOnly(before, after) : [];
  if (issues.length > 0) throw new Refusal('session_only', { issues });
}

/** Whether somebody who changes themselves has shown their password. */
async function provesItself({ proof }: Parts, call: Call, id: string): Promise<boolean> {
  const shown = isObject(call.body) ? call.body : {};
  if (!isOwn(call, id) || shown['current_password'] === undefined) return false;
  await proof.checkCurrent(call, shown);
  return true;
}

type Renewed = { readonly old: User | undefined; readonly after: User };

function notifyOldAddress({ mails }: Parts, { caller }: Call, { old, after }: Renewed): void {
  if (old === undefined || old.email === after.email) return;
  const person = { ...old, organization_id: caller.organizationId };
  mails.sendEmailChanged(person, { to: after.email, by: caller.name });
}

/** Who relies on somebody who is away, or on their keys, should know it now, not at night. */
async function awayWarnings({ sql }: PeopleParts, act: Act, { id }: User) {
  const { organizationId, now } = act;
  const uses = await usesOfPerson(sql, { organizationId, id, now });
  const keys = await keyNamesOf(sql, { organizationId, userId: id });
  return [
    ...useWarnings(uses, act, 'this person, who is not active'),
    ...keys.map((name) => `The API key "${name}" is refused while this person is not active.`),
  ];
}

function onlyOwnersMakeOwners({ caller }: Call, { role }: { readonly role: string }): void {
  if (role === 'owner' && caller.role !== 'owner')
    throw new Refusal('forbidden', { message: 'Only owners can make someone an owner.' });
}

function keepAnOwner(before: User, after: UserFields, otherActiveOwners: number): void {
  const wasOne = before.role === 'owner' && before.active;
  if (!wasOne || otherActiveOwners > 0 || (after.role === 'owner' && after.active)) return;
  const path = after.active ? 'role' : 'active';
  throw conflict(path, 'belongs to the last active owner: make someone else an owner first');
}

type Wanted = UserFields | (() => UserFields | undefined);

async function explained<T>(wanted: Wanted, written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof EmailTaken) throw conflict('email', 'already belongs to another user');
    if (!(error instanceof UnknownTeams)) throw error;
    const list = (typeof wanted === 'function' ? wanted() : wanted)?.team_ids ?? [];
    throw invalid(unknownMembers('team_ids', list, { ids: error.ids, what: 'active team' }));
  }
}

async function password(parts: Parts, call: Call) {
  const { caller, now } = call;
  const id = idIn(call);
  const { password, current_password: current } = readBody(passwordInput, call.body);
  const person = orNotFound(await findUser(parts.sql, caller.organizationId, id));
  onlyOwnersTouchOwners(call, person);
  const isMine = isOwn(call, id);
  if (isMine && current === undefined) throw needsProof();
  // As the form at /auth/change-password: without the factor, the password opens nothing.
  if (isMine) await parts.proof.checkPassword(call, current, 'current_password');
  const passwordHash = await parts.hashPassword(String(password));
  const name = personName(person);
  await transact(parts.sql, async (tx) => {
    if ((await activePerson(tx, id)) === null) throw conflict('active', 'is false');
    await setPassword(tx, {
      user: { id, name },
      passwordHash,
      ids: parts.ids,
      now,
      ...(isMine && { exceptId: ownIn(call).sessionId }),
    });
    await audit(tx, parts.ids, { act: actOf(call), ...auditedUser, action: 'set_password', id });
  });
  const recipient = { ...person, organization_id: caller.organizationId };
  if (isMine) parts.mails.sendChanged(recipient);
  else parts.mails.sendSet(recipient, caller.name);
  return ok({ id });
}
