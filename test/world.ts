// Organisations, teams, people and callers for tests, written straight into the tables.

import type { Caller } from '../src/api/route.ts';
import { type Clock, systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import type { Role } from '../src/resources/roles.ts';
import type { Sql } from '../src/storage/database/database.ts';

export type UserFields = {
  readonly name: string;
  readonly role?: Role;
  readonly active?: boolean;
  /** Verified contacts by channel, such as `{ sms: '+491701234567' }`. */
  readonly contacts?: Readonly<Record<string, string>>;
};
export type OrganizationFields = {
  readonly name?: string;
  /** The first one is the default team. */
  readonly teams?: readonly string[];
  /** All of them are in the first team. */
  readonly users?: readonly UserFields[];
  readonly clock?: Clock;
};
export type World = {
  readonly organizationId: string;
  /** Ids by name. */
  readonly teams: Readonly<Record<string, string>>;
  readonly users: Readonly<Record<string, string>>;
  /** Someone of the organisation with that role; a manager's key to every team unless told. */
  caller(fields?: Partial<Caller>): Caller;
};

const ids = createIds(systemClock);

export async function seedOrganization(sql: Sql, options: OrganizationFields = {}): Promise<World> {
  const { name = 'Example', teams = ['ops'], users = [], clock = systemClock } = options;
  const now = clock.now();
  const organizationId = ids.next();
  const maker = { sql, organizationId, now };
  const timezone = 'Etc/UTC';
  await sql`insert into organizations ${sql({ id: organizationId, name, timezone, ...made(now) })}`;
  const teamIds: Record<string, string> = {};
  for (const team of teams) teamIds[team] = await insertTeam(maker, team, team === teams[0]);
  const userIds: Record<string, string> = {};
  for (const user of users) {
    const id = await insertUser(maker, user);
    userIds[user.name] = id;
    const [first] = Object.values(teamIds);
    if (first === undefined) continue;
    const member = { team_id: first, user_id: id, position: Object.keys(userIds).length };
    await sql`insert into team_members ${sql({ organization_id: organizationId, ...member })}`;
  }
  const caller = (fields: Partial<Caller> = {}): Caller => ({
    kind: 'key',
    organizationId,
    id: ids.next(),
    name: 'a test',
    role: 'manager',
    teamIds: null,
    defaultTeamId: null,
    ...fields,
  });
  return { organizationId, teams: teamIds, users: userIds, caller };
}

type Maker = { sql: Sql; organizationId: string; now: Temporal.Instant };

const made = (now: Temporal.Instant) => ({ version: 1, created_at: now, updated_at: now });

async function insertTeam({ sql, organizationId, now }: Maker, name: string, isDefault: boolean) {
  const id = ids.next();
  const team = { organization_id: organizationId, id, name, is_default: isDefault, ...made(now) };
  await sql`insert into teams ${sql(team)}`;
  return id;
}

async function insertUser({ sql, organizationId, now }: Maker, user: UserFields): Promise<string> {
  const row = {
    organization_id: organizationId,
    id: ids.next(),
    first_name: user.name,
    last_name: 'Example',
    email: `${user.name.toLowerCase()}@${organizationId}.test`,
    role: user.role ?? 'responder',
    active: user.active ?? true,
    ...made(now),
  };
  await sql`insert into users ${sql(row)}`;
  for (const [channel, address] of Object.entries({ email: row.email, ...user.contacts })) {
    const contact = { id: ids.next(), user_id: row.id, channel, address };
    await sql`insert into contacts ${sql({
      organization_id: organizationId,
      ...contact,
      verified_at: now,
      created_at: now,
    })}`;
  }
  return row.id;
}
