// What changed of organisations, for those who follow it: which records and incidents, never what is
// in them.
import type { Queries } from '../database/database.ts';

/** That something changed. */
export type Hint = {
  readonly type: string;
  readonly id: string;
  /** Null: it is of no team. */
  readonly team_id: string | null;
  readonly version: number;
};

/** The changes of one organisation after that version of its configuration. */
export type FollowedConfiguration = { readonly organizationId: string; readonly version: number };

export type ChangedRecords = {
  /** Of the configuration as it was read. */
  readonly version: number;
  readonly hints: readonly Hint[];
  /** There were more changes than were to be read. */
  readonly isMore: boolean;
};

type Followed = { readonly type: string; readonly table: string; readonly team: string };

/** By the kinds that triggers note (migrations/0022-configuration.sql). */
const followed: Readonly<Record<string, Followed>> = {
  organization: { type: 'organization', table: 'organizations', team: 'null' },
  service: { type: 'service', table: 'services', team: 'r.team_id' },
  policy: { type: 'escalation_policy', table: 'escalation_policies', team: 'r.team_id' },
  integration: { type: 'integration', table: 'integrations', team: 'r.team_id' },
  webhook: { type: 'outbound_webhook', table: 'outbound_webhooks', team: 'r.team_id' },
  rule: { type: 'alert_routing_rule', table: 'alert_routing_rules', team: 'r.team_id' },
  playbook: { type: 'playbook', table: 'playbooks', team: 'r.team_id' },
  schedule: { type: 'oncall_schedule', table: 'oncall_schedules', team: 'r.team_id' },
  person: { type: 'user', table: 'users', team: 'null' },
  team: { type: 'team', table: 'teams', team: 'r.id' },
};

export const hintTypes = ['incident', ...Object.values(followed).map(({ type }) => type)];

const records = Object.entries(followed)
  .map(
    ([kind, { type, table, team }]) => `
      select '${type}' as type, ${team}::text as team_id, r.version from ${table} r
      where c.kind = '${kind}' and r.id = c.record_id
        ${table === 'organizations' ? '' : 'and r.organization_id = c.organization_id'}`,
  )
  .join(' union all ');

/** The version of an organisation's configuration now. */
export async function configurationVersion(sql: Queries, organizationId: string): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    select version from configuration_versions where organization_id = ${organizationId}`;
  return row?.version ?? 0;
}

/** By organisation; those of which nothing changed are absent. */
export async function changedRecords(
  sql: Queries,
  configurations: readonly FollowedConfiguration[],
  limit: number,
): Promise<ReadonlyMap<string, ChangedRecords>> {
  type Row = Hint & { organization_id: string; newest: number };
  const rows = await sql<(Row | (Row & { type: null }))[]>`
    select c.organization_id, c.newest, r.type, c.record_id as id, r.team_id, r.version
    from unnest(${configurations.map((one) => one.organizationId)}::text[],
      ${configurations.map((one) => one.version)}::bigint[]) as f(organization_id, version)
    cross join lateral (
      select c.organization_id, c.kind, c.record_id, v.version as newest
      from configuration_changes c
      join configuration_versions v on v.organization_id = c.organization_id
      where c.organization_id = f.organization_id and c.version > f.version
      order by c.version, c.kind, c.record_id limit ${limit + 1}
    ) c
    left join lateral (${sql.unsafe(records)}) r on true`;
  return grouped(rows, ({ newest }, all) => ({
    version: newest,
    // Of what is gone there is nothing to read anew.
    hints: all.filter(({ type }) => type !== null),
    isMore: all.length > limit,
  }));
}

export type ChangedIncident = { readonly organizationId: string; readonly id: string };

/** Incidents as they are now, by organisation. */
export async function incidentHints(
  sql: Queries,
  incidents: readonly ChangedIncident[],
): Promise<ReadonlyMap<string, readonly Hint[]>> {
  // Both only grow, and every change that anybody can see is in one of them.
  const rows = await sql<(Hint & { organization_id: string })[]>`
    select i.organization_id, 'incident' as type, i.id, i.team_id,
      coalesce(h.entries, 0) + i.suppressed_count as version
    from unnest(${incidents.map((one) => one.organizationId)}::text[],
      ${incidents.map((one) => one.id)}::text[]) as c(organization_id, id)
    join incidents i on i.organization_id = c.organization_id and i.id = c.id
    left join timeline_heads h on h.organization_id = i.organization_id and h.incident_id = i.id`;
  return grouped(rows, (_row, hints) => hints);
}

type OfOrganization = Hint & { readonly organization_id: string };

function grouped<Row extends OfOrganization, T>(
  rows: readonly Row[],
  made: (row: Row, hints: readonly Hint[]) => T,
): ReadonlyMap<string, T> {
  const groups = new Map<string, T>();
  for (const [organizationId, own] of Map.groupBy(rows, (row) => row.organization_id)) {
    const hints = own.map(({ type, id, team_id, version }) => ({ type, id, team_id, version }));
    const [first] = own;
    if (first !== undefined) groups.set(organizationId, made(first, hints));
  }
  return groups;
}
