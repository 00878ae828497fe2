// Puts proposed rules, or a proposed policy, in the place of the saved ones.
import {
  type Configuration,
  type Grouping,
  type Policy,
  type Rota,
  routedIntegrationIn,
  teamIn,
} from '../incidents/configuration.ts';
import type { Rule } from '../rules/match-rule.ts';
import { withPolicyAlone } from './policy-alone.ts';
import { withInactive } from './proposed-schedule.ts';

export type Proposed = {
  /** All rules of one team, in their order. */
  readonly rules?: { readonly team_id: string; readonly rules: readonly Rule[] };
  /** In the place of the policy of that integration, wherever it is used. */
  readonly policy?: ProposedPolicy & { readonly integrationId: string };
  /** In the place of that of the integration. */
  readonly grouping?: Grouping & { readonly integrationId: string };
  /** Of a team that has nothing else. */
  readonly policyAlone?: ProposedPolicy & { readonly id: string; readonly teamId: string };
};

type ProposedPolicy = Omit<Policy, 'id' | 'archived'>;

export function withProposed(
  configuration: Configuration,
  { rules, policy, grouping, policyAlone }: Proposed,
): Configuration {
  if (policyAlone) {
    const { teamId, ...alone } = policyAlone;
    return withPolicyAlone(configuration, { policy: { archived: false, ...alone }, teamId });
  }
  const ruled = rules ? withRules(configuration, rules) : configuration;
  const grouped = grouping ? withGrouping(ruled, grouping) : ruled;
  return policy ? withPolicy(grouped, policy) : grouped;
}

function withGrouping(
  configuration: Configuration,
  { integrationId, by, window }: NonNullable<Proposed['grouping']>,
): Configuration {
  const integration = configuration.integrations.get(integrationId);
  if (integration === undefined) return configuration;
  const integrations = new Map([
    ...configuration.integrations,
    [integrationId, { ...integration, grouping: { by, window } }],
  ]);
  return { ...configuration, integrations };
}

function withRules(
  configuration: Configuration,
  { team_id, rules }: NonNullable<Proposed['rules']>,
): Configuration {
  const team = { ...teamIn(configuration, team_id), rules };
  return { ...configuration, teams: new Map([...configuration.teams, [team_id, team]]) };
}

function withPolicy(
  configuration: Configuration,
  { integrationId, ...proposed }: NonNullable<Proposed['policy']>,
): Configuration {
  const { id } = routedIntegrationIn(configuration, integrationId).policy;
  const policy = { id, archived: false, ...proposed };
  return { ...configuration, policies: new Map([...configuration.policies, [id, policy]]) };
}

/** The configuration with these schedules, whose past is known. */
export const withSchedules = (
  configuration: Configuration,
  schedules: ReadonlyMap<string, Rota>,
): Configuration =>
  schedules.size === 0
    ? configuration
    : { ...configuration, schedules: new Map([...configuration.schedules, ...schedules]) };

type Deactivated = {
  readonly userIds: readonly string[];
  /** When a schedule knows of it. */
  readonly at: (scheduleId: string) => Temporal.Instant;
  /** By the rules of 0.1.0, whoever is inactive stays on call. */
  readonly areNew: boolean;
};

/** The configuration with these people deactivated. */
export function withDeactivated(
  configuration: Configuration,
  { userIds, at, areNew }: Deactivated,
): Configuration {
  if (userIds.length === 0) return configuration;
  const inactive = new Set(userIds);
  const people = new Map(
    [...configuration.people].map(([id, person]) => [
      id,
      inactive.has(id) ? { ...person, active: false } : person,
    ]),
  );
  if (!areNew) return { ...configuration, people };
  const schedules = new Map(
    [...configuration.schedules].map(([id, rota]) => [
      id,
      { ...rota, schedule: withInactive(rota.schedule, inactive, at(id)) },
    ]),
  );
  return { ...configuration, people, schedules };
}
