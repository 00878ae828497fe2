import { channelRoutes } from '../contacts/channels.ts';
import { chatAccountRoutes } from '../contacts/chat-accounts.ts';
import { contactCodeRoutes } from '../contacts/contact-codes.ts';
import { contactTestRoutes } from '../contacts/contact-test.ts';
import { contactRoutes } from '../contacts/contacts.ts';
import { linkCodeRoutes } from '../contacts/link-codes.ts';
import { pushRoutes } from '../contacts/push.ts';
import type { Route } from '../route.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { auditLogRoutes } from './audit-log.ts';
import { factorRoutes } from './factors.ts';
import { invitationRoutes } from './invitations.ts';
import { organizationRoutes } from './organization.ts';
import { ownRoutes } from './own.ts';
import { createOwnerProof } from './owner-proof.ts';
import { pageRoutes } from './pages.ts';
import { passkeyRoutes } from './passkeys.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { sessionRoutes } from './sessions.ts';
import { teamMemberRoutes } from './team-members.ts';
import { teamRoutes } from './teams.ts';
import { userRoutes } from './users.ts';
import { useRoutes } from './uses.ts';
import type { PeopleParts } from './writing.ts';

/** Users with their contacts, teams, the organization, API keys, and who changed what. */
export function peopleRoutes(people: PeopleParts): Route[] {
  const parts = { ...people, proof: createOwnerProof(people) };
  return [
    ...userRoutes(parts),
    ...ownRoutes(parts),
    ...useRoutes(parts),
    ...invitationRoutes(parts),
    ...sessionRoutes(parts),
    ...secondFactorRoutes(parts),
    ...passkeyRoutes(parts),
    ...factorRoutes(parts),
    ...contactRoutes(parts),
    ...contactCodeRoutes(parts),
    ...contactTestRoutes(parts),
    ...pageRoutes(parts),
    ...pushRoutes(parts),
    ...linkCodeRoutes(parts),
    ...chatAccountRoutes(parts),
    ...teamRoutes(parts),
    ...teamMemberRoutes(parts),
    ...organizationRoutes(parts),
    ...channelRoutes(parts),
    ...apiKeyRoutes(parts),
    ...auditLogRoutes(parts),
  ];
}
