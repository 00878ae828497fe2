// Records, teams and people by a part of their names.
import type { Fragment } from 'postgres';
import { queryLimits } from '../../limits/queries.ts';
import { records } from '../../resources/index.ts';
import type { Queries } from '../database/database.ts';
import { integrationName, personName } from './names.ts';
import { inScope, type Scope } from './queries.ts';

export type Match = {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly team_id: string | null;
};

/** Its name, its team and whether the caller may find it, as expressions of SQL. */
type Kind = { readonly type: string; readonly table: string } & Readonly<
  Record<'name' | 'team' | 'visible', Fragment>
>;

/** Of each kind so many: those that begin with the text first, then by name. */
export async function searchNames(
  sql: Queries,
  scope: Scope,
  text: string,
): Promise<readonly Match[]> {
  const name = sql`name`;
  const kinds: readonly Kind[] = [
    ...records.map(({ name: type, table }) => ({
      type,
      table,
      name: type === 'integration' ? integrationName(sql, 'searched') : name,
      team: sql`team_id`,
      visible: sql`${inScope(sql, scope)} and archived_at is null`,
    })),
    {
      type: 'team',
      table: 'teams',
      name,
      team: sql`id`,
      visible: sql`${inScope(sql, scope, 'id')} and archived_at is null`,
    },
    {
      type: 'user',
      table: 'users',
      name: personName(sql, 'searched'),
      team: sql`null`,
      visible: sql`active`,
    },
  ];
  const matches = kinds.map(
    ({ type, table, name, team, visible }) => sql`(
      select ${type} as type, id, ${name} as name, ${team} as team_id,
        not starts_with(lower(${name}), lower(${text})) as is_inner
      from (
        select * from ${sql(table)} where organization_id = ${scope.organizationId}
        order by id desc limit ${queryLimits.namesSearched}
      ) as searched
      where ${visible} and strpos(lower(${name}), lower(${text})) > 0
      order by is_inner, lower(${name}), id limit ${queryLimits.searchResults}
    )`,
  );
  return sql<Match[]>`
    select type, id, name, team_id from (${matches.reduce((all, one) => sql`${all} union all ${one}`)}) as matches
    order by is_inner, lower(name), type, id`;
}
