// Who was invited and has not set a password yet.
import type { Queries } from '../database/database.ts';

export type Invited = {
  readonly user_id: string;
  /** Of the last invitation, as far as the audit log has it. */
  readonly invited_at: Temporal.Instant | null;
  readonly invited_by: string | null;
  /** Of its link; null: it has ended. */
  readonly expires_at: Temporal.Instant | null;
};

type Of = { readonly organizationId: string; readonly userIds: readonly string[] };

/** Of these people, the active ones without a password, invited or not. */
export const listInvited = (sql: Queries, { organizationId, userIds }: Of): Promise<Invited[]> =>
  sql<Invited[]>`
    select u.id as user_id, e.at as invited_at, e.actor->>'name' as invited_by, l.expires_at
    from users u
    left join password_links l on l.organization_id = u.organization_id and l.user_id = u.id
      and l.purpose = 'invitation'
    left join lateral (
      select at, actor from audit_log
      where organization_id = u.organization_id and record_id = u.id and action = 'invite'
      order by sequence desc limit 1
    ) e on true
    where u.organization_id = ${organizationId} and u.id = any(${[...userIds]}) and u.active
      and not exists (
        select from auth_accounts a where a.user_id = u.id and a.provider_id = 'credential')`;
