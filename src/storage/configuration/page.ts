// The records of one organisation that changed, in the order of their changes, a page at a time.

import type { Fragment } from 'postgres';
import type { Playbook } from '../../incidents/configuration.ts';
import { deviceChannel, signInChannel } from '../../resources/channels.ts';
import type { Rule } from '../../rules/match-rule.ts';
import type { Transaction } from '../database/database.ts';
import { type HistoryRow, historySince } from '../oncall/schedules.ts';
import { inOrder, type LostRow, lostRows } from '../people/contacts.ts';
import { integrationName } from '../records/names.ts';

/** What is null in the database and absent in memory. */
type Nullable<T, K extends keyof T> = Omit<T, K> & { readonly [Key in K]: T[Key] | null };

/** By the kinds that triggers note. */
export type ConfigurationRows = {
  readonly organization: {
    readonly notifications: unknown;
    /** Of its connections that are used. */
    readonly connections: readonly { readonly vendor: string; readonly settings: unknown }[] | null;
  };
  readonly service: { readonly name: string; readonly archived: boolean };
  readonly policy: {
    readonly name: string;
    readonly archived: boolean;
    readonly delay_minutes: number | null;
    readonly steps: unknown;
  };
  readonly integration: {
    readonly team_id: string;
    readonly service_id: string;
    readonly escalation_policy_id: string;
    readonly slug: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly archived: boolean;
    readonly disable_incident_suppression: boolean;
    readonly repeat_escalation: boolean;
    readonly ack_timeout_minutes: number | null;
    readonly auto_resolve: unknown;
    readonly resolve_when_quiet: unknown;
    readonly grouping: unknown;
    readonly mapping: unknown;
    readonly mapping_revision: number;
    readonly former_keys: boolean;
    readonly keys_exchanged_at: string | null;
  };
  readonly webhook: { readonly team_id: string; readonly name: string; readonly archived: boolean };
  /** Only those that are active and enabled. */
  readonly rule: Nullable<
    Required<Omit<Rule, 'id' | 'actions'>>,
    'integration_ids' | 'service_ids'
  > & {
    readonly actions: unknown;
    readonly team_id: string;
    readonly position: number | null;
    readonly counter: number;
  };
  readonly playbook: Nullable<
    Required<Omit<Playbook, 'id' | 'actions' | 'run_automatically'>>,
    'condition_groups'
  > & { readonly actions: unknown; readonly run_automatically: unknown; readonly counter: number };
  readonly schedule: HistoryRow & {
    readonly name: string;
    readonly archived: boolean;
    readonly notifications: unknown;
  };
  readonly person: {
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly active: boolean;
    readonly role: string;
    /** Verified, the oldest first. */
    readonly contacts: readonly { readonly channel: string; readonly address: string }[] | null;
    /** Those that were lost, the last one last. */
    readonly lost: readonly LostRow[] | null;
    /** Whether e-mails to the address that they sign in with came back. */
    readonly is_sign_in_lost: boolean;
    readonly notifications: unknown;
  };
  readonly team: { readonly member_ids: readonly string[] | null };
};

export type Kind = keyof ConfigurationRows;
export type ConfigurationRow<K extends Kind> = ConfigurationRows[K] & { readonly id: string };

/** The place of a change among all of the organisation. */
export type ChangePosition = {
  readonly version: number;
  readonly kind: Kind | '';
  readonly id: string;
};

export type Page = {
  /** Of all that the page, and those before it, tell. */
  readonly version: number;
  readonly changed: readonly ChangePosition[];
  /** Of those that changed, what is there now. */
  readonly rows: { readonly [K in Kind]: readonly ConfigurationRow<K>[] | null };
};

export type PageQuery = {
  readonly organizationId: string;
  readonly after: ChangePosition;
  /** Schedules are read as they are in force from then on. */
  readonly since: Temporal.Instant;
  readonly limit: number;
};

/** One statement, so that all of it is told of one moment. */
export async function readPage(sql: Transaction, query: PageQuery): Promise<Page> {
  const { organizationId: organization, after, since, limit } = query;
  const inOrganization = sql`organization_id = ${organization}`;
  const changedOf = (kind: Kind) => sql`${inOrganization} and id = any(array(
    select record_id from page where kind = ${kind}))`;
  const list = (select: Fragment) => sql`(select json_agg(r) from (${select}) r)`;
  const [row] = await sql<[{ version: number; changed: Page['changed'] | null } & Page['rows']]>`
    with page as materialized (
      select version, kind, record_id from configuration_changes
      where ${inOrganization}
        and (version, kind, record_id) > (${after.version}, ${after.kind}, ${after.id})
      order by version, kind, record_id limit ${limit}
    )
    select
      coalesce((select version from configuration_versions where ${inOrganization}), 0) as version,
      ${list(sql`select version, kind, record_id as id from page
        order by version, kind, record_id`)} as changed,
      ${list(sql`select id, shift_notifications as notifications, (
            select json_agg(json_build_object('vendor', c.vendor, 'settings', c.settings)
              order by c.id) from channel_connections c
            where c.organization_id = o.id and c.enabled and c.archived_at is null
          ) as connections
        from organizations o where id = ${organization}
          and exists (select from page where kind = 'organization')`)} as organization,
      ${list(sql`select id, name, archived_at is not null as archived from services
        where ${changedOf('service')}`)} as service,
      ${list(sql`select id, name, archived_at is not null as archived, delay_minutes, steps
        from escalation_policies where ${changedOf('policy')}`)} as policy,
      ${list(sql`select id, team_id, service_id, escalation_policy_id, slug,
          ${integrationName(sql)} as name, enabled,
          archived_at is not null as archived, disable_incident_suppression, repeat_escalation,
          ack_timeout_minutes, auto_resolve, resolve_when_quiet, grouping, mapping,
          mapping_revision,
          former_keys, keys_exchanged_at
        from integrations where ${changedOf('integration')}`)} as integration,
      ${list(sql`select id, team_id, name, archived_at is not null as archived
        from outbound_webhooks where ${changedOf('webhook')}`)} as webhook,
      ${list(sql`select id, team_id, name, condition_groups, actions, integration_ids, service_ids,
          position, counter
        from alert_routing_rules
        where ${changedOf('rule')} and archived_at is null and enabled`)} as rule,
      ${list(sql`select id, team_id, name, archived_at is not null as archived, enabled, actions,
          run_automatically, condition_groups, counter
        from playbooks where ${changedOf('playbook')}`)} as playbook,
      ${list(sql`select s.id, s.name, s.archived_at is not null as archived,
          ${historySince(sql, since)}, (
            select n.settings from schedule_notifications n
            where n.organization_id = s.organization_id and n.oncall_schedule_id = s.id
          ) as notifications
        from oncall_schedules s where ${changedOf('schedule')}`)} as schedule,
      ${list(sql`select id, first_name, last_name, email, active, role, (
            select json_agg(json_build_object('channel', c.channel, 'address',
                -- Browsers are found when a push is sent: all that the person then has.
                case c.channel when ${deviceChannel} then c.user_id else c.address end
              ) order by ${inOrder(sql)})
            from contacts c
            where c.organization_id = u.organization_id and c.user_id = u.id
              and c.verified_at is not null
          ) as contacts, (
            select ${lostRows(sql)} from contacts c
            where c.organization_id = u.organization_id and c.user_id = u.id
              and c.state is not null
          ) as lost, exists (
            select from contacts c
            where c.organization_id = u.organization_id and c.user_id = u.id
              and c.channel = ${signInChannel} and lower(c.address) = lower(u.email)
              and c.state is not null and c.verified_at is null
          ) as is_sign_in_lost, (
            select n.settings from user_notifications n
            where n.organization_id = u.organization_id and n.user_id = u.id
          ) as notifications
        from users u where ${changedOf('person')}`)} as person,
      ${list(sql`select id, (
            select json_agg(m.user_id order by m.position, m.user_id) from team_members m
            where m.organization_id = t.organization_id and m.team_id = t.id
          ) as member_ids
        from teams t where ${changedOf('team')}`)} as team`;
  const { version, changed, ...rows } = row;
  return { version, changed: changed ?? [], rows };
}
