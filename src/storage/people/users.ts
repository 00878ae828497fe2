import type { Ids } from '../../engine/ids.ts';
import { signInChannel } from '../../resources/channels.ts';
import { knownLanguage, type Language } from '../../resources/language.ts';
import {
  errorCode,
  type Queries,
  type Sql,
  type Transaction,
  transact,
} from '../database/database.ts';
import { type ListQuery, type Page, pageOf } from '../database/page.ts';
import { activityNoted } from '../oncall/activity.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { json, timeText } from '../records/rows.ts';
import { auditedUser } from './audited.ts';
import { removePasskeys } from './passkeys.ts';
import { endPasswordLinks } from './password-links.ts';
import { endSessions } from './sign-ins.ts';

export type UserFields = {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: string;
  readonly timezone?: string;
  readonly language?: Language;
  readonly team_ids: readonly string[];
  readonly active: boolean;
};

export type User = UserFields & {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The address already belongs to another user, of this organisation or another. */
export class EmailTaken extends Error {
  override readonly name = 'EmailTaken';
}

/** Of the teams that a user was to be put in, these are not active teams here. */
export class UnknownTeams extends Error {
  override readonly name = 'UnknownTeams';
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    super(`not active teams: ${ids.join(', ')}`);
    this.ids = ids;
  }
}

type UserRow = Omit<User, 'timezone' | 'language' | 'created_at' | 'updated_at'> & {
  readonly timezone: string | null;
  readonly language: string | null;
  readonly created_at: Temporal.Instant;
  readonly updated_at: Temporal.Instant;
};

function userOf(row: UserRow): User {
  const { timezone, language, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    ...(timezone !== null && { timezone }),
    ...(language !== null && { language: knownLanguage(language) }),
    created_at: timeText(created_at),
    updated_at: timeText(updated_at),
  };
}

const columns = (sql: Queries) => sql`
  u.id, u.first_name, u.last_name, u.email, u.role, u.timezone, u.language, u.active, u.version,
  u.created_at, u.updated_at, coalesce((
    select json_agg(m.team_id order by m.team_id)
    from team_members m join teams t on t.organization_id = m.organization_id and t.id = m.team_id
    where m.organization_id = u.organization_id and m.user_id = u.id and t.archived_at is null
  ), '[]') as team_ids`;

export async function findUser(
  sql: Queries,
  organizationId: string,
  id: string,
): Promise<User | null> {
  const [row] = await sql<UserRow[]>`
    select ${columns(sql)} from users u
    where u.organization_id = ${organizationId} and u.id = ${id}`;
  return row ? userOf(row) : null;
}

export type UserFilter = {
  readonly email?: string;
  readonly role?: string;
  readonly active?: boolean;
  readonly team_id?: string;
  /** Whether they are active, and one of these. */
  readonly reachable?: { readonly userIds: readonly string[]; readonly is: boolean };
};

export async function listUsers(sql: Queries, query: ListQuery<UserFilter>): Promise<Page<User>> {
  const { email, role, active, team_id, reachable } = query.filter;
  const rows = await sql<UserRow[]>`
    select ${columns(sql)} from users u
    where u.organization_id = ${query.organizationId} and u.id > ${query.after}
    ${email === undefined ? sql`` : sql`and lower(u.email) = lower(${email})`}
    ${role === undefined ? sql`` : sql`and u.role = ${role}`}
    ${active === undefined ? sql`` : sql`and u.active = ${active}`}
    ${
      team_id === undefined
        ? sql``
        : sql`and exists (select from team_members m where m.organization_id = u.organization_id
            and m.user_id = u.id and m.team_id = ${team_id})`
    }
    ${
      reachable === undefined
        ? sql``
        : sql`and ${reachable.is} = (u.active and u.id = any(${[...reachable.userIds]}))`
    }
    order by u.id limit ${query.limit + 1}`;
  return pageOf(rows.map(userOf), query.limit);
}

type UserCreation = { readonly act: Act; readonly ids: Ids; readonly fields: UserFields };

/** Active at once, with the sign-in address as a verified contact. */
export function createUser(sql: Sql, creation: UserCreation): Promise<User> {
  return transact(sql, (tx) => insertUser(tx, creation));
}

export async function insertUser(
  tx: Transaction,
  { act, ids, fields }: UserCreation,
): Promise<User> {
  const id = ids.next();
  const at = act.now.toString();
  await refuseTakenEmail(
    tx`
      insert into users (organization_id, id, first_name, last_name, email, role, timezone,
        language, active, version, created_at, updated_at)
      values (${act.organizationId}, ${id}, ${fields.first_name}, ${fields.last_name},
        ${fields.email}, ${fields.role}, ${fields.timezone ?? null},
        ${fields.language ?? null}, ${fields.active}, 1, ${at}, ${at})`,
  );
  await setTeams(tx, { act, id, teamIds: fields.team_ids });
  await verifySignInContact(tx, { act, ids, id, email: fields.email });
  const after = await mustFind(tx, act, id);
  await audit(tx, ids, { act, ...auditedUser, action: 'create', id, after });
  return after;
}

type UserChange = {
  readonly act: Act;
  readonly ids: Ids;
  readonly id: string;
  /** Checks the change inside the transaction, and may refuse it by throwing. */
  readonly change: (before: User, otherActiveOwners: number) => UserFields;
};

/** Null: no such user. Writes to people of one organisation wait for each other. */
export function changeUser(sql: Sql, options: UserChange): Promise<User | null> {
  return transact(sql, (tx) => changeUserWithin(tx, options));
}

/** The same within a larger transaction, which must not have locked people before. */
export async function changeUserWithin(tx: Transaction, options: UserChange): Promise<User | null> {
  const { act, ids, id } = options;
  await lockOrganization(tx, act.organizationId);
  const before = await findUser(tx, act.organizationId, id);
  if (before === null) return null;
  const fields = options.change(before, await countOtherOwners(tx, act, id));
  const { organizationId, now } = act;
  const isSwitched = fields.active !== before.active;
  const note = isSwitched ? await activityNoted(tx, { organizationId, userId: id, now }) : null;
  await refuseTakenEmail(
    tx`
      update users set first_name = ${fields.first_name}, last_name = ${fields.last_name},
        email = ${fields.email}, role = ${fields.role}, timezone = ${fields.timezone ?? null},
        language = ${fields.language ?? null}, active = ${fields.active}, version = version + 1, updated_at = ${act.now.toString()}
      where organization_id = ${act.organizationId} and id = ${id}`,
  );
  await note?.(fields.active);
  await setTeams(tx, { act, id, teamIds: fields.team_ids });
  if (fields.email !== before.email) {
    await moveSignInContact(tx, options, { before, fields });
    // What was sent to the address of before is no longer for them.
    await endPasswordLinks(tx, id);
  }
  // Also of whoever becomes active: a server of 0.1.0 made them inactive and left passkeys.
  if (!fields.active || !before.active) await removePasskeys(tx, id);
  if (!fields.active) await endSessions(tx, id);
  const after = await mustFind(tx, act, id);
  await audit(tx, ids, { act, ...auditedUser, action: 'update', id, before, after });
  return after;
}

export async function lockOrganization(tx: Transaction, organizationId: string): Promise<void> {
  await tx`select from organizations where id = ${organizationId} for no key update`;
}

async function countOtherOwners(tx: Transaction, act: Act, id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from users where organization_id = ${act.organizationId}
      and role = 'owner' and active and id <> ${id}`;
  return row?.count ?? 0;
}

async function moveSignInContact(
  tx: Transaction,
  { act, ids, id }: UserChange,
  { before, fields }: { readonly before: User; readonly fields: UserFields },
): Promise<void> {
  await tx`
    delete from contacts where organization_id = ${act.organizationId} and user_id = ${id}
      and channel = ${signInChannel} and lower(address) = lower(${before.email})`;
  await verifySignInContact(tx, { act, ids, id, email: fields.email });
}

type SignInContact = {
  readonly act: Act;
  readonly ids: Ids;
  readonly id: string;
  readonly email: string;
};

async function verifySignInContact(tx: Transaction, { act, ids, id, email }: SignInContact) {
  const at = act.now.toString();
  const updated = await tx`
    update contacts set verified_at = coalesce(verified_at, ${at})
    where organization_id = ${act.organizationId} and user_id = ${id}
      and channel = ${signInChannel} and lower(address) = lower(${email})`;
  if (updated.count > 0) return;
  await tx`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    values (${act.organizationId}, ${ids.next()}, ${id}, ${signInChannel}, ${email}, ${at}, ${at})`;
}

type UserTeams = { readonly act: Act; readonly id: string; readonly teamIds: readonly string[] };

/** Teams that stay keep their order of members; in a new one the user comes last. */
async function setTeams(tx: Transaction, { act, id, teamIds }: UserTeams): Promise<void> {
  const list = json(tx, teamIds);
  const missing = await tx<{ id: string }[]>`
    select named.id from json_array_elements_text(${list}) as named (id) where not exists (
      select from teams t where t.organization_id = ${act.organizationId} and t.id = named.id
        and t.archived_at is null)`;
  if (missing.length > 0) throw new UnknownTeams(missing.map((row) => row.id));
  await tx`
    delete from team_members m using teams t
    where m.organization_id = ${act.organizationId} and m.user_id = ${id}
      and t.organization_id = m.organization_id and t.id = m.team_id and t.archived_at is null
      and m.team_id not in (select json_array_elements_text(${list}))`;
  await tx`
    insert into team_members (organization_id, team_id, user_id, position)
    select distinct ${act.organizationId}, team, ${id}, (
      select coalesce(max(position) + 1, 0) from team_members m
      where m.organization_id = ${act.organizationId} and m.team_id = team)
    from json_array_elements_text(${list}) as team
    on conflict do nothing`;
}

async function mustFind(tx: Transaction, act: Act, id: string): Promise<User> {
  const user = await findUser(tx, act.organizationId, id);
  if (user === null) throw new Error(`user ${id} vanished while it was written`);
  return user;
}

async function refuseTakenEmail(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (errorCode(error) === '23505') throw new EmailTaken();
    throw error;
  }
}
