// Everything of one organisation that deciding may look up, as one version of it: read before
// anything is decided, and the same for whoever decides. docs/decisions/0023-configuration.md.

import type { Mapping } from '../alerts/reading/notation.ts';
import type { Schedule } from '../oncall/schedule.ts';
import type { ContactLoss } from '../resources/contact-states.ts';
import type { Step } from '../resources/escalation-policy.ts';
import type { PlaybookFields } from '../resources/playbook.ts';
import { adminRoles } from '../resources/roles.ts';
import type {
  OrganizationNotifications,
  PersonalNotifications,
  ScheduleNotifications,
} from '../resources/shift-notifications.ts';
import type { Rule } from '../rules/match-rule.ts';
import type { Span } from './incident.ts';

/** By id; archived ones too, for what points to them stays. */
export type Records<T> = ReadonlyMap<string, T>;

export type Service = { readonly id: string; readonly name: string; readonly archived: boolean };

export type Policy = {
  readonly id: string;
  readonly name: string;
  readonly archived: boolean;
  readonly delayMinutes: number;
  readonly steps: readonly Step[];
};

/** What alerts have in common that join one incident; nothing in `by`: none join. */
export type Grouping = {
  readonly by: readonly string[];
  /** The longest time since the last alert joined; null: there is no limit. */
  readonly window: Span | null;
};

export type Integration = {
  readonly id: string;
  readonly team_id: string;
  readonly service_id: string;
  readonly escalation_policy_id: string;
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly archived: boolean;
  readonly disableSuppression: boolean;
  readonly repeats: boolean;
  readonly ackTimeoutMinutes: number | null;
  readonly autoResolve: Span | null;
  readonly resolveWhenQuiet: Span | null;
  readonly grouping: Grouping;
  /** What its bodies are read by before its type. */
  readonly mapping: Mapping | null;
  /** Its alerts are matched by the keys that the release before makes. */
  readonly formerKeys?: true;
  /** When those were exchanged; absent: it had none. */
  readonly keysExchangedAt?: Temporal.Instant;
};

export type Webhook = {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly archived: boolean;
};

/** As it is stored; whoever runs it automatically evaluates its conditions. */
export type Playbook = Pick<
  PlaybookFields,
  'name' | 'actions' | 'run_automatically' | 'condition_groups'
> & {
  readonly id: string;
  readonly team_id: string;
  readonly archived: boolean;
  readonly enabled: boolean;
};

/** What a team decided beforehand, and who is in it. */
export type Team = {
  readonly id: string;
  /** In their order. */
  readonly memberIds: readonly string[];
  /** Those that are active and enabled, in the order in which they run. */
  readonly rules: readonly Rule[];
  readonly playbooks: readonly Playbook[];
};

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly active: boolean;
  /** Owners and admins are notified when nobody else can be. */
  readonly role: string;
  /** Verified addresses by channel, the one to use first. */
  readonly addresses: Readonly<Record<string, readonly string[]>>;
  /** By channel, the loss of the contact that was lost last there. */
  readonly lost: Readonly<Partial<Record<string, ContactLoss>>>;
  /** How they are told of shifts. */
  readonly notifications: PersonalNotifications;
};

/** A schedule as it is in force now, with what is to come. */
export type Rota = {
  readonly id: string;
  readonly name: string;
  readonly archived: boolean;
  readonly schedule: Schedule;
  /** Who else is told of its shifts. */
  readonly notifications: ScheduleNotifications;
};

export type Configuration = {
  readonly organization_id: string;
  /** Grows with every change of it. */
  readonly version: number;
  readonly services: Records<Service>;
  readonly policies: Records<Policy>;
  readonly integrations: Records<Integration>;
  readonly webhooks: Records<Webhook>;
  readonly teams: Records<Team>;
  readonly people: Records<Person>;
  readonly schedules: Records<Rota>;
  /** Who is notified of the shifts of all schedules. */
  readonly notifications: OrganizationNotifications;
  /** Channels that are set up on this installation. */
  readonly channels: ReadonlySet<string>;
  /** Channels that are not set up: what is sent by them is only written to a folder. ADR 0067. */
  readonly written: ReadonlySet<string>;
  /** Of the channels, those that connections of the organisation serve: chats are reached by their ids. */
  readonly connected: ReadonlySet<string>;
  /** Ids of records that are there, but stored in a form that cannot be read. */
  readonly unreadable: ReadonlySet<string>;
};

/** What an incident is decided with. */
export type DecisionContext = {
  readonly configuration: Configuration;
  readonly now: Temporal.Instant;
};

/** Of several organisations, by their ids. */
export type Configurations = ReadonlyMap<string, Configuration>;

/**
 * Something was looked up that is not in the configuration. What records name is never deleted, so
 * this is a fault of the program: it must not look like an answer.
 */
export class NotConfigured extends Error {
  override readonly name = 'NotConfigured';
}

export function configurationIn(all: Configurations, organizationId: string): Configuration {
  const match = all.get(organizationId);
  if (!match) throw new NotConfigured(`the configuration of ${organizationId} was not read`);
  return match;
}

export const recordKinds = [
  'services',
  'policies',
  'integrations',
  'webhooks',
  'teams',
  'people',
  'schedules',
] as const;
export type RecordKind = (typeof recordKinds)[number];
type RecordOf<K extends RecordKind> = Configuration[K] extends Records<infer T> ? T : never;

function recordIn<K extends RecordKind>(
  configuration: Configuration,
  kind: K,
  id: string,
): RecordOf<K> {
  const match = configuration[kind].get(id);
  if (match) return match as RecordOf<K>;
  const { organization_id, version } = configuration;
  throw new NotConfigured(`${kind} of ${organization_id} at version ${version} lack ${id}`);
}

export const serviceIn = (configuration: Configuration, id: string): Service =>
  recordIn(configuration, 'services', id);
export const policyIn = (configuration: Configuration, id: string): Policy =>
  recordIn(configuration, 'policies', id);
export const webhookIn = (configuration: Configuration, id: string): Webhook =>
  recordIn(configuration, 'webhooks', id);
export const teamIn = (configuration: Configuration, id: string): Team =>
  recordIn(configuration, 'teams', id);
export const personIn = (configuration: Configuration, id: string): Person =>
  recordIn(configuration, 'people', id);
export const rotaIn = (configuration: Configuration, id: string): Rota =>
  recordIn(configuration, 'schedules', id);

/** An integration with its service and its policy. */
export type RoutedIntegration = Omit<Integration, 'id' | 'service_id' | 'escalation_policy_id'> & {
  readonly organization_id: string;
  readonly integration_id: string;
  readonly service: Service;
  readonly policy: Policy;
};

export function routedIntegrationIn(configuration: Configuration, id: string): RoutedIntegration {
  const integration = recordIn(configuration, 'integrations', id);
  const { id: integration_id, service_id, escalation_policy_id, ...own } = integration;
  return {
    ...own,
    organization_id: configuration.organization_id,
    integration_id,
    service: serviceIn(configuration, service_id),
    policy: policyIn(configuration, escalation_policy_id),
  };
}

/** Why events to the integration are dropped; null when they are not. */
export function dropReason(
  integration: Pick<RoutedIntegration, 'archived' | 'enabled'> & {
    readonly service: Pick<Service, 'archived'>;
  },
): string | null {
  if (integration.archived) return 'the integration is archived';
  if (integration.service.archived) return 'the service is archived';
  if (!integration.enabled) return 'the integration is disabled';
  return null;
}

/** All owners and admins of the organisation. */
export const allAdminsOf = ({ people }: Configuration): readonly string[] =>
  [...people.values()]
    .filter(({ active, role }) => active && adminRoles.includes(role))
    .map(({ id }) => id)
    .sort();

/** Owners and admins among the team's people; if there are none, or no team, all owners. */
export function adminsOf(configuration: Configuration, teamId: string | null): readonly string[] {
  const { people } = configuration;
  const isAdmin = (id: string) => {
    if (configuration.unreadable.has(id)) return false;
    const { active, role } = personIn(configuration, id);
    return active && adminRoles.includes(role);
  };
  const members = teamId === null ? [] : teamIn(configuration, teamId).memberIds;
  const own = members.filter(isAdmin);
  if (own.length > 0) return own;
  return [...people.values()]
    .filter(({ active, role }) => active && role === 'owner')
    .map(({ id }) => id)
    .sort();
}
