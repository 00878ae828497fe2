// Whose pages somebody may read.
import { mayAct } from '../../resources/roles.ts';
import type { Sql } from '../../storage/database/database.ts';
import type { PageReader } from '../../storage/incidents/pages.ts';
import { findUser } from '../../storage/people/users.ts';
import { Refusal } from '../failures.ts';
import type { Caller } from '../route.ts';

/** As routes describe it. */
export const seenPages =
  'People see their own pages. Managers also see those about incidents of their teams, and admins see all. API keys need the role manager, and see those of their teams.';

/** Only people have pages of their own. */
export async function pageReaderOf(sql: Sql, caller: Caller): Promise<PageReader> {
  const isManager = mayAct(caller, 'manager');
  if (caller.kind === 'key') {
    if (!isManager)
      throw new Refusal('forbidden', { message: 'API keys need the role manager or above.' });
    return { userId: null, teamIds: caller.teamIds };
  }
  if (mayAct(caller, 'admin')) return { userId: null, teamIds: null };
  const person = isManager ? await findUser(sql, caller.organizationId, caller.id) : null;
  return { userId: caller.id, teamIds: person?.team_ids ?? [] };
}
