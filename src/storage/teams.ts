import type { Queries } from './database.ts';
import { inScope, type Scope } from './records/queries.ts';

/** A team that records can be made in. */
export type ActiveTeam = {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
};

/** The active teams that the caller may touch. */
export function activeTeams(sql: Queries, scope: Scope): Promise<readonly ActiveTeam[]> {
  return sql<ActiveTeam[]>`
    select id, name, is_default as "isDefault" from teams
    where ${inScope(sql, scope, 'id')} and archived_at is null order by id`.execute();
}
