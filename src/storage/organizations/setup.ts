// How far a new installation is set up.
import { testEventPath } from '../../engine/intake/arrival.ts';
import { pageKinds } from '../../incidents/incident.ts';
import { queryLimits } from '../../limits/queries.ts';
import { mailChannel } from '../../resources/channels.ts';
import type { Queries } from '../database/database.ts';
import { integrationName } from '../records/names.ts';
import { inScope, type Scope } from '../records/queries.ts';

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
  readonly hasZone: boolean;
  /** Whether a page reached the person, or they answered a test page; of a key, whether one reached anybody. */
  readonly wasPaged: boolean;
};

type SetupReader = {
  /** Null: a key. */
  readonly userId: string | null;
  /** Otherwise e-mail is only written to a folder, which reaches nobody. */
  readonly hasMailServer: boolean;
};

export async function readSetup(
  sql: Queries,
  scope: Scope,
  { userId, hasMailServer }: SetupReader,
): Promise<SetupFacts> {
  const { organizationId } = scope;
  const own = inScope(sql, scope);
  const isReal = sql`(channel <> ${mailChannel} or ${hasMailServer})`;
  const ofPerson = userId === null ? sql`user_id is not null` : sql`user_id = ${userId}`;
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
          select from (
            select outcome from events e
            where e.organization_id = i.organization_id and e.integration_id = i.id
              and e.path <> ${testEventPath}
            order by id desc limit ${queryLimits.attentionSearched}) as latest
          where outcome not in ('unreadable', 'dropped'))) as "hasTool",
      (select count(*) > 1 from (
        select from users u where organization_id = ${organizationId} and active and (
          exists (select from auth_accounts a where a.user_id = u.id and a.password is not null)
          or exists (
            select from passkeys p
            where p.organization_id = u.organization_id and p.user_id = u.id))
        limit 2) as people) as "hasColleague",
      exists (
        select from escalation_policies p where ${own} and archived_at is null and exists (
          select from jsonb_path_query(p.steps::jsonb, '$[*].targets[*].oncall_schedule_id') as named
          join oncall_schedules s on s.organization_id = p.organization_id
            and s.id = named #>> '{}' and s.archived_at is null
          -- One person alone takes no turns.
          where (select count(distinct person) > 1
            from jsonb_array_elements(s.layers::jsonb) as layer,
              jsonb_array_elements_text(layer -> 'users') as person))) as "hasSchedule",
      (select timezone_chosen or timezone <> 'Etc/UTC' from organizations
        where id = ${organizationId}) as "hasZone",
      exists (
        select from outbox
        where organization_id = ${organizationId} and ${ofPerson} and incident_id is not null
          and kind = any(${[...pageKinds]}) and state = 'sent' and ${isReal})
      or exists (
        select from contacts c
        join contact_proofs f on f.organization_id = c.organization_id and f.contact_id = c.id
        where c.organization_id = ${organizationId} and ${ofPerson} and ${isReal}
          -- To verify a contact, its person answers a code, which is not a page.
          and f.proved_at > c.verified_at) as "wasPaged"`;
  return facts;
}
