import type { AlertEvent } from '../alerts/alert.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { Rule } from '../rules/rule.ts';
import { runEscalationPlaybooks, runStatusPlaybooks } from './actions/automatic-playbooks.ts';
import { applyRules, type RuleSet } from './actions/routing-rules.ts';
import type { AlertContext, AlertInput, KeyState } from './alert-context.ts';
import type { ReceivingIntegration } from './configuration.ts';
import { archivedPolicyEntries, runStep } from './escalation.ts';
import {
  type Actor,
  after,
  type Entry,
  entry,
  type Incident,
  lastTimes,
  minutesAfter,
  type Outcome,
  only,
  spanAfter,
  then,
} from './incident.ts';
import { notifyAdminsOfFailure, postpone } from './undecided.ts';

export const monitoring: Actor = { type: 'alert', name: 'The alert', via: 'alert' };

type Opening = {
  readonly rules: readonly Rule[];
  readonly ruleSet: RuleSet;
  readonly context: AlertContext;
};

/**
 * A new incident with the policy's steps as they are now, changed by rules and playbooks; then its
 * first step fires unless it waits, or nobody is needed any more.
 */
export function openIncident(
  incident: Incident,
  integration: ReceivingIntegration,
  opening: Opening,
): Outcome {
  const { rules, ruleSet, context } = opening;
  const started = only(incident, ...openingEntries(incident, integration, context.eventId));
  const ruled = applyRules(started, rules, { ...context, ruleSet, isOpening: true });
  const decided = runStatusPlaybooks(ruled, { ...context, isOpening: true });
  const begun = then(decided, (one) => begin(one, context));
  return runEscalationPlaybooks(begun, begun.intents, { ...context, isOpening: false });
}

function begin(incident: Incident, { configuration, now }: AlertContext): Outcome {
  if (incident.status !== 'triggered') return only(incident);
  const { delayMinutes } = incident.escalation;
  if (delayMinutes === 0) return runStep(incident, configuration, now);
  const delayed = entry(incident, 'paging_delayed', `Paging begins in ${delayMinutes} minutes`);
  return only(waiting(incident, minutesAfter(now, delayMinutes)), delayed);
}

/** A new incident whose first step could not be decided now: it is tried again in a minute. */
export function openLater(
  integration: ReceivingIntegration,
  alert: AlertEvent,
  input: AlertInput & { readonly failure: string },
): Outcome {
  const { keyState, context, failure } = input;
  const { now } = context;
  // Nothing is asked of the team's rules: it may be they that failed.
  const arriving = { id: context.newId(), keyState, now, remember: 0 };
  const incident = waiting(newIncident(integration, alert, arriving), now);
  const entries = openingEntries(incident, integration, context.eventId);
  return after(
    entries,
    then(postpone(incident, failure, now), (one) => notifyAdminsOfFailure(one, context)),
  );
}

const waiting = (incident: Incident, stepAt: Temporal.Instant): Incident => ({
  ...incident,
  escalation: { ...incident.escalation, stepAt },
});

function openingEntries(
  incident: Incident,
  integration: ReceivingIntegration,
  eventId: string,
): Entry[] {
  const text = `Opened by an alert to ${integration.name}, on ${integration.service.name}`;
  const opened = entry(incident, 'opened', text, {
    actor: monitoring,
    details: { event_id: eventId, policy: integration.policy.name },
  });
  return [opened, ...archivedPolicyEntries(incident, integration.policy)];
}

type Arriving = {
  readonly id: string;
  readonly keyState: KeyState;
  readonly now: Temporal.Instant;
  /** How many times of earlier incidents the team's rules ask about. */
  readonly remember: number;
};

/** As the alert makes it, before any rule. */
export function newIncident(
  integration: ReceivingIntegration,
  alert: AlertEvent,
  { id, keyState, now, remember }: Arriving,
): Incident {
  return {
    id,
    organization_id: integration.organization_id,
    number: 0,
    title: alert.title,
    status: 'triggered',
    priority: keyState.carried.priority ?? alert.priority ?? null,
    severity: keyState.carried.severity ?? alert.severity ?? null,
    team_id: integration.team_id,
    service_id: integration.service.id,
    integration_id: integration.integration_id,
    source_integration_id: integration.integration_id,
    escalation_policy_id: integration.policy.id,
    dedup_key: alert.dedup_key,
    details: alert.details ?? null,
    links: alert.links ?? [],
    responder_ids: [],
    suppressed_count: 0,
    repeat_count: keyState.repeatCount,
    created_at: now,
    updated_at: now,
    acknowledged_at: null,
    resolved_at: null,
    resolved_by_timer: false,
    muted_until: null,
    merged_into_id: null,
    steps: integration.policy.steps,
    escalation: {
      policyName: integration.policy.name,
      delayMinutes: integration.policy.delayMinutes,
      repeats: integration.repeats,
      ackTimeoutMinutes: integration.ackTimeoutMinutes,
      autoResolve: integration.autoResolve,
      cycle: 0,
      nextStep: 0,
      repeatsLeft: incidentsLimits.repeats,
      pagedInCycle: false,
      stepAt: null,
      stepRemainingMs: null,
      ackTimeoutAt: null,
      resolveAt: spanAfter(now, integration.autoResolve),
      expiresAt: alert.expires_at ?? null,
      recentTriggers: [now.epochMilliseconds],
      storm: null,
      stormNotifiedAt: null,
      prioritySetByPerson: keyState.carried.priority !== null,
      severitySetByPerson: keyState.carried.severity !== null,
      suppressedAt: [],
      repeatedAt: lastTimes(keyState.repeatedAt, remember),
      appliedRules: [],
    },
  };
}
