// Who relies on a channel, for those who are about to learn that nothing serves it any more.
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
  /** Active people with a verified contact on it. */
  readonly people: number;
};

export async function usesOfChannel(
  sql: Queries,
  organizationId: string,
  channel: string,
): Promise<ChannelUses> {
  const policies = await sql<PolicyRow[]>`
    select id, name, team_id, managed_by from escalation_policies
    where organization_id = ${organizationId} and archived_at is null
      and jsonb_path_exists(steps::jsonb, '$[*].targets[*] ? (@.via == $via)',
        jsonb_build_object('via', ${channel}::text))
    order by counter`;
  const [row] = await sql<{ people: number }[]>`
    select count(distinct u.id) as people
    from contacts c join users u on u.organization_id = c.organization_id and u.id = c.user_id
    where c.organization_id = ${organizationId} and c.channel = ${channel}
      and c.verified_at is not null and u.active`;
  return {
    policies: policies.map(({ id, name, team_id, managed_by }) => ({
      kind: 'escalation_policy',
      id,
      name,
      teamId: team_id,
      managedBy: managed_by,
    })),
    people: row?.people ?? 0,
  };
}
