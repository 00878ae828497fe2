// A small configuration for the tests of those who decide: one team with Ada, Lin and an admin.
import type {
  Configuration,
  Person,
  Playbook,
  Policy,
  Rota,
  RoutedIntegration,
  Team,
  Webhook,
} from '../src/incidents/configuration.ts';
import type { Schedule } from '../src/oncall/schedule.ts';
import type { Rule } from '../src/rules/match-rule.ts';
import { ConfigurationCache } from '../src/storage/configuration/cache.ts';
import { noFaults } from './no-faults.ts';

type ConfigurationFields = Partial<
  Pick<Configuration, 'organization_id' | 'channels' | 'written' | 'notifications' | 'unreadable'>
> & {
  readonly people?: readonly Person[];
  /** Integrations with their services and policies. */
  readonly integrations?: readonly RoutedIntegration[];
  /** More than the receivers have. */
  readonly policies?: readonly Policy[];
  readonly webhooks?: readonly Webhook[];
  readonly schedules?: readonly Rota[];
  /** Of the first team. */
  readonly rules?: readonly Rule[];
  readonly playbooks?: readonly Playbook[];
  /** The first one is the receivers' unless they say otherwise. */
  readonly teamIds?: readonly string[];
};

export const buildPerson = (id: string, fields: Partial<Person> = {}): Person => ({
  id,
  name: id,
  first_name: id,
  last_name: '',
  email: `${id}@example.test`,
  active: true,
  role: 'responder',
  notifications: {},
  addresses: { email: [`${id}@example.test`], sms: [`+49${id}`] },
  lost: {},
  ...fields,
});

/** Nobody can reach the stranger. */
export const defaultPeople: readonly Person[] = [
  buildPerson('ada'),
  buildPerson('lin'),
  buildPerson('boss', { role: 'admin' }),
  buildPerson('stranger', { active: false }),
];

export const buildRota = (id: string, schedule: Schedule, fields: Partial<Rota> = {}): Rota => ({
  id,
  name: 'Rota',
  archived: false,
  schedule,
  notifications: {},
  ...fields,
});

export function buildConfiguration(fields: ConfigurationFields = {}): Configuration {
  const { people = defaultPeople, integrations = [], policies = [], teamIds = ['team'] } = fields;
  const [first] = teamIds;
  const rules = (id: string) => (id === first ? (fields.rules ?? []) : []);
  const playbooks = (id: string) =>
    (fields.playbooks ?? []).filter(({ team_id }) => team_id === id);
  const teams = [...new Set([...teamIds, ...integrations.map(({ team_id }) => team_id)])].map(
    (id): Team => ({
      id,
      memberIds: people.map((person) => person.id),
      rules: rules(id),
      playbooks: playbooks(id),
    }),
  );
  return {
    organization_id: 'org',
    version: 1,
    notifications: {},
    unreadable: fields.unreadable ?? new Set(),
    channels: new Set(['email', 'sms', 'slack', 'push-notification']),
    written: fields.written ?? new Set(),
    connected: new Set(),
    services: byId(integrations.map(({ service }) => service)),
    policies: byId([...integrations.map(({ policy }) => policy), ...policies]),
    integrations: byId(integrations.map(integrationOf)),
    webhooks: byId(fields.webhooks ?? []),
    teams: byId(teams),
    people: byId(people),
    schedules: byId(fields.schedules ?? []),
    ...(fields.organization_id && { organization_id: fields.organization_id }),
    ...(fields.channels && { channels: fields.channels }),
    ...(fields.notifications && { notifications: fields.notifications }),
  };
}

function integrationOf({
  organization_id: _,
  integration_id,
  service,
  policy,
  ...own
}: RoutedIntegration) {
  return {
    ...own,
    id: integration_id,
    service_id: service.id,
    escalation_policy_id: policy.id,
  };
}

const byId = <T extends { readonly id: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((one) => [one.id, one]));

/** Of a server on which these channels are set up. */
export const cacheFor = (...channels: readonly string[]): ConfigurationCache =>
  new ConfigurationCache(new Set(channels), noFaults);
