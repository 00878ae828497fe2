import type { Needed } from '../../engine/ledger.ts';
import type { Directory, Person, Rota } from '../../incidents/directory.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { Schedule } from '../../oncall/schedule.ts';
import { readSchedules } from '../oncall/schedules.ts';
import type { Desk } from './ledger.ts';

export type PersonRow = {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  active: boolean;
};
export type ContactRow = { user_id: string; channel: string; address: string };
type AdminRow = { team_id: string; user_id: string };

/** All that the decision may ask about people, read in the decision's own transaction. */
export async function readDirectory(
  desk: Desk,
  needed: readonly Needed[],
  now: Temporal.Instant,
): Promise<Directory> {
  const schedules = new Map<string, Rota>();
  const people = new Map<string, Person>();
  const adminsOfTeam = new Map<string, readonly string[]>();
  for (const one of needed) {
    const [rotas, admins, first] = await Promise.all([
      readRotas(desk, one, now),
      readAdmins(desk, one),
      readPeople(desk, one.organization_id, one.userIds),
    ]);
    for (const [id, rota] of rotas) schedules.set(id, rota);
    for (const [team, ids] of admins) adminsOfTeam.set(team, ids);
    const onCall = new Set(rotas.flatMap(([, { schedule }]) => usersOf(schedule)));
    const more = onCall.size > 0 ? await readPeople(desk, one.organization_id, onCall) : [];
    for (const person of [...first, ...more]) people.set(person.id, person);
  }
  return { people, schedules, adminsOfTeam, channels: desk.channels };
}

const usersOf = ({ revisions, overrides }: Schedule): readonly string[] => [
  ...revisions.flatMap(({ layers }) => layers.flatMap(({ users }) => users.filter(isSomeone))),
  ...overrides.map(({ user_id }) => user_id),
];

const isSomeone = (user: string | null) => user !== null;

async function readRotas({ sql }: Desk, one: Needed, now: Temporal.Instant) {
  const { organization_id: organizationId, scheduleIds } = one;
  const found = await readSchedules(sql, { organizationId, ids: [...scheduleIds], since: now });
  return [...found.values()].map(({ id, name, archived, history }): [string, Rota] => [
    id,
    { name, archived, schedule: scheduleAsOf(history) },
  ]);
}

/** Owners and admins among the team's users, else all owners. */
async function readAdmins({ sql }: Desk, one: Needed): Promise<ReadonlyMap<string, string[]>> {
  const teams = [...one.teamIds];
  if (teams.length === 0) return new Map();
  const [rows, owners] = await Promise.all([
    sql<AdminRow[]>`
      select m.team_id, m.user_id from team_members m
      join users u on u.organization_id = m.organization_id and u.id = m.user_id
      where m.organization_id = ${one.organization_id} and m.team_id = any(${teams})
        and u.active and u.role in ('owner', 'admin')
      order by m.team_id, m.position, m.user_id`,
    sql<{ id: string }[]>`
      select id from users
      where organization_id = ${one.organization_id} and active and role = 'owner' order by id`,
  ]);
  return new Map(
    teams.map((team) => {
      const own = rows.filter((row) => row.team_id === team).map((row) => row.user_id);
      return [team, own.length > 0 ? own : owners.map((owner) => owner.id)];
    }),
  );
}

/** These, and in the same breath whoever may have to be told when they cannot be paged. */
async function readPeople(
  { sql }: Desk,
  organizationId: string,
  ids: ReadonlySet<string>,
): Promise<readonly Person[]> {
  const sought = [...ids];
  const wanted = sql`organization_id = ${organizationId}
    and (id = any(${sought}) or (active and role in ('owner', 'admin')))`;
  const [people, contacts] = await Promise.all([
    sql<PersonRow[]>`select id, first_name, last_name, email, active from users where ${wanted}`,
    sql<ContactRow[]>`
      select user_id, channel, address from contacts
      where organization_id = ${organizationId} and verified_at is not null
        and user_id in (select id from users where ${wanted})
      order by id`,
  ]);
  const addressesOf = Map.groupBy(contacts, (contact) => contact.user_id);
  return people.map((row) => personOf(row, addressesOf.get(row.id) ?? []));
}

export function personOf(row: PersonRow, contacts: readonly ContactRow[]): Person {
  // The address one signs in with counts as verified; it comes first.
  const addresses: Record<string, string[]> = { email: [row.email] };
  for (const { channel, address } of contacts) {
    const known = addresses[channel] ?? [];
    if (!known.includes(address)) addresses[channel] = [...known, address];
  }
  const name = `${row.first_name} ${row.last_name}`.trim() || row.email;
  return { id: row.id, name, active: row.active, addresses };
}
