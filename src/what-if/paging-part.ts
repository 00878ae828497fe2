// The part of a configuration that decides whom events page, without secrets: it goes to a worker thread.
import type { Configuration } from '../incidents/configuration.ts';
import { usersOf } from '../oncall/schedule.ts';
import type { PlaybookAction, RuleAction } from '../resources/action.ts';
import type { Step } from '../resources/escalation-policy.ts';
import type { Rule } from '../rules/match-rule.ts';

export type Routed = RuleAction | PlaybookAction;

const routingTypes: ReadonlySet<Routed['type']> = new Set<Routed['type']>([
  'reassignIncident',
  'escalationPolicy',
  'integration',
  'routeToTeam',
  'acknowledgeIncident',
  'resolveIncident',
  'playbook',
  'ignoreIncident',
  'addResponder',
  'pagePerson',
]);

/** Whether such actions can page others, or nobody. */
export const isRouting = (actions: readonly { readonly type: Routed['type'] }[]): boolean =>
  actions.some(({ type }) => routingTypes.has(type));

/** As much of a configuration as decides whom events of these integrations page. */
export function partFor(
  configuration: Configuration,
  integrationIds: readonly string[],
  rules: Iterable<Rule>,
): Configuration {
  const ids = new Set(integrationIds);
  const teamIds = new Set<string>();
  const policyIds = new Set<string>();
  const named: Named = { integrations: ids, policies: policyIds, people: new Set() };
  for (const rule of rules) nameAll(rule.actions, named);
  // A set grows while it is walked.
  for (const id of ids) {
    const integration = configuration.integrations.get(id);
    if (integration === undefined) continue;
    policyIds.add(integration.escalation_policy_id);
    const team = configuration.teams.get(integration.team_id);
    if (team === undefined || teamIds.has(team.id)) continue;
    teamIds.add(team.id);
    for (const { actions } of team.playbooks) nameAll(actions, named);
  }
  const policies = only(configuration.policies, policyIds);
  const targets = [...policies.values()].flatMap(({ steps }) =>
    steps.flatMap((step) => step.targets),
  );
  const schedules = only(
    configuration.schedules,
    new Set(targets.flatMap(({ oncall_schedule_id: id }) => id ?? [])),
  );
  const userIds = new Set([
    ...named.people,
    ...targets.flatMap(({ user_id }) => user_id ?? []),
    ...[...schedules.values()].flatMap(({ schedule }) => usersOf(schedule)),
  ]);
  return {
    ...configuration,
    integrations: only(configuration.integrations, ids),
    services: only(
      configuration.services,
      new Set([...ids].flatMap((id) => configuration.integrations.get(id)?.service_id ?? [])),
    ),
    policies: mapped(policies, (one) => ({
      ...one,
      delayMinutes: 0,
      steps: one.steps.map((step, index) => withoutSecrets(step, `${one.id} ${index}`)),
    })),
    teams: mapped(only(configuration.teams, teamIds), (one) => ({
      id: one.id,
      memberIds: [],
      rules: [],
      playbooks: one.playbooks.map((each) => ({ ...each, actions: routed(each.actions) })),
    })),
    schedules,
    people: only(configuration.people, userIds),
    webhooks: new Map(),
    notifications: {},
  };
}

type Named = {
  readonly integrations: Set<string>;
  readonly policies: Set<string>;
  readonly people: Set<string>;
};

function nameAll(actions: readonly Routed[], { integrations, policies, people }: Named): void {
  for (const action of actions) {
    if ('integration_id' in action) integrations.add(action.integration_id);
    if ('escalation_policy_id' in action) policies.add(action.escalation_policy_id);
    if ('user_id' in action) people.add(action.user_id);
  }
}

const only = <T>(records: ReadonlyMap<string, T>, ids: ReadonlySet<string>) =>
  new Map(
    [...ids].flatMap((id) => {
      const one = records.get(id);
      return one === undefined ? [] : [[id, one] as const];
    }),
  );

const mapped = <T>(records: ReadonlyMap<string, T>, change: (one: T) => T) =>
  new Map([...records].map(([id, one]) => [id, change(one)] as const));

/** Those that change whom an incident pages. */
const routed = <Action extends Routed>(actions: readonly Action[]): Action[] =>
  actions.filter(({ type }) => routingTypes.has(type));

/** An address of a chat is never shown; it only tells chats apart. */
const withoutSecrets = (step: Step, at: string): Step => ({
  ...step,
  targets: step.targets.map(({ webhook_url: url, ...target }, index) => ({
    ...target,
    ...(url !== undefined && { webhook_url: `${at} ${index}` }),
  })),
});
