// An incident that one policy pages for while nothing else acts: no rule and no playbook.

import { ruleSetOf } from '../incidents/actions/routing-rules.ts';
import { fresh } from '../incidents/alert-context.ts';
import type { Configuration, Policy } from '../incidents/configuration.ts';
import type { Outcome } from '../incidents/incident.ts';
import {
  entriesOfOpening,
  monitoring,
  newIncident,
  type Origin,
  openIncident,
} from '../incidents/open-incident.ts';

const service = { id: '', name: '', archived: false };

/** The configuration with the policy, for a team without rules and playbooks. */
export function withPolicyAlone(
  configuration: Configuration,
  { policy, teamId }: { readonly policy: Policy; readonly teamId: string },
): Configuration {
  const { services, policies, teams } = configuration;
  const team = {
    id: teamId,
    memberIds: teams.get(teamId)?.memberIds ?? [],
    rules: [],
    playbooks: [],
  };
  return {
    ...configuration,
    services: new Map([...services, [service.id, service]]),
    policies: new Map([...policies, [policy.id, policy]]),
    teams: new Map([...teams, [teamId, team]]),
  };
}

type Opening = {
  readonly id: string;
  readonly policy: Policy;
  readonly teamId: string;
  readonly configuration: Configuration;
  readonly now: Temporal.Instant;
};

export function openedForPolicy({ id, policy, teamId, configuration, now }: Opening): Outcome {
  const origin: Origin = {
    organization_id: configuration.organization_id,
    team_id: teamId,
    integration_id: null,
    service,
    policy,
    repeats: false,
    ackTimeoutMinutes: null,
    autoResolve: null,
    resolveWhenQuiet: null,
  };
  const alert = { dedup_key: id, title: policy.name };
  const incident = newIncident(origin, alert, { id, keyState: fresh, now, remember: 0 });
  const entries = entriesOfOpening(incident, policy, {
    text: `Opened to simulate the escalation policy ${JSON.stringify(policy.name)}`,
    actor: monitoring,
    details: { policy: policy.name },
  });
  const ruleSet = ruleSetOf({ team_id: teamId }, { configuration });
  const context = { configuration, now, eventId: id };
  return openIncident(incident, { entries, rules: [], ruleSet, context });
}
