// What a due row of the outbox needs to be sent: its incident, its webhook, its organisation.
import type {
  Claimed,
  ClaimedIncidentNotice,
  ClaimedShiftNotice,
  ClaimedUsageNotice,
} from '../../engine/ledger.ts';
import type { Incident } from '../../incidents/incident.ts';
import { isSealed } from '../secrets.ts';
import { columns, type IncidentRow, incidentOf } from './incidents.ts';
import type { Desk } from './ledger.ts';
import { type StoredStory, storyOf } from './shift-notices.ts';

export type OutboxRow = {
  organization_id: string;
  key: string;
  incident_id: string | null;
  kind: string;
  channel: string;
  receiver: string;
  notice: {
    address: string;
    recipient: string | null;
    mention: string | null;
    why: string;
    story?: StoredStory;
    usage?: ClaimedUsageNotice['usage'];
  };
  cycle: number;
  user_id: string | null;
  attempts: number;
  created_at: Temporal.Instant;
};

export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly monthly_alert_limit: number | null;
};

type Webhook = NonNullable<ClaimedShiftNotice['webhook']> & { readonly url: string };

type Surroundings = {
  readonly incidents: ReadonlyMap<string, { incident: Incident; serviceName: string }>;
  readonly webhooks: ReadonlyMap<string, Webhook>;
  readonly organizations: ReadonlyMap<string, Organization>;
};

/** The rows as notices, in their order. */
export async function readClaimed(desk: Desk, rows: readonly OutboxRow[]) {
  const organizationIds = [...new Set(rows.map((row) => row.organization_id))];
  const [incidents, webhooks, organizations] = await Promise.all([
    readIncidents(desk, rows),
    readWebhooks(desk, rows),
    readOrganizations(desk, organizationIds),
  ]);
  const surroundings = { incidents, webhooks, organizations };
  return { organizations, notices: rows.flatMap((row) => claimedOf(desk, row, surroundings)) };
}

/** Locked, shared: an acknowledgement under way is waited for, a later one waits for this claim. */
async function readIncidents(
  { sql }: Desk,
  rows: readonly OutboxRow[],
): Promise<Surroundings['incidents']> {
  const ids = [...new Set(rows.flatMap((row) => row.incident_id ?? []))];
  if (ids.length === 0) return new Map();
  const [locked, services] = await Promise.all([
    sql<IncidentRow[]>`
      select ${sql(columns)} from incidents where id = any(${ids}) order by id for share`,
    sql<{ id: string; name: string }[]>`
      select i.id, s.name from incidents i
      join services s on s.organization_id = i.organization_id and s.id = i.service_id
      where i.id = any(${ids})`,
  ]);
  const nameOf = new Map(services.map((row) => [row.id, row.name]));
  return new Map(
    locked.map((row) => {
      const serviceName = nameOf.get(row.id) ?? '';
      return [row.id, { incident: incidentOf(row), serviceName }];
    }),
  );
}

type WebhookRow = {
  id: string;
  url: string;
  method: Webhook['method'];
  archived: boolean;
  secrets: readonly string[];
};

async function readWebhooks(
  { sql, secrets }: Desk,
  rows: readonly OutboxRow[],
): Promise<Surroundings['webhooks']> {
  const called = rows.filter((row) => row.channel === 'webhook');
  if (called.length === 0) return new Map();
  const organizationIds = [...new Set(called.map((row) => row.organization_id))];
  const ids = [...new Set(called.map((row) => row.notice.address))];
  const found = await sql<WebhookRow[]>`
    select w.id, w.url, w.method, w.archived_at is not null as archived,
      array(
        select s.secret_encrypted from webhook_secrets s
        where s.organization_id = w.organization_id and s.outbound_webhook_id = w.id
        order by s.id) as secrets
    from outbound_webhooks w
    where w.organization_id = any(${organizationIds}) and w.id = any(${ids})`;
  return new Map(
    found.map(({ id, url, method, archived, secrets: sealed }) => [
      id,
      { url: secrets.open(url), method, archived, secrets: sealed.map(secrets.open) },
    ]),
  );
}

async function readOrganizations({ sql }: Desk, ids: readonly string[]) {
  const rows = await sql<Organization[]>`
    select id, name, timezone, monthly_alert_limit from organizations where id = any(${[...ids]})`;
  return new Map(rows.map((row) => [row.id, row]));
}

function claimedOf(desk: Desk, row: OutboxRow, surroundings: Surroundings): readonly Claimed[] {
  const { story, usage, address, ...words } = row.notice;
  const { organization_id, key, channel, receiver, user_id, created_at } = row;
  const notice = {
    ...{ organization_id, key, channel, receiver, user_id, created_at, ...words },
    address: isSealed(address) ? desk.secrets.open(address) : address,
    attempt: row.attempts + 1,
    organizationName: surroundings.organizations.get(organization_id)?.name ?? '',
  };
  if (usage) return [{ ...notice, about: 'usage', kind: 'alert_usage', usage }];
  if (story) {
    // Written by us, with the story that belongs to it.
    const kind = row.kind as ClaimedShiftNotice['kind'];
    const webhook = surroundings.webhooks.get(address) ?? null;
    const to = webhook ? webhook.url : notice.address;
    return [{ ...notice, about: 'shift', kind, story: storyOf(story), webhook, address: to }];
  }
  const found = surroundings.incidents.get(row.incident_id ?? '');
  if (!found) return [];
  const kind = row.kind as ClaimedIncidentNotice['kind'];
  return [{ ...notice, about: 'incident', kind, cycle: row.cycle, ...found }];
}
