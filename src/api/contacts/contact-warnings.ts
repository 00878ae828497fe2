// People whom a policy pages by a channel on which they have no contact, or none that can be used.
import { personalChannels } from '../../resources/channels.ts';
import { noContact } from '../../resources/contact-states.ts';
import { listConnections } from '../../storage/connections/connections.ts';
import type { Queries } from '../../storage/database/database.ts';
import {
  listContactsOf,
  type VerifiedChannels,
  verifiedChannels,
} from '../../storage/people/contacts.ts';
import { usableChannels } from './channels.ts';
import { connectionProblems } from './contact-problems.ts';

export type NamedPerson = {
  readonly path: string;
  readonly userId: string;
  readonly via: string;
};

type Parts = {
  readonly sql: Queries;
  readonly channels: ReadonlyMap<string, unknown>;
  readonly publicUrl: string;
};

/** Each person and channel once. Of a channel that is not set up another warning tells. */
export async function contactWarnings(
  { sql, channels, publicUrl }: Parts,
  organizationId: string,
  named: readonly NamedPerson[],
): Promise<readonly string[]> {
  const personal = named.filter(({ via }) => personalChannels.some((channel) => channel === via));
  if (personal.length === 0) return [];
  const usable = await usableChannels(sql, channels, organizationId);
  const userIds = [...new Set(personal.map(({ userId }) => userId))];
  const [people, contacts, connections] = await Promise.all([
    verifiedChannels(sql, organizationId, userIds),
    listContactsOf(sql, { organizationId, userIds }),
    listConnections(sql, { organizationId, archived: false }),
  ]);
  const problemOf = connectionProblems(connections, publicUrl);
  const warned = new Map<string, string>();
  for (const { path, userId, via } of personal) {
    const person = people.get(userId);
    const key = `${userId} ${via}`;
    if (person === undefined || !usable.has(via) || warned.has(key)) continue;
    const problems = contacts
      .filter((one) => one.user_id === userId && one.channel === via && one.verified)
      .map(problemOf);
    const why = reasonAgainst(person, via, problems);
    if (why !== null) warned.set(key, `${path} pages nobody today: ${why}`);
  }
  return [...warned.values()];
}

function reasonAgainst(
  { name, channels, lost }: VerifiedChannels,
  via: string,
  problems: readonly (string | null)[],
): string | null {
  if (!channels.has(via)) return `${name} has ${noContact(via, lost[via])}.`;
  const [problem] = problems;
  if (!problem || problems.includes(null)) return null;
  return `no ${via} contact of ${name} can be used. ${problem}`;
}
