// What alerts meet, written straight into the tables: a service, policies, schedules, integrations.
import { randomBytes } from 'node:crypto';
import type { Step } from '../src/resources/escalation-policy.ts';
import type { Sql } from '../src/storage/database.ts';

type Place = {
  readonly organizationId: string;
  readonly teamId: string;
  readonly now: Temporal.Instant;
};

export type GivenIntegration = {
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

export async function givenIntegration(
  sql: Sql,
  place: Place,
  given: GivenIntegration,
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

/** One layer of daily turns, the first user's now. */
export async function givenSchedule(
  sql: Sql,
  place: Place,
  users: readonly (string | null)[],
): Promise<string> {
  const rotation = { unit: 'days', length: 1, handoff: '00:00' };
  const anchor = { id: newId(), at: place.now.toString(), turn: 0 };
  const schedule = {
    ...recordOf(place),
    name: 'Rota',
    timezone: 'Etc/UTC',
    layers: sql.json([{ users, rotation }] as never),
    anchors: sql.json([anchor]),
  };
  await sql`insert into oncall_schedules ${sql(schedule)}`;
  return schedule.id;
}
