// Who somebody in Teams is, as the roster of the conversation has them.
import type { ConfirmedEmail } from '../../replies/inbound.ts';
import { channelOfConversation } from './channel.ts';
import type { TeamsClient } from './client.ts';
import { teamsFaultOf } from './failure.ts';
import type { TeamsPerson } from './read.ts';

type Lookup = {
  readonly person: TeamsPerson;
  readonly conversation: string;
  readonly tenantId: string;
};

/**
 * The e-mail address that the tenant’s directory has of a member; null: they are none, or have none. Guests bring
 * an address of elsewhere, which the tenant vouches for by nothing.
 */
export async function confirmedEmail(
  client: TeamsClient,
  { person, conversation, tenantId }: Lookup,
): Promise<ConfirmedEmail> {
  const member = await client.member(channelOfConversation(conversation), person.memberId);
  if (!member.ok) {
    const { blame, reason } = teamsFaultOf(member.failure);
    return blame === 'contact' ? { email: null } : { unsaid: reason };
  }
  const { result } = member;
  const isMember =
    result.aadObjectId === person.objectId &&
    result.tenantId === tenantId &&
    !/guest|anonymous/i.test(result.role) &&
    result.userPrincipalName !== '' &&
    !/#EXT#/i.test(result.userPrincipalName);
  return { email: isMember ? result.email : null };
}
