// What an alert does to the incidents of the integration that received it.

import type { AlertEvent } from '../alerts/alert.ts';
import type { Facts } from '../rules/facts.ts';
import type { Rule } from '../rules/match-rule.ts';
import { runPlaybooksOnChange } from './actions/automatic-playbooks.ts';
import {
  applyRules,
  factsOf,
  matchRaised,
  matchRules,
  type RuleMatch,
  type RuleSet,
  ruleSetOf,
} from './actions/routing-rules.ts';
import type { AlertContext, AlertInput } from './alert-context.ts';
import type { RoutedIntegration } from './configuration.ts';
import { dropReason } from './configuration.ts';
import { decideEnd, leaveUnwatched, onOpen } from './decide-end.ts';
import { type DecisionResult, nothing } from './decision-result.ts';
import type { Finding } from './findings.ts';
import { type Incident, type Outcome, only, then, withEscalation } from './incident.ts';
import { endPutOff, latenessOf } from './lateness.ts';
import { advance } from './lifecycle.ts';
import { entriesOfAlert, newIncident, openIncident, openLater } from './open-incident.ts';
import { asSent, clockOf } from './prometheus-direct.ts';
import { isWorse } from './raise-severity.ts';
import { isInStorm } from './storm.ts';
import { agreement, disagreement } from './two-senders.ts';
import { recordUndecided } from './undecided.ts';

export function decideAlert(
  integration: RoutedIntegration,
  sent: AlertEvent,
  input: AlertInput,
): DecisionResult {
  const { keyState, context } = input;
  const dropped = dropReason(integration);
  if (dropped !== null) return nothing('dropped', dropped);
  const alert = asSent(sent, keyState, context.now);
  if (alert === 'copy') return nothing('ignored', 'it is a copy of an earlier event');
  const result = done(integration, alert, input);
  const about = [...clockOf(alert, input), ...sendersOf(alert, input)];
  if (about.length === 0) return result;
  return { ...result, findings: [...(result.findings ?? []), ...about] };
}

function sendersOf(alert: AlertEvent, { keyState, context }: AlertInput): readonly Finding[] {
  const { action } = alert;
  if (action === 'acknowledge') return [];
  const finding =
    action === 'trigger'
      ? disagreement(alert, keyState.end)
      : agreement(alert, keyState.end, context.now);
  return finding === null ? [] : [finding];
}

function done(
  integration: RoutedIntegration,
  alert: AlertEvent,
  input: AlertInput,
): DecisionResult {
  const { keyState, context } = input;
  switch (alert.action) {
    case 'trigger':
      return trigger(integration, alert, input);
    case 'acknowledge':
      return onOpen(keyState, context, 'acknowledge');
    case 'resolve':
      if (alert.unwatched !== undefined) return leaveUnwatched(keyState, alert.unwatched, context);
      return decideEnd(alert, input);
  }
}

/** A trigger as it stands before any rule does something, and what the team's rules make of it. */
export type Evaluation = {
  /** The open incident that it is counted onto; null: it opens one. */
  readonly onto: Incident | null;
  /** The new incident, or the open one with the trigger counted. */
  readonly arrived: Outcome;
  readonly ruleSet: RuleSet;
  readonly facts: Facts;
  readonly ruled: RuleMatch;
  /** Rules that are tried since the trigger is worse than those before it. */
  readonly raised: readonly Rule[];
};

export function evaluate(
  integration: RoutedIntegration,
  alert: AlertEvent,
  input: AlertInput,
): Evaluation {
  const { keyState, context } = input;
  const { now } = context;
  const ruleSet = ruleSetOf(integration, context);
  const onto = integration.disableSuppression ? null : (keyState.open.at(-1) ?? null);
  const arrived = onto
    ? counted(onto, alert, { context, ruleSet })
    : only(newIncident(integration, alert, arrivingIn(ruleSet, input)));
  const facts = {
    ...factsOf(arrived.incident, { now, isSuppressed: onto !== null }),
    // Rules cover what arrives there, wherever the incident was moved or merged to.
    integrationId: integration.integration_id,
    serviceId: integration.service.id,
  };
  const tried = { onto, arrived, ruleSet, facts };
  if (onto === null || !isWorse(onto, alert))
    return {
      ...tried,
      ruled: matchRules(ruleSet, facts, onto?.escalation.appliedRules),
      raised: [],
    };
  const { appliedRules } = onto.escalation;
  const raised = matchRaised(ruleSet, facts, appliedRules);
  // They ignore nothing: what has become worse is counted.
  const others = ruleSet.rules.filter(({ rule }) => !raised.includes(rule));
  return {
    ...tried,
    ruled: matchRules({ ...ruleSet, rules: others }, facts, appliedRules),
    raised,
  };
}

const arrivingIn = ({ remembered }: RuleSet, { keyState, context }: AlertInput) => ({
  id: context.newId(),
  keyState,
  now: context.now,
  remember: remembered.repeats,
});

type Counting = { readonly context: AlertContext; readonly ruleSet: RuleSet };

function counted(onto: Incident, alert: AlertEvent, { context, ruleSet }: Counting): Outcome {
  const { eventId, isAlone: isLogged = false } = context;
  const [expiresAt, remember] = [alert.expires_at ?? null, ruleSet.remembered.suppressed];
  const event = { type: 'suppressed', alert, eventId, isLogged, expiresAt, remember } as const;
  const outcome = advance(onto, event, context);
  return 'refused' in outcome ? only(onto) : outcome;
}

function trigger(
  integration: RoutedIntegration,
  alert: AlertEvent,
  input: AlertInput,
): DecisionResult {
  const { context, keyState } = input;
  const late = latenessOf(alert, keyState.end, context.now);
  const isOpening = integration.disableSuppression || keyState.open.length === 0;
  if (late?.opens === false && isOpening) {
    // The end that had nothing to end was its own.
    const finding = { kind: 'unmatched_end', subject: alert.dedup_key, text: null } as const;
    return { ...nothing('ignored', late.reason), findings: [finding] };
  }
  const { onto, arrived, ruleSet, ruled, raised } = evaluate(integration, alert, input);
  if ('ignoredBy' in ruled) {
    const ignored = nothing('ignored', `the rule ${ruled.ignoredBy.name} ignores it`);
    return { ...ignored, ruled: true, outcomes: onto ? stillReported(onto, arrived.incident) : [] };
  }
  const rules = inOrder(ruleSet, [...ruled.matched, ...raised]);
  const isRuled = rules.length > 0;
  if (onto === null) {
    const entries = entriesOfAlert(arrived.incident, integration, {
      eventId: context.eventId,
      note: alert.note,
    });
    if (!late?.opens)
      return opened(openIncident(arrived.incident, { entries, rules, ruleSet, context }), isRuled);
    const opening = { entries, rules, ruleSet, late, context };
    return { ...opened(openIncident(arrived.incident, opening), isRuled), end: late.end };
  }
  const applying = { ...context, ruleSet, isOpening: false, raised };
  const ruledOutcome = runPlaybooksOnChange(
    onto.status,
    applyRules(arrived, rules, applying),
    applying,
  );
  const isStormy = isInStorm(onto, context.now) && !isWorse(onto, alert);
  return {
    outcome: 'suppressed',
    reason: 'an incident with this key is open',
    incidentId: onto.id,
    opened: false,
    ruled: isRuled,
    stormEventId: isStormy ? (onto.escalation.storm?.eventId ?? null) : null,
    outcomes: [late === null ? then(ruledOutcome, (one) => endPutOff(one, context)) : ruledOutcome],
  };
}

const inOrder = ({ rules }: RuleSet, matched: readonly Rule[]): readonly Rule[] =>
  rules.flatMap(({ rule }) => (matched.includes(rule) ? [rule] : []));

/** What is ignored is not counted; an incident that would expire does not for that. */
function stillReported(onto: Incident, { escalation }: Incident): Outcome[] {
  const { expiresAt, heardAt, expiresAfterMs, quietAt, senders } = escalation;
  if (heardAt === undefined && senders === undefined) return [];
  const heard = {
    expiresAt,
    ...(heardAt !== undefined && { heardAt }),
    ...(expiresAfterMs !== undefined && { expiresAfterMs }),
    ...(quietAt !== undefined && { quietAt }),
    ...(senders !== undefined && { senders }),
  };
  return [only(withEscalation(onto, heard))];
}

const opened = (outcome: Outcome, ruled = false): DecisionResult => ({
  outcome: 'opened',
  reason: null,
  incidentId: outcome.incident.id,
  opened: true,
  ruled,
  stormEventId: null,
  outcomes: [outcome],
});

/** What is made of an alert whose decision failed: an incident that is paged in a minute, or a note. */
export function openUndecided(
  integration: RoutedIntegration,
  alert: AlertEvent,
  input: AlertInput & { readonly failure: string },
): DecisionResult {
  const { keyState, failure } = input;
  const onto = keyState.open.at(-1);
  if (alert.action === 'trigger' && (!onto || integration.disableSuppression))
    return opened(undecided(integration, alert, input));
  const outcomes = keyState.open.map((incident) => recordUndecided(incident, failure));
  const reason = `the alert could not be processed: ${failure}`;
  return { ...nothing('ignored', reason), incidentId: onto?.id ?? null, outcomes };
}

function undecided(
  integration: RoutedIntegration,
  alert: AlertEvent,
  { keyState, context, failure }: AlertInput & { readonly failure: string },
): Outcome {
  // Nothing is asked of the team's rules: it may be they that failed.
  const arriving = { id: context.newId(), keyState, now: context.now, remember: 0 };
  const incident = newIncident(integration, alert, arriving);
  const entries = entriesOfAlert(incident, integration, {
    eventId: context.eventId,
    note: alert.note,
  });
  return openLater(incident, entries, { failure, context });
}
