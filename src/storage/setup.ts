// How far a new installation is set up.
import { queryLimits } from '../limits/queries.ts';
import type { Queries } from './database.ts';
import { integrationName } from './names.ts';
import { inScope, type Scope } from './records/queries.ts';

/** Of events that people send to try an integration out. */
export const testEventPath = '/test-event';

export type SetupFacts = {
  /** The first one there is. */
  readonly integration: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
  } | null;
  /** The number of the first incident that somebody was paged for; it is among the first of all. */
  readonly incident: number | null;
  readonly hasTool: boolean;
  readonly hasColleague: boolean;
  readonly hasSchedule: boolean;
  /** Of the person: on how many channels they have a verified contact. */
  readonly channels: number;
};

export async function readSetup(
  sql: Queries,
  scope: Scope,
  userId: string | null,
): Promise<SetupFacts> {
  const { organizationId } = scope;
  const own = inScope(sql, scope);
  const [facts] = await sql<[SetupFacts]>`
    select
      (select json_build_object('id', id, 'slug', slug,
          'name', ${integrationName(sql)})
        from integrations where ${own} and archived_at is null order by counter limit 1)
        as integration,
      (select number from (
        select organization_id, team_id, number from incidents
        where organization_id = ${organizationId}
        order by number limit ${queryLimits.incidentsSearched}) as first
        where ${own} order by number limit 1) as incident,
      exists (
        select from integrations i where ${own} and exists (
          select from events e
          where e.organization_id = i.organization_id and e.integration_id = i.id
            and e.path <> ${testEventPath})) as "hasTool",
      (select count(*) > 1 from (
        select from users where organization_id = ${organizationId} and active limit 2) as people)
        as "hasColleague",
      exists (select from oncall_schedules where ${own} and archived_at is null) as "hasSchedule",
      (select count(distinct channel)::integer from contacts
        where organization_id = ${organizationId} and user_id = ${userId}
          and verified_at is not null) as channels`;
  return facts;
}
