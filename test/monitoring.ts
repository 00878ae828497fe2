// What alerts meet, written straight into the tables: a service, policies, schedules, integrations.
import { randomBytes } from 'node:crypto';
import type { Step } from '../src/resources/escalation-policy.ts';
import type { PlaybookFields } from '../src/resources/playbook.ts';
import type { Rule } from '../src/rules/match-rule.ts';
import { type Sql, transact } from '../src/storage/database/database.ts';
import { anchorsOf } from '../src/storage/oncall/layers.ts';
import { createOverrides } from '../src/storage/oncall/overrides.ts';
import { rowContext } from '../src/storage/sealed/sealed-columns.ts';
import type { Secrets } from '../src/storage/sealed/secrets.ts';
import { dailyTurns } from './daily-turns.ts';

type Scope = {
  readonly organizationId: string;
  readonly teamId: string;
  readonly now: Temporal.Instant;
};

export type IntegrationFields = {
  readonly steps: readonly Step[];
  readonly delayMinutes?: number;
  readonly repeats?: boolean;
  readonly ackTimeoutMinutes?: number;
  readonly grouping?: { readonly by: string[] };
  readonly resolveWhenQuiet?: {
    readonly after: number;
    readonly unit: 'minutes' | 'hours' | 'days';
  };
  readonly autoResolve?: { readonly after: number; readonly unit: 'minutes' | 'hours' | 'days' };
  readonly disableSuppression?: boolean;
  /** Whose events it reads; `webhook` unless said. */
  readonly slug?: string;
};

export type Integration = {
  readonly id: string;
  readonly slug: string;
  readonly serviceId: string;
  readonly policyId: string;
};

const newId = () => randomBytes(12).toString('hex');
let counter = 0;

const recordOf = ({ organizationId, teamId, now }: Scope) => {
  counter += 1;
  return {
    organization_id: organizationId,
    id: newId(),
    counter,
    version: 1,
    team_id: teamId,
    created_at: now,
    updated_at: now,
  };
};

export async function seedIntegration(
  sql: Sql,
  scope: Scope,
  fields: IntegrationFields,
): Promise<Integration> {
  const service = { ...recordOf(scope), name: 'Shop' };
  const policy = {
    ...recordOf(scope),
    name: 'Ops',
    // The driver's type of JSON does not know read-only lists.
    steps: sql.json(fields.steps as never),
    delay_minutes: fields.delayMinutes ?? null,
  };
  const integration = {
    ...recordOf(scope),
    slug: fields.slug ?? 'webhook',
    name: 'Checks',
    service_id: service.id,
    escalation_policy_id: policy.id,
    ack_timeout_minutes: fields.ackTimeoutMinutes ?? null,
    repeat_escalation: fields.repeats ?? false,
    auto_resolve: fields.autoResolve ? sql.json(fields.autoResolve) : null,
    // Databases of an earlier release have no such columns.
    ...(fields.grouping && { grouping: sql.json(fields.grouping) }),
    ...(fields.resolveWhenQuiet && { resolve_when_quiet: sql.json(fields.resolveWhenQuiet) }),
    disable_incident_suppression: fields.disableSuppression ?? false,
    enabled: true,
    token_encrypted: 'sealed',
    token_digest: randomBytes(32),
  };
  await sql`insert into services ${sql(service)}`;
  await sql`insert into escalation_policies ${sql(policy)}`;
  await sql`insert into integrations ${sql(integration)}`;
  const { id, slug } = integration;
  return { id, slug, serviceId: service.id, policyId: policy.id };
}

export type RuleFields = Pick<Rule, 'actions'> & Partial<Rule>;

/** A rule that matches everything, unless it is given conditions. Answers its id. */
export async function seedRule(sql: Sql, scope: Scope, fields: RuleFields): Promise<string> {
  const { condition_groups = [{ conditions: [{ type: 'allIncidents' }] }] } = fields;
  const rule = {
    ...recordOf(scope),
    name: fields.name ?? 'Rule',
    // The driver's type of JSON does not know read-only lists.
    condition_groups: sql.json(condition_groups as never),
    actions: sql.json(fields.actions as never),
    integration_ids: fields.integration_ids ? sql.json(fields.integration_ids) : null,
    service_ids: fields.service_ids ? sql.json(fields.service_ids) : null,
    enabled: true,
  };
  await sql`insert into alert_routing_rules ${sql(rule)}`;
  return rule.id;
}

type SealedUrl = { readonly secrets: Secrets; readonly url: string };

/** An outbound webhook by POST; answers its id. */
export async function seedWebhook(
  sql: Sql,
  scope: Scope,
  { secrets, url }: SealedUrl,
): Promise<string> {
  const settings = { name: 'Status page', method: 'POST', content_type: 'json' };
  const record = recordOf(scope);
  const at = rowContext('outbound_webhooks.url', record.organization_id, record.id);
  const webhook = { ...record, ...settings, url: secrets.seal(url, at) };
  await sql`insert into outbound_webhooks ${sql(webhook)}`;
  return webhook.id;
}

export type SeededPlaybookFields = Pick<PlaybookFields, 'name' | 'actions'> &
  Partial<PlaybookFields>;

/** Answers its id. */
export async function seedPlaybook(
  sql: Sql,
  scope: Scope,
  fields: SeededPlaybookFields,
): Promise<string> {
  const { run_automatically, condition_groups } = fields;
  const playbook = {
    ...recordOf(scope),
    name: fields.name,
    actions: sql.json(fields.actions as never),
    run_automatically: run_automatically ? sql.json(run_automatically) : null,
    condition_groups: condition_groups ? sql.json(condition_groups as never) : null,
    enabled: fields.enabled ?? true,
  };
  await sql`insert into playbooks ${sql(playbook)}`;
  return playbook.id;
}

/** One layer of daily turns, the first user's now. */
export async function seedSchedule(
  sql: Sql,
  scope: Scope,
  users: readonly (string | null)[],
): Promise<string> {
  const { organizationId: organization_id, now } = scope;
  const [revision] = dailyTurns(users, { from: now }).revisions;
  const { timezone, layers = [] } = revision ?? {};
  const columns = {
    timezone,
    layers: sql.json(layers.map(({ users, rotation }) => ({ users, rotation })) as never),
    anchors: sql.json(anchorsOf(layers) as never),
  };
  const schedule = { ...recordOf(scope), name: 'Rota', ...columns };
  const oncall_schedule_id = schedule.id;
  const number = { number: 1, edit: 1, in_force_from: now, archived: false };
  const cursor = { edits: 1, seen_edits: 1, edited_at: now, advanced_to: now, wake_at: now };
  const of = { organization_id, oncall_schedule_id };
  await transact(sql, async (tx) => {
    await tx`insert into oncall_schedules ${tx(schedule)}`;
    await tx`insert into schedule_revisions ${tx({ ...of, ...number, ...columns })}`;
    await tx`insert into shift_cursors ${tx({ ...of, ...cursor })}`;
  });
  return oncall_schedule_id;
}

type OverrideFields = {
  readonly scheduleId: string;
  readonly userId: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
};

/** Somebody stands in, decided now. */
export async function seedOverride(
  sql: Sql,
  { organizationId, now }: Scope,
  { scheduleId: schedule, userId: user_id, start, end }: OverrideFields,
): Promise<string> {
  const actor = { kind: 'session', id: user_id, name: 'Eve' };
  const act = { organizationId, teamIds: null, actor, requestId: null, now };
  const decide = async () => [{ user_id, start: `${start}`, end: `${end}` }];
  const ids = { next: newId };
  const made = await createOverrides({ sql, ids }, { act, schedule, decide });
  if (typeof made === 'string') throw new Error(`no override was made: ${made}`);
  return made[0]?.id ?? '';
}
