// People join and leave a team one by one: who writes the whole list may not know of the others.
import type { Ids } from '../../engine/ids.ts';
import { teamMembersMax } from '../../resources/team.ts';
import type { Sql } from '../database/database.ts';
import { transact } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import { auditTeam, findTeam } from './teams.ts';
import { findUser, lockOrganization } from './users.ts';

type Membership = {
  readonly act: Act;
  readonly ids: Ids;
  /** Of the team. */
  readonly id: string;
  readonly userId: string;
};

export type Joined = 'joined' | 'not_found' | 'archived' | 'unknown_user' | 'too_many';

/** In the order of members a new one comes last. Whoever is in it already stays where they are. */
export function joinTeam(sql: Sql, { act, ids, id, userId }: Membership): Promise<Joined> {
  const { organizationId } = act;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = await findTeam(tx, organizationId, id);
    if (before === null) return 'not_found';
    if (before.archived_at !== undefined) return 'archived';
    if (before.user_ids.includes(userId)) return 'joined';
    if ((await findUser(tx, organizationId, userId)) === null) return 'unknown_user';
    if (before.user_ids.length >= teamMembersMax) return 'too_many';
    await tx`
      insert into team_members (organization_id, team_id, user_id, position)
      select ${organizationId}, ${id}, ${userId}, coalesce(max(position) + 1, 0)
      from team_members where organization_id = ${organizationId} and team_id = ${id}`;
    await auditTeam(tx, { act, ids, action: 'update', id, before });
    return 'joined';
  });
}

/** False: they are not in it, or it is archived. */
export function leaveTeam(sql: Sql, { act, ids, id, userId }: Membership): Promise<boolean> {
  const { organizationId } = act;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = await findTeam(tx, organizationId, id);
    const isMember = before?.archived_at === undefined && before?.user_ids.includes(userId);
    if (!before || !isMember) return false;
    await tx`
      delete from team_members
      where organization_id = ${organizationId} and team_id = ${id} and user_id = ${userId}`;
    await auditTeam(tx, { act, ids, action: 'update', id, before });
    return true;
  });
}
