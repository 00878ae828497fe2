/** What people and API keys may do, from the least to the most allowed. */
export const roles = ['viewer', 'responder', 'manager', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export const isRole = (value: unknown): value is Role =>
  (roles as readonly unknown[]).includes(value);

/** Who may acknowledge, resolve and so on. */
export const incidentRole: Role = 'responder';

export const mayAct = (caller: { readonly role: Role }, needed: Role): boolean =>
  roles.indexOf(caller.role) >= roles.indexOf(needed);

/** Those who look after a team or an organization, and are notified of what nobody else heard. */
export const adminRoles: readonly string[] = ['admin', 'owner'] satisfies Role[];
