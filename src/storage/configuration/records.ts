// Stored rows as the records of a configuration.
import type { Playbook } from '../../incidents/actions/playbook.ts';
import type {
  Integration,
  Person,
  Policy,
  Rota,
  Service,
  Webhook,
} from '../../incidents/configuration.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { OrganizationNotifications } from '../../resources/shift-notifications.ts';
import { compiledOf, type Rule } from '../../rules/rule.ts';
import { historyOf } from '../oncall/schedules.ts';
import type { Kind, Row } from './page.ts';

/** A rule or a playbook with its place among those of its team. */
export type Placed<T> = {
  readonly record: T;
  readonly team_id: string;
  readonly position: number | null;
  readonly counter: number;
};

export type Decoded = {
  readonly organization: OrganizationNotifications;
  readonly service: Service;
  readonly policy: Policy;
  readonly integration: Integration;
  readonly webhook: Webhook;
  readonly rule: Placed<Rule>;
  readonly playbook: Placed<Playbook>;
  readonly schedule: Rota;
  readonly person: Person;
  /** Ids of its members. */
  readonly team: readonly string[];
};

export const decoders: { readonly [K in Kind]: (row: Row<K>) => Decoded[K] } = {
  organization: ({ notifications }) => notifications ?? {},
  service: (row) => row,
  policy: ({ delay_minutes, ...row }) => ({ ...row, delayMinutes: delay_minutes ?? 0 }),
  integration: integrationOf,
  webhook: (row) => row,
  rule: ruleOf,
  playbook: playbookOf,
  schedule: ({ id, name, archived, notifications, ...history }) => ({
    ...{ id, name, archived, notifications: notifications ?? {} },
    schedule: scheduleAsOf(historyOf(history)),
  }),
  person: personOf,
  team: ({ member_ids }) => member_ids ?? [],
};

function integrationOf(row: Row<'integration'>): Integration {
  return {
    ...{ id: row.id, team_id: row.team_id, slug: row.slug },
    ...{ service_id: row.service_id, escalation_policy_id: row.escalation_policy_id },
    name: row.name ?? `${row.slug} integration ${row.counter}`,
    ...{ enabled: row.enabled, archived: row.archived },
    disableSuppression: row.disable_incident_suppression,
    repeats: row.repeat_escalation,
    ackTimeoutMinutes: row.ack_timeout_minutes,
    autoResolve: row.auto_resolve,
  };
}

function ruleOf({ team_id, position, counter, ...row }: Row<'rule'>): Placed<Rule> {
  const { integration_ids, service_ids, ...own } = row;
  const record = {
    ...own,
    ...(integration_ids && { integration_ids }),
    ...(service_ids && { service_ids }),
  };
  // At once, so that one that cannot be compiled is told apart from the others.
  compiledOf(record);
  return { record, team_id, position, counter };
}

function playbookOf({ counter, ...row }: Row<'playbook'>): Placed<Playbook> {
  const { run_automatically, condition_groups, ...own } = row;
  const record = {
    ...own,
    ...(run_automatically && { run_automatically }),
    ...(condition_groups && { condition_groups }),
  };
  return { record, team_id: row.team_id, position: null, counter };
}

function personOf({ contacts, notifications, ...row }: Row<'person'>): Person {
  // The address one signs in with counts as verified; it comes first.
  const addresses: Record<string, string[]> = { email: [row.email] };
  for (const { channel, address } of contacts ?? []) {
    const known = addresses[channel] ?? [];
    if (!known.includes(address)) addresses[channel] = [...known, address];
  }
  const name = `${row.first_name} ${row.last_name}`.trim() || row.email;
  return { ...row, name, addresses, notifications: notifications ?? {} };
}
