// Organisations, teams, people and callers for tests, written straight into the tables.

import type { Caller, Role } from '../src/api/route.ts';
import { type Clock, systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import type { Sql } from '../src/storage/database.ts';

export type GivenUser = {
  readonly name: string;
  readonly role?: Role;
  readonly active?: boolean;
  /** Verified contacts by channel, such as `{ sms: '+491701234567' }`. */
  readonly contacts?: Readonly<Record<string, string>>;
};
export type GivenOrganization = {
  readonly name?: string;
  /** The first one is the default team. */
  readonly teams?: readonly string[];
  /** All of them are in the first team. */
  readonly users?: readonly GivenUser[];
  readonly clock?: Clock;
};
export type World = {
  readonly organizationId: string;
  /** Ids by name. */
  readonly teams: Readonly<Record<string, string>>;
  readonly users: Readonly<Record<string, string>>;
  /** Someone of the organisation with that role; a manager's key to every team unless told. */
  caller(said?: Partial<Caller>): Caller;
};

const ids = createIds(systemClock);

export async function givenOrganization(sql: Sql, given: GivenOrganization = {}): Promise<World> {
  const { name = 'Example', teams = ['ops'], users = [], clock = systemClock } = given;
  const organizationId = ids.next();
  const times = { created_at: clock.now(), updated_at: clock.now() };
  const versioned = { ...times, version: 1 };
  await sql`insert into organizations ${sql({
    id: organizationId,
    name,
    timezone: 'Etc/UTC',
    ...versioned,
  })}`;
  const teamIds = await Promise.all(teams.map((team, index) => insertTeam(team, index === 0)));
  const userIds: string[] = [];
  for (const user of users) userIds.push(await insertUser(user));
  return {
    organizationId,
    teams: Object.fromEntries(teams.map((team, index) => [team, teamIds[index] ?? ''])),
    users: Object.fromEntries(users.map((user, index) => [user.name, userIds[index] ?? ''])),
    caller: (said = {}) => ({
      kind: 'key',
      organizationId,
      id: ids.next(),
      name: 'a test',
      role: 'manager',
      teamIds: null,
      defaultTeamId: null,
      ...said,
    }),
  };

  async function insertTeam(team: string, isDefault: boolean): Promise<string> {
    const row = {
      organization_id: organizationId,
      id: ids.next(),
      name: team,
      is_default: isDefault,
      ...versioned,
    };
    await sql`insert into teams ${sql(row)}`;
    return row.id;
  }

  async function insertUser(user: GivenUser): Promise<string> {
    const row = {
      organization_id: organizationId,
      id: ids.next(),
      first_name: user.name,
      last_name: 'Example',
      email: `${user.name.toLowerCase()}@${organizationId}.test`,
      role: user.role ?? 'responder',
      active: user.active ?? true,
      ...versioned,
    };
    await sql`insert into users ${sql(row)}`;
    const [teamId] = teamIds;
    if (teamId !== undefined)
      await sql`insert into team_members ${sql({
        organization_id: organizationId,
        team_id: teamId,
        user_id: row.id,
        position: userIds.length,
      })}`;
    const contacts = { email: row.email, ...user.contacts };
    for (const [channel, address] of Object.entries(contacts))
      await sql`insert into contacts ${sql({
        organization_id: organizationId,
        id: ids.next(),
        user_id: row.id,
        channel,
        address,
        verified_at: clock.now(),
        created_at: clock.now(),
      })}`;
    return row.id;
  }
}
