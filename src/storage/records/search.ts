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
  /** Or, of a person, deactivated; null: neither. */
  readonly archived: true | null;
};

/** Its name, its team, whether the caller may find it and whether it is in use, as SQL. */
type Kind = { readonly type: string; readonly table: string } & Readonly<
  Record<'name' | 'team' | 'visible' | 'active', Fragment>
>;

type Wanted = { readonly text: string; readonly withArchived?: boolean };

/** Of each kind so many: those in use, those that begin with the text, then by name. */
export async function searchNames(
  sql: Queries,
  scope: Scope,
  { text, withArchived = false }: Wanted,
): Promise<readonly Match[]> {
  const name = sql`name`;
  const active = sql`archived_at is null`;
  const kinds: readonly Kind[] = [
    ...records.map(({ name: type, table }) => ({
      type,
      table,
      name: type === 'integration' ? integrationName(sql, 'searched') : name,
      team: sql`team_id`,
      visible: inScope(sql, scope),
      active,
    })),
    {
      type: 'team',
      table: 'teams',
      name,
      team: sql`id`,
      visible: inScope(sql, scope, 'id'),
      active,
    },
    {
      type: 'user',
      table: 'users',
      name: personName(sql, 'searched'),
      team: sql`null`,
      visible: sql`true`,
      active: sql`active`,
    },
  ];
  const matches = kinds.map(
    ({ type, table, name, team, visible, active }) => sql`(
      select ${type} as type, id, ${name} as name, ${team} as team_id,
        case when not (${active}) then true end as archived,
        not starts_with(lower(${name}), lower(${text})) as is_inner
      from (
        select * from ${sql(table)} where organization_id = ${scope.organizationId}
        order by id desc limit ${queryLimits.namesSearched}
      ) as searched
      where ${visible} ${withArchived ? sql`` : sql`and ${active}`}
        and strpos(lower(${name}), lower(${text})) > 0
      order by archived nulls first, is_inner, lower(${name}), id limit ${queryLimits.searchResults}
    )`,
  );
  return sql<Match[]>`
    select type, id, name, team_id, archived from (${matches.reduce((all, one) => sql`${all} union all ${one}`)}) as matches
    order by archived nulls first, is_inner, lower(name), type, id`;
}
