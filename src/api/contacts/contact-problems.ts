// Why nothing can be sent to a contact from here, and so how sure it is that a page reaches it.

import { isDeviceChannel, isNumberChannel } from '../../resources/channels.ts';
import { numberProblem } from '../../resources/connections/numbers.ts';
import type { Settings } from '../../resources/connections/vendor.ts';
import { contactReachability } from '../../resources/contact-reachability.ts';
import { isTopicName } from '../../resources/push.ts';
import { listConnections } from '../../storage/connections/connections.ts';
import type { Contact } from '../../storage/people/contacts.ts';
import type { Call } from '../route.ts';
import { type ChannelParts, reasonsAgainst } from './channels.ts';
import { reasonAgainstBrowsers, reasonAgainstTopics } from './push.ts';

type Connections = readonly {
  readonly vendor: string;
  readonly enabled: boolean;
  readonly channels: readonly string[];
  readonly settings: Settings;
}[];

/** Null: something can be sent there. */
export type ProblemOf = (contact: Pick<Contact, 'channel' | 'address'>) => string | null;

export async function contactProblems(
  parts: ChannelParts,
  organizationId: string,
): Promise<ProblemOf> {
  const { sql, publicUrl } = parts;
  const [reasonAgainst, connections] = await Promise.all([
    reasonsAgainst(parts, organizationId),
    listConnections(sql, { organizationId, archived: false }),
  ]);
  const problemOf = connectionProblems(connections, publicUrl);
  return (contact) => reasonAgainst(contact.channel) ?? problemOf(contact);
}

/** Of contacts on a channel that is set up: a connection may serve some of them and not others. */
export function connectionProblems(connections: Connections, publicUrl: string): ProblemOf {
  const ofTopics = reasonAgainstTopics(connections);
  const ofBrowsers = reasonAgainstBrowsers(publicUrl);
  return ({ channel, address }) => {
    if (isNumberChannel(channel)) {
      const problem = numberProblem(connections, channel, address);
      return problem && `The number ${problem.message}.`;
    }
    if (!isDeviceChannel(channel)) return null;
    return isTopicName(address) ? ofTopics : ofBrowsers;
  };
}

/** As clients read them. */
export async function withReachability(
  parts: ChannelParts,
  { caller, now }: Pick<Call, 'caller' | 'now'>,
  contacts: readonly Contact[],
) {
  const problemOf = await contactProblems(parts, caller.organizationId);
  return contacts.map((contact) => {
    const { reachability, reason } = contactReachability(contact, problemOf(contact), now);
    return { ...contact, reachability, ...(reason && { reachability_reason: reason }) };
  });
}

export async function oneWithReachability(
  parts: ChannelParts,
  call: Pick<Call, 'caller' | 'now'>,
  contact: Contact,
) {
  const [shown] = await withReachability(parts, call, [contact]);
  return shown;
}
