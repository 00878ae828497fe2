// An incident goes to another policy, integration or team: whom it pages from now on changes.

import { incidentsLimits } from '../../limits/incidents.ts';
import {
  dropReason,
  type Policy,
  policyIn,
  type RoutedIntegration,
  routedIntegrationIn,
} from '../configuration.ts';
import { archivedPolicyEntries, startCycle } from '../escalation.ts';
import {
  after,
  type Incident,
  minutesAfter,
  newCycle,
  type Outcome,
  only,
  spanAfter,
  withEscalation,
} from '../incident.ts';
import type { ActionContext } from './timeline-entries.ts';
import { applied, failed, unchanged } from './timeline-entries.ts';

export function changePolicy(incident: Incident, id: string, acting: ActionContext): Outcome {
  const policy = policyIn(acting.configuration, id);
  if (incident.escalation_policy_id === id)
    return unchanged(incident, acting, `it was already ${policy.name}`);
  const changed = applied(incident, acting, `changed the policy to ${policy.name}`);
  const entries = [changed, ...archivedPolicyEntries(incident, policy)];
  return after(entries, pagedAnew(withPolicy(incident, policy), acting));
}

type Way = { readonly integration_id: string; readonly team_id: string };

/** The incident continues as if this integration had received it; suppression stays with the other. */
export function move(incident: Incident, way: Way, acting: ActionContext): Outcome {
  const integration = routedIntegrationIn(acting.configuration, way.integration_id);
  if (incident.integration_id === way.integration_id)
    return unchanged(incident, acting, `it was already at ${integration.name}`);
  const reason =
    integration.team_id === way.team_id
      ? dropReason(integration)
      : `the integration ${integration.name} belongs to another team`;
  if (reason !== null) return failed(incident, acting, reason);
  const text = `moved it to ${integration.name}, on ${integration.service.name}`;
  const entries = [
    applied(incident, acting, text),
    ...archivedPolicyEntries(incident, integration.policy),
  ];
  return after(entries, pagedAnew(movedTo(incident, integration), acting));
}

function movedTo(incident: Incident, integration: RoutedIntegration): Incident {
  const moved = withEscalation(withPolicy(incident, integration.policy), {
    repeats: integration.repeats,
    ackTimeoutMinutes: integration.ackTimeoutMinutes,
    ackTimeoutAt: ackTimeoutAfter(incident, integration),
    autoResolve: integration.autoResolve,
    resolveAt: resolveAfter(incident, integration),
  });
  return {
    ...moved,
    team_id: integration.team_id,
    integration_id: integration.integration_id,
    service_id: integration.service.id,
  };
}

const ackTimeoutAfter = (
  { acknowledged_at }: Incident,
  { ackTimeoutMinutes: minutes }: RoutedIntegration,
) => (minutes === null ? null : acknowledged_at && minutesAfter(acknowledged_at, minutes));

/** A timer that was set for this incident alone stays. */
function resolveAfter({ created_at, escalation }: Incident, { autoResolve }: RoutedIntegration) {
  const { resolveAt } = escalation;
  const isItsOwn = resolveAt && !spanAfter(created_at, escalation.autoResolve)?.equals(resolveAt);
  return isItsOwn ? resolveAt : spanAfter(created_at, autoResolve);
}

const withPolicy = (incident: Incident, policy: Policy): Incident => ({
  ...withEscalation(incident, { policyName: policy.name, delayMinutes: policy.delayMinutes }),
  escalation_policy_id: policy.id,
  steps: policy.steps,
});

/** A new cycle from step 1: at once when it is triggered, when paging starts again if not. */
function pagedAnew(incident: Incident, { isOpening, configuration, now }: ActionContext): Outcome {
  if (isOpening) return only(incident);
  if (incident.status === 'triggered') return startCycle(incident, configuration, now);
  const { cycle } = incident.escalation;
  const fresh = {
    cycle: cycle + 1,
    nextStep: 0,
    repeatsLeft: incidentsLimits.repeats,
    pagedInCycle: false,
    ...newCycle,
  };
  return only(withEscalation(incident, fresh));
}
