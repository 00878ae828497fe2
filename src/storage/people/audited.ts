// What the audit log may show of people's records: everything, for no secret is kept in them.
import { anything } from '../../resources/field.ts';

const schema = anything('Without secrets.');

export const auditedUser = { kind: 'user', schema } as const;
export const auditedContact = { kind: 'contact', schema } as const;
export const auditedTeam = { kind: 'team', schema } as const;
export const auditedOrganization = { kind: 'organization', schema } as const;
export const auditedKey = { kind: 'api_key', schema } as const;
