import type { Fragment } from 'postgres';
import type { Key } from '../../engine/ledger.ts';
import type { Receiver } from '../../incidents/arrival/receiver.ts';
import type { Span } from '../../incidents/incident.ts';
import type { Step } from '../../resources/escalation-policy.ts';
import type { Transaction } from '../database.ts';
import type { Versions } from './books.ts';
import type { Desk } from './ledger.ts';

type Row = {
  organization_id: string;
  integration_id: string;
  team_id: string;
  book_version: number | null;
  slug: string;
  name: string | null;
  counter: number;
  enabled: boolean;
  archived: boolean;
  disable_incident_suppression: boolean;
  repeat_escalation: boolean;
  ack_timeout_minutes: number | null;
  auto_resolve: Span | null;
  service_id: string;
  service_name: string;
  service_archived: boolean;
  policy_id: string;
  policy_name: string;
  policy_archived: boolean;
  delay_minutes: number | null;
  steps: readonly Step[];
};

/**
 * Locked in the order of their ids, so that two batches never wait for each other. The versions of
 * their teams' books come along, which saves each batch a way to the database.
 */
export async function receivers(
  { sql }: Desk,
  keys: readonly Key[],
  versions: Versions,
): Promise<ReadonlyMap<string, Receiver>> {
  if (keys.length === 0) return new Map();
  const ids = keys.map((key) => key.integration_id).sort();
  const organizations = [...new Set(keys.map((key) => key.organization_id))];
  const rows = await rowsOf(
    sql,
    sql`
      where i.organization_id = any(${organizations}) and i.id = any(${ids})
      order by i.id for no key update of i`,
  );
  for (const { team_id, book_version } of rows) versions.set(team_id, book_version);
  return byId(rows);
}

/** Those that `which` selects of the integrations, called `i`; it may lock them. */
export async function receiversOf(
  sql: Transaction,
  which: Fragment,
): Promise<ReadonlyMap<string, Receiver>> {
  return byId(await rowsOf(sql, which));
}

const byId = (rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.integration_id, receiverOf(row)]));

const rowsOf = (sql: Transaction, which: Fragment) => sql<Row[]>`
  select i.organization_id, i.id as integration_id, i.team_id, b.version as book_version,
    i.slug, i.name, i.counter, i.enabled, i.archived_at is not null as archived,
    i.disable_incident_suppression, i.repeat_escalation, i.ack_timeout_minutes, i.auto_resolve,
    s.id as service_id, s.name as service_name, s.archived_at is not null as service_archived,
    p.id as policy_id, p.name as policy_name, p.archived_at is not null as policy_archived,
    p.delay_minutes, p.steps
  from integrations i
  join services s on s.organization_id = i.organization_id and s.id = i.service_id
  join escalation_policies p
    on p.organization_id = i.organization_id and p.id = i.escalation_policy_id
  left join rule_books b on b.organization_id = i.organization_id and b.team_id = i.team_id
  ${which}`;

const receiverOf = (row: Row): Receiver => ({
  organization_id: row.organization_id,
  integration_id: row.integration_id,
  team_id: row.team_id,
  slug: row.slug,
  name: row.name ?? `${row.slug} integration ${row.counter}`,
  enabled: row.enabled,
  archived: row.archived,
  disableSuppression: row.disable_incident_suppression,
  repeats: row.repeat_escalation,
  ackTimeoutMinutes: row.ack_timeout_minutes,
  autoResolve: row.auto_resolve,
  service: { id: row.service_id, name: row.service_name, archived: row.service_archived },
  policy: {
    id: row.policy_id,
    name: row.policy_name,
    archived: row.policy_archived,
    delayMinutes: row.delay_minutes ?? 0,
    steps: row.steps,
  },
});
