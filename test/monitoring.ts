// What alerts meet, written straight into the tables: a service, policies, schedules, integrations.
import { randomBytes } from 'node:crypto';
import type { Step } from '../src/resources/escalation-policy.ts';
import type { PlaybookFields } from '../src/resources/playbook.ts';
import type { Rule } from '../src/rules/rule.ts';
import { type Sql, transact } from '../src/storage/database.ts';
import { anchorsOf } from '../src/storage/oncall/layers.ts';
import { createOverride } from '../src/storage/oncall/overrides.ts';
import { rowContext } from '../src/storage/sealed/sealed-columns.ts';
import type { Secrets } from '../src/storage/secrets.ts';
import { dailyTurns } from './daily-turns.ts';

type Place = {
  readonly organizationId: string;
  readonly teamId: string;
  readonly now: Temporal.Instant;
};

export type IntegrationFields = {
  readonly steps: readonly Step[];
  readonly delayMinutes?: number;
  readonly repeats?: boolean;
  readonly ackTimeoutMinutes?: number;
  readonly autoResolve?: { readonly after: number; readonly unit: 'minutes' | 'hours' | 'days' };
  readonly disableSuppression?: boolean;
};

export type Integration = {
  readonly id: string;
  readonly serviceId: string;
  readonly policyId: string;
};

const newId = () => randomBytes(12).toString('hex');
let counter = 0;

const recordOf = ({ organizationId, teamId, now }: Place) => {
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
  place: Place,
  given: IntegrationFields,
): Promise<Integration> {
  const service = { ...recordOf(place), name: 'Shop' };
  const policy = {
    ...recordOf(place),
    name: 'Ops',
    // The driver's type of JSON does not know read-only lists.
    steps: sql.json(given.steps as never),
    delay_minutes: given.delayMinutes ?? null,
  };
  const integration = {
    ...recordOf(place),
    slug: 'webhook',
    name: 'Checks',
    service_id: service.id,
    escalation_policy_id: policy.id,
    ack_timeout_minutes: given.ackTimeoutMinutes ?? null,
    repeat_escalation: given.repeats ?? false,
    auto_resolve: given.autoResolve ? sql.json(given.autoResolve) : null,
    disable_incident_suppression: given.disableSuppression ?? false,
    enabled: true,
    token_encrypted: 'sealed',
    token_digest: randomBytes(32),
  };
  await sql`insert into services ${sql(service)}`;
  await sql`insert into escalation_policies ${sql(policy)}`;
  await sql`insert into integrations ${sql(integration)}`;
  return { id: integration.id, serviceId: service.id, policyId: policy.id };
}

export type RuleFields = Pick<Rule, 'actions'> & Partial<Rule>;

/** A rule that matches everything, unless it is given conditions. Answers its id. */
export async function seedRule(sql: Sql, place: Place, given: RuleFields): Promise<string> {
  const { condition_groups = [{ conditions: [{ type: 'allIncidents' }] }] } = given;
  const rule = {
    ...recordOf(place),
    name: given.name ?? 'Rule',
    // The driver's type of JSON does not know read-only lists.
    condition_groups: sql.json(condition_groups as never),
    actions: sql.json(given.actions as never),
    integration_ids: given.integration_ids ? sql.json(given.integration_ids) : null,
    service_ids: given.service_ids ? sql.json(given.service_ids) : null,
    enabled: true,
  };
  await sql`insert into alert_routing_rules ${sql(rule)}`;
  return rule.id;
}

type SealedUrl = { readonly secrets: Secrets; readonly url: string };

/** An outbound webhook by POST; answers its id. */
export async function seedWebhook(
  sql: Sql,
  place: Place,
  { secrets, url }: SealedUrl,
): Promise<string> {
  const said = { name: 'Status page', method: 'POST', content_type: 'json' };
  const record = recordOf(place);
  const at = rowContext('outbound_webhooks.url', record.organization_id, record.id);
  const webhook = { ...record, ...said, url: secrets.seal(url, at) };
  await sql`insert into outbound_webhooks ${sql(webhook)}`;
  return webhook.id;
}

export type SeededPlaybookFields = Pick<PlaybookFields, 'name' | 'actions'> &
  Partial<PlaybookFields>;

/** Answers its id. */
export async function seedPlaybook(
  sql: Sql,
  place: Place,
  given: SeededPlaybookFields,
): Promise<string> {
  const { run_automatically, condition_groups } = given;
  const playbook = {
    ...recordOf(place),
    name: given.name,
    actions: sql.json(given.actions as never),
    run_automatically: run_automatically ? sql.json(run_automatically) : null,
    condition_groups: condition_groups ? sql.json(condition_groups as never) : null,
    enabled: given.enabled ?? true,
  };
  await sql`insert into playbooks ${sql(playbook)}`;
  return playbook.id;
}

/** One layer of daily turns, the first user's now. */
export async function seedSchedule(
  sql: Sql,
  place: Place,
  users: readonly (string | null)[],
): Promise<string> {
  const { organizationId: organization_id, now } = place;
  const [revision] = dailyTurns(users, { from: now }).revisions;
  const { timezone, layers = [] } = revision ?? {};
  const kept = {
    timezone,
    layers: sql.json(layers.map(({ users, rotation }) => ({ users, rotation })) as never),
    anchors: sql.json(anchorsOf(layers) as never),
  };
  const schedule = { ...recordOf(place), name: 'Rota', ...kept };
  const oncall_schedule_id = schedule.id;
  const number = { number: 1, edit: 1, in_force_from: now, archived: false };
  const watch = { edits: 1, seen_edits: 1, edited_at: now, advanced_to: now, wake_at: now };
  const of = { organization_id, oncall_schedule_id };
  await transact(sql, async (tx) => {
    await tx`insert into oncall_schedules ${tx(schedule)}`;
    await tx`insert into schedule_revisions ${tx({ ...of, ...number, ...kept })}`;
    await tx`insert into shift_cursors ${tx({ ...of, ...watch })}`;
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
  { organizationId, now }: Place,
  { scheduleId: schedule, userId: user_id, start, end }: OverrideFields,
): Promise<string> {
  const actor = { kind: 'session', id: user_id, name: 'Eve' };
  const act = { organizationId, teamIds: null, actor, requestId: null, now };
  const decide = async () => ({ user_id, start: `${start}`, end: `${end}` });
  const ids = { next: newId };
  const made = await createOverride({ sql, ids }, { act, schedule, decide });
  if (typeof made === 'string') throw new Error(`no override was made: ${made}`);
  return made.id;
}
