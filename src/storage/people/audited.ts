// What the audit log may show of people's records: everything but the addresses of chats, for no
// other secret is kept in them.
import { anything, objectOf } from '../../resources/declaration/field.ts';
import { organizationNotifications } from '../../resources/shift-notifications.ts';

const schema = anything('Without secrets.');

export const auditedUser = { kind: 'user', schema } as const;
export const auditedContact = { kind: 'contact', schema } as const;
export const auditedChatAccount = { kind: 'chat_account', schema } as const;
export const auditedTeam = { kind: 'team', schema } as const;
export const auditedOrganization = {
  kind: 'organization',
  schema: objectOf({ shift_notifications: organizationNotifications }),
} as const;
export const auditedKey = { kind: 'api_key', schema } as const;
