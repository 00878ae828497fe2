import { apiKeyRoutes } from './people/api-keys.ts';
import { auditLogRoutes } from './people/audit-log.ts';
import { contactCodeRoutes } from './people/contact-codes.ts';
import { contactRoutes } from './people/contacts.ts';
import { organizationRoutes } from './people/organization.ts';
import { teamRoutes } from './people/teams.ts';
import { userRoutes } from './people/users.ts';
import type { PeopleParts } from './people/writing.ts';
import type { Route } from './route.ts';

/** Users with their contacts, teams, the organisation, API keys, and who changed what. */
export const peopleRoutes = (parts: PeopleParts): Route[] => [
  ...userRoutes(parts),
  ...contactRoutes(parts),
  ...contactCodeRoutes(parts),
  ...teamRoutes(parts),
  ...organizationRoutes(parts),
  ...apiKeyRoutes(parts),
  ...auditLogRoutes(parts),
];
