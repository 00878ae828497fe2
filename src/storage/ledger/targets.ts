// What the actions of rules and playbooks point to, archived or not.
import type { NamedIn } from '../../engine/ledger.ts';
import type { Targets } from '../../incidents/actions/perform.ts';
import type { Step } from '../../resources/escalation-policy.ts';
import type { Desk } from './ledger.ts';
import { receiversOf } from './receivers.ts';

type Found = Omit<Targets, 'playbooks'>;

export async function targets(desk: Desk, named: readonly NamedIn[]): Promise<Found> {
  const found = await Promise.all(named.map((one) => targetsIn(desk, one)));
  return {
    policies: new Map(found.flatMap(({ policies }) => [...policies])),
    receivers: new Map(found.flatMap(({ receivers }) => [...receivers])),
    webhooks: new Map(found.flatMap(({ webhooks }) => [...webhooks])),
  };
}

async function targetsIn(desk: Desk, named: NamedIn): Promise<Found> {
  const [policies, receivers, webhooks] = await Promise.all([
    readPolicies(desk, named),
    readReceivers(desk, named),
    readWebhooks(desk, named),
  ]);
  return { policies, receivers, webhooks };
}

type PolicyRow = {
  id: string;
  name: string;
  archived: boolean;
  delay_minutes: number | null;
  steps: readonly Step[];
};

async function readPolicies(
  { sql }: Desk,
  { organization_id, policyIds }: NamedIn,
): Promise<Found['policies']> {
  if (policyIds.size === 0) return new Map();
  const rows = await sql<PolicyRow[]>`
    select id, name, archived_at is not null as archived, delay_minutes, steps
    from escalation_policies
    where organization_id = ${organization_id} and id = any(${[...policyIds]})`;
  return new Map(
    rows.map(({ delay_minutes, ...row }) => [row.id, { ...row, delayMinutes: delay_minutes ?? 0 }]),
  );
}

async function readReceivers(
  { sql }: Desk,
  { organization_id, integrationIds }: NamedIn,
): Promise<Found['receivers']> {
  if (integrationIds.size === 0) return new Map();
  return receiversOf(
    sql,
    sql`where i.organization_id = ${organization_id} and i.id = any(${[...integrationIds]})`,
  );
}

type WebhookRow = { id: string; name: string; archived: boolean };

async function readWebhooks({ sql }: Desk, { organization_id, webhookIds }: NamedIn) {
  if (webhookIds.size === 0) return new Map();
  const rows = await sql<WebhookRow[]>`
    select id, team_id, name, archived_at is not null as archived from outbound_webhooks
    where organization_id = ${organization_id} and id = any(${[...webhookIds]})`;
  return new Map(rows.map(({ id, ...webhook }) => [id, webhook]));
}
