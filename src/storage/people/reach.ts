// Active people by the names that operators know them by, and where a page to them goes.
import { deviceChannel, signInChannel } from '../../resources/channels.ts';
import type { Queries } from '../database/database.ts';
import { personName } from '../records/names.ts';
import { inOrder } from './contacts.ts';
import type { Person } from './sign-ins.ts';

export type ReachablePerson = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly organization: { readonly id: string; readonly name: string };
  /** The address of each channel that a page uses; the first verified one. Browsers are left out. */
  readonly addresses: ReadonlyMap<string, string>;
};

type PersonRow = Omit<ReachablePerson, 'addresses'> & {
  readonly contacts: readonly { readonly channel: string; readonly address: string }[] | null;
};

/** By e-mail address or full name; upper and lower case count as the same. */
export async function findReachable(
  sql: Queries,
  nameOrEmail: string,
): Promise<readonly ReachablePerson[]> {
  const rows = await sql<PersonRow[]>`
    select u.id, ${personName(sql, 'u')} as name, u.email,
      json_build_object('id', o.id, 'name', o.name) as organization, (
        select json_agg(json_build_object('channel', c.channel, 'address', c.address)
          order by ${inOrder(sql)})
        from contacts c
        where c.organization_id = u.organization_id and c.user_id = u.id
          and c.verified_at is not null and c.channel <> ${deviceChannel}
      ) as contacts
    from users u join organizations o on o.id = u.organization_id
    where u.active and lower(${nameOrEmail}) in
      (lower(u.email), lower(${personName(sql, 'u')}))
    order by u.email limit 20`;
  return rows.map(({ contacts, ...person }) => {
    const addresses = new Map<string, string>();
    for (const { channel, address } of contacts ?? [])
      if (!addresses.has(channel)) addresses.set(channel, address);
    // The address that the person signs in with counts as verified.
    if (!addresses.has(signInChannel)) addresses.set(signInChannel, person.email);
    return { ...person, addresses };
  });
}

/** Names and e-mail addresses of active people, to suggest one for a misspelt name. */
export async function knownNames(sql: Queries): Promise<readonly string[]> {
  const rows = await sql<{ name: string; email: string }[]>`
    select ${personName(sql)} as name, email from users
    where active order by id limit 1000`;
  return rows.flatMap(({ name, email }) => [name, email]);
}

/** Addresses of active people, to suggest one for a misspelt address. */
export async function activeEmails(sql: Queries): Promise<readonly string[]> {
  const rows = await sql<{ email: string }[]>`
    select lower(email) as email from users where active order by email limit 1000`;
  return rows.map(({ email }) => email);
}

export const activeOwners = (sql: Queries, organizationId: string): Promise<Person[]> =>
  sql<Person[]>`
    select organization_id, id, first_name, last_name, email, role from users
    where organization_id = ${organizationId} and role = 'owner' and active order by id`;
