// What an alert does to the incidents of the integration that received it.

import type { AlertEvent } from '../alerts/alert.ts';
import type { Facts } from '../rules/facts.ts';
import type { Rule } from '../rules/rule.ts';
import { advanceWithPlaybooks, runPlaybooksOnChange } from './actions/automatic-playbooks.ts';
import {
  applyRules,
  factsOf,
  matchRaised,
  matchRules,
  type RuleMatch,
  type RuleSet,
  ruleSetOf,
} from './actions/routing-rules.ts';
import type { AlertContext, AlertInput, KeyState } from './alert-context.ts';
import type { ReceivingIntegration } from './configuration.ts';
import { dropReason } from './configuration.ts';
import { asSent, directEnd } from './direct.ts';
import { entry, type Incident, type Outcome, only, then, withEscalation } from './incident.ts';
import { endPutOff, endTaken, type KeyEnd, lateEnd, latenessOf } from './lateness.ts';
import { advance } from './lifecycle.ts';
import {
  entriesOfAlert,
  monitoring,
  newIncident,
  openIncident,
  openLater,
} from './open-incident.ts';
import { isInStorm } from './storm.ts';
import { recordUndecided } from './undecided.ts';
import { isWorse } from './worse.ts';

export type AlertOutcome =
  | 'opened'
  | 'suppressed'
  | 'resolved'
  | 'acknowledged'
  | 'ignored'
  | 'dropped';

export type ReceiveResult = {
  readonly outcome: AlertOutcome;
  readonly reason: string | null;
  /** The incident it went to: opened or changed. */
  readonly incidentId: string | null;
  readonly opened: boolean;
  /** Rules of its team matched it. */
  readonly ruled: boolean;
  /** Counted onto the row of this event instead of being kept singly. */
  readonly stormEventId: string | null;
  readonly outcomes: readonly Outcome[];
  /** What is remembered from now on of the last end of the key; absent: it stays. */
  readonly end?: KeyEnd;
};

export function receive(
  integration: ReceivingIntegration,
  sent: AlertEvent,
  input: AlertInput,
): ReceiveResult {
  const { keyState, context } = input;
  const dropped = dropReason(integration);
  if (dropped !== null) return nothing('dropped', dropped);
  const alert = asSent(sent, keyState, context.now);
  if (alert === 'copy') return nothing('ignored', 'it is a copy of what has come already');
  switch (alert.action) {
    case 'trigger':
      return trigger(integration, alert, input);
    case 'acknowledge':
      return onOpen(keyState, context, 'acknowledge');
    case 'resolve':
      if (alert.unwatched !== undefined) return leaveUnwatched(keyState, alert.unwatched, context);
      return end(keyState, alert, context);
  }
}

/** Resolves what is open, unless the end is older than what was reported last; and is remembered. */
function end(keyState: KeyState, alert: AlertEvent, context: AlertContext): ReceiveResult {
  const late = new Map(keyState.open.map((one) => [one, lateEnd(alert, one)] as const));
  const open = keyState.open.filter((one) => late.get(one) === null);
  const [why] = [...late.values()].filter((reason) => reason !== null);
  if (why !== undefined && open.length === 0) {
    const outcomes = keyState.open.map((one) =>
      only(one, entry(one, 'late_end', `Nothing ended: ${late.get(one)}`)),
    );
    return { ...nothing('ignored', why), incidentId: keyState.open.at(-1)?.id ?? null, outcomes };
  }
  const remembered = directEnd(alert, context.now) ?? endTaken(alert, keyState.end, context.now);
  const ended = onOpen({ ...keyState, open }, context, 'resolve');
  return remembered === undefined ? ended : { ...ended, end: remembered };
}

const nothing = (outcome: AlertOutcome, reason: string): ReceiveResult => ({
  outcome,
  reason,
  incidentId: null,
  opened: false,
  ruled: false,
  stormEventId: null,
  outcomes: [],
});

/** Acknowledges or resolves all open incidents of the key. */
function onOpen(
  keyState: KeyState,
  context: AlertContext,
  action: 'acknowledge' | 'resolve',
): ReceiveResult {
  const last = keyState.open.at(-1);
  if (!last) return nothing('ignored', `no open incident to ${action}`);
  const outcomes = keyState.open.flatMap((incident) => {
    const outcome = advanceWithPlaybooks(incident, { type: action, by: monitoring }, context);
    return 'refused' in outcome ? [] : [outcome];
  });
  return {
    outcome: action === 'resolve' ? 'resolved' : 'acknowledged',
    reason: null,
    incidentId: last.id,
    opened: false,
    ruled: false,
    stormEventId: null,
    outcomes,
  };
}

/** Nobody knows whether the problem is over, so what is open stays open, and says so. */
function leaveUnwatched({ open }: KeyState, words: string, context: AlertContext): ReceiveResult {
  const reason = `its source no longer watches it and will not report its end (${words})`;
  const last = open.at(-1);
  if (!last) return nothing('ignored', reason);
  const text = `The source no longer watches this and will not report its end (${words})`;
  const outcomes = open.flatMap((incident) => {
    const outcome = advance(incident, { type: 'note', by: monitoring, text }, context);
    return 'refused' in outcome ? [] : [outcome];
  });
  return {
    ...nothing('ignored', `${reason}; the incident stays open`),
    ...{ incidentId: last.id, outcomes },
  };
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
  integration: ReceivingIntegration,
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
    ...{ integrationId: integration.integration_id, serviceId: integration.service.id },
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
  ...{ id: context.newId(), keyState, now: context.now, remember: remembered.repeats },
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
  integration: ReceivingIntegration,
  alert: AlertEvent,
  input: AlertInput,
): ReceiveResult {
  const { context, keyState } = input;
  const late = latenessOf(alert, keyState.end, context.now);
  const isOpening = integration.disableSuppression || keyState.open.length === 0;
  if (late?.opens === false && isOpening) return nothing('ignored', late.reason);
  const { onto, arrived, ruleSet, ruled, raised } = evaluate(integration, alert, input);
  if ('ignoredBy' in ruled) {
    const ignored = nothing('ignored', `the rule ${ruled.ignoredBy.name} ignores it`);
    return { ...ignored, ruled: true, outcomes: onto ? stillReported(onto, arrived.incident) : [] };
  }
  const rules = inOrder(ruleSet, [...ruled.matched, ...raised]);
  const isRuled = rules.length > 0;
  if (onto === null) {
    const entries = entriesOfAlert(arrived.incident, integration, {
      ...{ eventId: context.eventId, note: alert.note },
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
    reason: 'an incident of this key is open',
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
  const { expiresAt, heardAt, expiresAfterMs, quietAt } = escalation;
  if (heardAt === undefined) return [];
  const heard = {
    ...{ expiresAt, heardAt },
    ...(expiresAfterMs !== undefined && { expiresAfterMs }),
    ...(quietAt !== undefined && { quietAt }),
  };
  return [only(withEscalation(onto, heard))];
}

const opened = (outcome: Outcome, ruled = false): ReceiveResult => ({
  outcome: 'opened',
  reason: null,
  incidentId: outcome.incident.id,
  opened: true,
  ruled,
  stormEventId: null,
  outcomes: [outcome],
});

/** What is made of an alert whose decision failed: an incident that is paged in a minute, or a note. */
export function receiveUndecided(
  integration: ReceivingIntegration,
  alert: AlertEvent,
  input: AlertInput & { readonly failure: string },
): ReceiveResult {
  const { keyState, failure } = input;
  const onto = keyState.open.at(-1);
  if (alert.action === 'trigger' && (!onto || integration.disableSuppression))
    return opened(undecided(integration, alert, input));
  const outcomes = keyState.open.map((incident) => recordUndecided(incident, failure));
  const reason = `the alert could not be decided: ${failure}`;
  return { ...nothing('ignored', reason), incidentId: onto?.id ?? null, outcomes };
}

function undecided(
  integration: ReceivingIntegration,
  alert: AlertEvent,
  { keyState, context, failure }: AlertInput & { readonly failure: string },
): Outcome {
  // Nothing is asked of the team's rules: it may be they that failed.
  const arriving = { id: context.newId(), keyState, now: context.now, remember: 0 };
  const incident = newIncident(integration, alert, arriving);
  const entries = entriesOfAlert(incident, integration, {
    ...{ eventId: context.eventId, note: alert.note },
  });
  return openLater(incident, entries, { failure, context });
}
