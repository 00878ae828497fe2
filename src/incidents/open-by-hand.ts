// What a person opens, who saw what no monitoring tool did. It has no integration and so no key:
// no alert is counted onto it, unless it takes over the key of one that is merged into it.

import type { Json } from '../alerts/alert.ts';
import { factsOf, matchRules, ruleSetOf } from './actions/routing-rules.ts';
import {
  type Configuration,
  type DecisionContext,
  type Policy,
  policyIn,
  serviceIn,
} from './configuration.ts';
import type { Actor, Entry, Incident, Outcome, Refused } from './incident.ts';
import {
  entriesOfOpening,
  newIncident,
  type Origin,
  openIncident,
  openLater,
} from './open-incident.ts';

export type Report = {
  readonly by: Actor;
  readonly team_id: string;
  readonly service_id: string;
  /** Null: that of the service's integrations, if they agree. */
  readonly escalation_policy_id: string | null;
  readonly title: string;
  readonly details: Json;
  readonly priority: string | null;
  readonly severity: string | null;
};

/** The policy of whoever else reports about the service; else why that is none, or not one. */
export function policyOfService(
  configuration: Configuration,
  serviceId: string,
): Policy | { readonly unknown: string } {
  const own = [...configuration.integrations.values()].filter(
    ({ service_id, archived }) => service_id === serviceId && !archived,
  );
  const [id, ...others] = new Set(own.map(({ escalation_policy_id }) => escalation_policy_id));
  if (id === undefined)
    return { unknown: 'is required because the service has no integration to take it from' };
  if (others.length > 0)
    return { unknown: 'is required because the integrations of the service have different ones' };
  return policyIn(configuration, id);
}

type Opening = {
  readonly id: string;
  readonly policy: Policy;
  readonly deciding: DecisionContext;
};

/** The incident, paged for as one that an alert opens. A rule that ignores it refuses it. */
export function openByHand(report: Report, opening: Opening): Outcome | Refused {
  const { id, deciding } = opening;
  const ruleSet = ruleSetOf(report, deciding);
  const { incident, entries } = beginning(report, opening);
  const ruled = matchRules(ruleSet, factsOf(incident, { ...deciding, isSuppressed: false }));
  if ('ignoredBy' in ruled) return { refused: `the rule ${ruled.ignoredBy.name} ignores it` };
  const context = { ...deciding, eventId: id };
  return openIncident(incident, { entries, rules: ruled.matched, ruleSet, context });
}

/** When deciding fails by a fault of the program: it is paged in a minute, and admins are told. */
export function openByHandLater(report: Report, opening: Opening, failure: string): Outcome {
  const { incident, entries } = beginning(report, opening);
  return openLater(incident, entries, { failure, context: opening.deciding });
}

function beginning(
  report: Report,
  { id, policy, deciding: { configuration, now } }: Opening,
): { readonly incident: Incident; readonly entries: readonly Entry[] } {
  const { by, team_id, title, details, priority, severity } = report;
  const service = serviceIn(configuration, report.service_id);
  const origin: Origin = {
    organization_id: configuration.organization_id,
    team_id,
    integration_id: null,
    service,
    policy,
    repeats: false,
    ackTimeoutMinutes: null,
    autoResolve: null,
    resolveWhenQuiet: null,
  };
  const alert = { dedup_key: id, title, ...(details !== null && { details }) };
  // What a person chose counts as what a person set.
  const keyState = { open: [], repeatCount: 0, repeatedAt: [], carried: { priority, severity } };
  const incident = newIncident(origin, alert, { id, keyState, now, remember: 0 });
  const text = `Opened by ${by.name}, on ${service.name}`;
  const opened = { text, actor: by, details: { policy: policy.name } };
  return { incident, entries: entriesOfOpening(incident, policy, opened) };
}
