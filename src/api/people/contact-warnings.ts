// People whom a policy pages by a channel on which they have no contact.
import { personalChannels } from '../../resources/channels.ts';
import { noContact } from '../../resources/contact-states.ts';
import type { Queries } from '../../storage/database.ts';
import { verifiedChannels } from '../../storage/people/contacts.ts';
import { usableChannels } from './channels.ts';

export type NamedPerson = {
  readonly path: string;
  readonly userId: string;
  readonly via: string;
};

type Parts = { readonly sql: Queries; readonly channels: ReadonlyMap<string, unknown> };

/** Each person and channel once. Of a channel that is not set up another warning tells. */
export async function contactWarnings(
  { sql, channels }: Parts,
  organizationId: string,
  named: readonly NamedPerson[],
): Promise<readonly string[]> {
  const personal = named.filter(({ via }) => personalChannels.some((channel) => channel === via));
  if (personal.length === 0) return [];
  const usable = await usableChannels(sql, channels, organizationId);
  const userIds = [...new Set(personal.map(({ userId }) => userId))];
  const people = await verifiedChannels(sql, organizationId, userIds);
  const warned = new Map<string, string>();
  for (const { path, userId, via } of personal) {
    const person = people.get(userId);
    const key = `${userId} ${via}`;
    if (person === undefined || !usable.has(via) || person.channels.has(via) || warned.has(key))
      continue;
    warned.set(
      key,
      `${path} pages nobody today: ${person.name} has ${noContact(via, person.lost[via])}.`,
    );
  }
  return [...warned.values()];
}
