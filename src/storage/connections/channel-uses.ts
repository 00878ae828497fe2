// Who relies on a channel, for those who are about to learn that nothing serves it any more.
import { queryLimits } from '../../limits/queries.ts';
import { personName } from '../../resources/person-name.ts';
import type { Queries } from '../database/database.ts';
import type { Use } from '../records/record-hooks.ts';

type PolicyRow = {
  readonly id: string;
  readonly name: string;
  readonly team_id: string | null;
  readonly managed_by: Use['managedBy'];
};

export type ChannelUses = {
  /** Active policies with a step that pages by it. */
  readonly policies: readonly Use[];
  /** Active people with a verified contact on it: the first of them, and how many they are. */
  readonly people: { readonly names: readonly string[]; readonly count: number };
};

type Lost = {
  readonly channel: string;
  /** It posts to webhooks without a connection. */
  readonly isRoom: boolean;
};

export async function usesOfChannel(
  sql: Queries,
  organizationId: string,
  { channel, isRoom }: Lost,
): Promise<ChannelUses> {
  const target = isRoom
    ? '@.via == $via && exists(@.channel_id) && !exists(@.webhook_url)'
    : '@.via == $via';
  const policies = await sql<PolicyRow[]>`
    select id, name, team_id, managed_by from escalation_policies
    where organization_id = ${organizationId} and archived_at is null
      and jsonb_path_exists(steps::jsonb, ${`$[*].targets[*] ? (${target})`}::jsonpath,
        jsonb_build_object('via', ${channel}::text))
    order by counter`;
  const people = await sql<{ first_name: string; last_name: string; count: number }[]>`
    select u.first_name, u.last_name, count(*) over ()::integer as count
    from users u
    where u.organization_id = ${organizationId} and u.active and exists (
      select from contacts c
      where c.organization_id = u.organization_id and c.user_id = u.id and c.channel = ${channel}
        and c.verified_at is not null)
    order by u.id limit ${queryLimits.usesNamed}`;
  return {
    policies: policies.map(({ id, name, team_id, managed_by }) => ({
      kind: 'escalation_policy',
      id,
      name,
      teamId: team_id,
      managedBy: managed_by,
    })),
    people: { names: people.map(personName), count: people[0]?.count ?? 0 },
  };
}
