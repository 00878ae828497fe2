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
import type { AlertContext, AlertInput, KeyState, OpenGroup } from './alert-context.ts';
import type { RoutedIntegration } from './configuration.ts';
import { dropReason } from './configuration.ts';
import { decideEnd, leaveUnwatched, onOpen } from './decide-end.ts';
import { type DecisionResult, nothing } from './decision-result.ts';
import type { Finding } from './findings.ts';
import { entry, type Incident, type Outcome, only, then, withEscalation } from './incident.ts';
import { type AlertKey, alertIn, focused, marked, settled } from './incident-alerts.ts';
import { join, labelling, whyApart } from './join-incident.ts';
import { endPutOff, latenessOf } from './lateness.ts';
import { advance } from './lifecycle.ts';
import { heardFirst } from './missed-events.ts';
import { omissionOf } from './omitted-alerts.ts';
import { entriesOfAlert, newIncident, openIncident, openLater } from './open-incident.ts';
import { pageForJoin, pageForWorse } from './page-again.ts';
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
  const key = { integration_id: integration.integration_id, dedup_key: sent.dedup_key };
  const open = keyState.open.map((one) => focused(one, key));
  const alert = asSent(sent, { ...keyState, open }, context.now);
  if (alert === 'copy') return nothing('ignored', 'it is a copy of an earlier event');
  const known = { ...keyState, open: open.map((one) => asReported(one, key, alert)) };
  const focusedInput = { ...input, keyState: known };
  const result = settleAlert(done(integration, alert, focusedInput), { key, keyState });
  const about = [
    ...clockOf(alert, focusedInput),
    ...sendersOf(alert, focusedInput),
    ...omissionOf(integration, alert),
  ];
  if (about.length === 0) return result;
  return { ...result, findings: [...(result.findings ?? []), ...about] };

  /** One of several alerts that has ended fires again: how it was reported before is over. */
  function asReported(one: Incident, of: AlertKey, { action, expires_at }: AlertEvent): Incident {
    if (action !== 'trigger' || alertIn(one, of)?.state !== 'resolved') return one;
    const { resolveWhenQuiet } = integration;
    return withEscalation(one, {
      expiresAt: expires_at ?? null,
      ...heardFirst(expires_at ?? null, resolveWhenQuiet, context.now),
    });
  }
}

/** Each outcome for the whole incident, of which the alert is one. */
function settleAlert(
  result: DecisionResult,
  { key, keyState }: { readonly key: AlertKey; readonly keyState: KeyState },
): DecisionResult {
  if (keyState.open.every(({ alerts }) => alerts === undefined)) return result;
  const before = new Map(keyState.open.map((one) => [one.id, one]));
  const outcomes = result.outcomes.map((outcome) => {
    const of = before.get(outcome.incident.id);
    return of ? { ...outcome, incident: settled(outcome.incident, key, of) } : outcome;
  });
  return { ...result, outcomes };
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
  isTest: context.isTest,
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
  const evaluation = evaluate(integration, alert, input);
  const { onto, arrived, ruleSet, ruled, raised } = evaluation;
  if ('ignoredBy' in ruled) {
    const ignored = nothing('ignored', `the rule ${ruled.ignoredBy.name} ignores it`);
    return { ...ignored, ruled: true, outcomes: onto ? stillReported(onto, arrived.incident) : [] };
  }
  const rules = inOrder(ruleSet, [...ruled.matched, ...raised]);
  const isRuled = rules.length > 0;
  if (onto === null) {
    // A test hides no problem, and no problem is hidden by a test.
    const group = context.isTest ? null : (input.group ?? null);
    const incident =
      group === null ? arrived.incident : { ...arrived.incident, group_key: group.key };
    const joining = { incident, rules, ruleSet, note: alert.note };
    const { into, note } =
      group === null ? alone : joinableOf(group, joining, { integration, now: context.now });
    if (group !== null && into !== null) {
      const joined = joinGroup(into, { ...joining, rule: group.rule }, context);
      return {
        ...opened(late === null ? then(joined, (one) => endPutOff(one, context)) : joined, isRuled),
        outcome: 'grouped',
        opened: false,
        reason: 'it joined the open incident of its group',
        ...(late?.opens && { end: late.end }),
      };
    }
    const noted = entriesOfAlert(incident, integration, {
      eventId: context.eventId,
      note: alert.note,
    });
    const apart =
      note === null ? [] : [entry(incident, 'opened_apart', note.text, { details: note.details })];
    const entries = [...noted, ...apart];
    const own = openIncident(incident, {
      entries,
      rules,
      ruleSet,
      context,
      ...(late?.opens && { late }),
    });
    return { ...opened(own, isRuled), ...(late?.opens && { end: late.end }) };
  }
  const applying = { ...context, ruleSet, isOpening: false, raised };
  const key = { integration_id: integration.integration_id, dedup_key: alert.dedup_key };
  const isAgain = alertIn(onto, key)?.state === 'resolved';
  const is_test = onto.is_test && context.isTest === true;
  const again = {
    ...arrived,
    incident: { ...countedAgain(arrived.incident, key, context.now), is_test },
  };
  const paged = then(applyRules(again, rules, applying), (one) =>
    pageForWorse(one, { before: onto, alert }, context),
  );
  const ruledOutcome = runPlaybooksOnChange(
    onto.status,
    isAgain ? then(paged, (one) => pageForJoin(one, context)) : paged,
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

/** The alert is triggered once more, and fires whether or not it had ended. */
function countedAgain(incident: Incident, key: AlertKey, now: Temporal.Instant): Incident {
  const times = (alertIn(incident, key)?.times ?? 0) + 1;
  return marked(incident, key, { state: 'firing', resolved_at: null, last_at: now, times });
}

type JoiningAlert = {
  /** That the alert opens if it joins none. */
  readonly incident: Incident;
  readonly rules: readonly Rule[];
  readonly ruleSet: RuleSet;
  readonly note: string | undefined;
};

const alone = { into: null, note: null } as const;

/** The newest incident that the alert may join; or what is noted of the newest that it may not. */
function joinableOf(
  { open, windowMinutes }: OpenGroup,
  { incident: { dedup_key }, rules }: JoiningAlert,
  { integration, now }: { readonly integration: RoutedIntegration; readonly now: Temporal.Instant },
) {
  const alert = { integration_id: integration.integration_id, dedup_key };
  const apart = open.map((one) => ({
    one,
    why: whyApart(one, { integration, alert, windowMinutes, rules, now }),
  }));
  const into = apart.find(({ why }) => why === null)?.one ?? null;
  const noted = apart.find(({ why }) => why?.note);
  const note = noted?.why?.note
    ? { text: noted.why.note, details: { incident_id: noted.one.id } }
    : null;
  return { into, note };
}

/** Rules label the alert before it is compared with those of the incident. */
function joinGroup(
  into: Incident,
  { incident, rules, ruleSet, note, rule }: JoiningAlert & Pick<OpenGroup, 'rule'>,
  context: AlertContext,
): Outcome {
  const applying = { ...context, ruleSet, isOpening: true };
  const { incident: arrived } = applyRules(only(incident), rules.map(labelling), applying);
  const joined = join(into, { arrived, rule, note, eventId: context.eventId }, context);
  return runPlaybooksOnChange(into.status, joined, { ...context, isOpening: false });
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
  const { now, isTest } = context;
  const arriving = { id: context.newId(), keyState, now, remember: 0, isTest };
  const incident = newIncident(integration, alert, arriving);
  const entries = entriesOfAlert(incident, integration, {
    eventId: context.eventId,
    note: alert.note,
  });
  return openLater(incident, entries, { failure, context });
}
