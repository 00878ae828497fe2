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
import { parseAutoResolve, parseSteps } from '../ledger/stored-incident.ts';
import { historyOf } from '../oncall/schedules.ts';
import type { Parse } from '../stored-document.ts';
import { parseOfOrganization, parseOfSchedule, parsePersonal } from '../stored-settings.ts';
import type { Kind, Row } from './page.ts';
import { parseOccasions, parsePlaybookActions, parseRuleActions } from './stored-actions.ts';

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

/** Hears of a part that cannot be read; the record goes on without it. */
type Lacks = (part: string, error: unknown) => void;
type Decode<K extends Kind> = (row: Row<K>, lacks: Lacks) => Decoded[K];

export const decoders: { readonly [K in Kind]: Decode<K> } = {
  organization: ({ notifications }, lacks) => settingsOf(parseOfOrganization, notifications, lacks),
  service: (row) => row,
  // Without its steps, incidents open all the same, and the team's admins are paged.
  policy: ({ delay_minutes, steps, ...row }, lacks) => ({
    ...{ ...row, delayMinutes: delay_minutes ?? 0 },
    steps: partOf('steps', { read: () => parseSteps(steps), or: [], lacks }),
  }),
  integration: integrationOf,
  webhook: (row) => row,
  rule: ruleOf,
  playbook: playbookOf,
  schedule: ({ id, name, archived, notifications, ...history }, lacks) => ({
    ...{ id, name, archived },
    notifications: settingsOf(parseOfSchedule, notifications, lacks),
    schedule: scheduleAsOf(historyOf(history)),
  }),
  person: personOf,
  team: ({ member_ids }) => member_ids ?? [],
};

/** Whoever is told of shifts by settings that cannot be read is still paged. */
function settingsOf<T extends object>(
  parse: Parse<T>,
  kept: unknown,
  lacks: Lacks,
): T | Record<string, never> {
  const read = () => (kept === null ? {} : parse(kept));
  return partOf('notifications', { read, or: {}, lacks });
}

type Part<T, Or> = { readonly read: () => T; readonly or: Or; readonly lacks: Lacks };

/** What stands in for it when it cannot be read, which is told. */
function partOf<T, Or>(part: string, { read, or, lacks }: Part<T, Or>): T | Or {
  try {
    return read();
  } catch (error) {
    lacks(part, error);
    return or;
  }
}

function integrationOf(row: Row<'integration'>, lacks: Lacks): Integration {
  return {
    ...{ id: row.id, team_id: row.team_id, slug: row.slug },
    ...{ service_id: row.service_id, escalation_policy_id: row.escalation_policy_id },
    name: row.name ?? `${row.slug} integration ${row.counter}`,
    ...{ enabled: row.enabled, archived: row.archived },
    disableSuppression: row.disable_incident_suppression,
    repeats: row.repeat_escalation,
    ackTimeoutMinutes: row.ack_timeout_minutes,
    autoResolve: partOf('auto_resolve', {
      read: () => (row.auto_resolve === null ? null : parseAutoResolve(row.auto_resolve)),
      or: null,
      lacks,
    }),
  };
}

function ruleOf({ team_id, position, counter, ...row }: Row<'rule'>): Placed<Rule> {
  const { integration_ids, service_ids, actions, ...own } = row;
  const record = {
    ...{ ...own, actions: parseRuleActions(actions) },
    ...(integration_ids && { integration_ids }),
    ...(service_ids && { service_ids }),
  };
  // At once, so that one that cannot be compiled is told apart from the others.
  compiledOf(record);
  return { record, team_id, position, counter };
}

function playbookOf({ counter, ...row }: Row<'playbook'>): Placed<Playbook> {
  const { run_automatically, condition_groups, actions, ...own } = row;
  const record = {
    ...{ ...own, actions: parsePlaybookActions(actions) },
    ...(run_automatically !== null && { run_automatically: parseOccasions(run_automatically) }),
    ...(condition_groups && { condition_groups }),
  };
  return { record, team_id: row.team_id, position: null, counter };
}

function personOf({ contacts, notifications, ...row }: Row<'person'>, lacks: Lacks): Person {
  // The address one signs in with counts as verified; it comes first.
  const addresses: Record<string, string[]> = { email: [row.email] };
  for (const { channel, address } of contacts ?? []) {
    const known = addresses[channel] ?? [];
    if (!known.includes(address)) addresses[channel] = [...known, address];
  }
  const name = `${row.first_name} ${row.last_name}`.trim() || row.email;
  return {
    ...row,
    name,
    addresses,
    notifications: settingsOf(parsePersonal, notifications, lacks),
  };
}
