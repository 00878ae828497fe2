import type { AlertEvent } from '../alerts/alert.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { counted } from '../resources/plural.ts';
import { capitalised } from '../resources/sentence.ts';
import type { Rule } from '../rules/match-rule.ts';
import { runEscalationPlaybooks, runStatusPlaybooks } from './actions/automatic-playbooks.ts';
import { applyRules, type RuleSet } from './actions/routing-rules.ts';
import type { AlertContext, KeyState } from './alert-context.ts';
import type { DecisionContext, Policy, RoutedIntegration } from './configuration.ts';
import { archivedPolicyEntries, runStep } from './escalation.ts';
import {
  type Actor,
  after,
  type Entry,
  entry,
  type Incident,
  isSooner,
  lastTimes,
  minutesAfter,
  type Outcome,
  only,
  spanAfter,
  then,
} from './incident.ts';
import { type Lateness, putOff } from './lateness.ts';
import { heardFirst } from './missed-events.ts';
import { sendersWith } from './prometheus-direct.ts';
import { reportersWith } from './two-senders.ts';
import { notifyAdminsOfFailure, postpone } from './undecided.ts';

export const monitoring: Actor = { type: 'alert', name: 'The alert', via: 'alert' };

/** What a new incident follows: the integration that received its alert, or a person's choice. */
export type Origin = Pick<
  RoutedIntegration,
  | 'organization_id'
  | 'team_id'
  | 'service'
  | 'policy'
  | 'repeats'
  | 'ackTimeoutMinutes'
  | 'autoResolve'
  | 'resolveWhenQuiet'
> & { readonly integration_id: string | null };

type Opening = {
  readonly entries: readonly Entry[];
  readonly rules: readonly Rule[];
  readonly ruleSet: RuleSet;
  /** Its paging may be put off. */
  readonly late?: Extract<Lateness, { readonly opens: true }> | undefined;
  /** `eventId`: what made it be opened; rules that apply for that do so once. */
  readonly context: DecisionContext & Pick<AlertContext, 'eventId'>;
};

/**
 * A new incident with the policy's steps as they are now, changed by rules and playbooks; then its
 * first step fires unless it waits, or nobody is needed any more.
 */
export function openIncident(incident: Incident, opening: Opening): Outcome {
  const { entries, rules, ruleSet, late, context } = opening;
  const started = only(incident, ...entries);
  const ruled = applyRules(started, rules, { ...context, ruleSet, isOpening: true });
  const decided = runStatusPlaybooks(ruled, { ...context, isOpening: true });
  const begun = then(decided, (one) => begin(one, context, late));
  return runEscalationPlaybooks(begun, begun.intents, { ...context, isOpening: false });
}

function begin(
  incident: Incident,
  { configuration, now }: DecisionContext,
  late: Opening['late'],
): Outcome {
  if (incident.status !== 'triggered') return only(incident);
  const { delayMinutes } = incident.escalation;
  const due = minutesAfter(now, delayMinutes);
  if (late && isSooner(due, late.until)) return putOff(incident, late);
  if (delayMinutes === 0) return runStep(incident, configuration, now);
  const delayed = entry(
    incident,
    'paging_delayed',
    `Paging starts in ${counted(delayMinutes, 'minute')}`,
  );
  return only(waiting(incident, due), delayed);
}

/** A new incident whose first step could not be decided now: it is tried again in a minute. */
export function openLater(
  incident: Incident,
  entries: readonly Entry[],
  failing: { readonly failure: string; readonly context: DecisionContext },
): Outcome {
  const { failure, context } = failing;
  const postponed = postpone(waiting(incident, context.now), failure, context.now);
  return after(
    entries,
    then(postponed, (one) => notifyAdminsOfFailure(one, context)),
  );
}

const waiting = (incident: Incident, stepAt: Temporal.Instant): Incident => ({
  ...incident,
  escalation: { ...incident.escalation, stepAt },
});

/** How the timeline of an incident begins that an alert opens. */
export function entriesOfAlert(
  incident: Incident,
  { name, service, policy }: RoutedIntegration,
  { eventId, note }: { readonly eventId: string; readonly note?: string | undefined },
): readonly Entry[] {
  const text = `Opened by an alert to ${name}, on ${service.name}`;
  const details = { event_id: eventId, policy: policy.name };
  return [
    ...entriesOfOpening(incident, policy, { text, actor: monitoring, details }),
    ...(note === undefined ? [] : [noteEntry(incident, note, eventId)]),
  ];
}

export const noteEntry = (incident: Incident, note: string, event_id: string): Entry =>
  entry(incident, 'alert_note', capitalised(note), { details: { event_id } });

type Opened = { readonly text: string; readonly actor: Actor; readonly details: object };

export const entriesOfOpening = (
  incident: Incident,
  policy: Policy,
  { text, ...about }: Opened,
): readonly Entry[] => [
  entry(incident, 'opened', text, about),
  ...archivedPolicyEntries(incident, policy),
];

type Arriving = {
  readonly id: string;
  readonly keyState: KeyState;
  readonly now: Temporal.Instant;
  /** How many times of earlier incidents the team's rules ask about. */
  readonly remember: number;
  readonly isTest?: boolean | undefined;
};

/** As the alert or the person makes it, before any rule. */
export function newIncident(
  origin: Origin,
  alert: Omit<AlertEvent, 'action'>,
  { id, keyState, now, remember, isTest = false }: Arriving,
): Incident {
  return {
    id,
    organization_id: origin.organization_id,
    number: 0,
    title: alert.title,
    status: 'triggered',
    priority: keyState.carried.priority ?? alert.priority ?? null,
    severity: keyState.carried.severity ?? alert.severity ?? null,
    team_id: origin.team_id,
    service_id: origin.service.id,
    integration_id: origin.integration_id,
    source_integration_id: origin.integration_id,
    escalation_policy_id: origin.policy.id,
    dedup_key: alert.dedup_key,
    raw_key: alert.raw_key ?? null,
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
    verdict: null,
    verdict_by: null,
    verdict_at: null,
    is_test: isTest,
    steps: origin.policy.steps,
    escalation: {
      policyName: origin.policy.name,
      delayMinutes: origin.policy.delayMinutes,
      repeats: origin.repeats,
      ackTimeoutMinutes: origin.ackTimeoutMinutes,
      autoResolve: origin.autoResolve,
      cycle: 0,
      nextStep: 0,
      repeatsLeft: incidentsLimits.repeats,
      pagedInCycle: false,
      stepAt: null,
      stepRemainingMs: null,
      ackTimeoutAt: null,
      resolveAt: spanAfter(now, origin.autoResolve),
      expiresAt: alert.expires_at ?? null,
      ...sendersWith(undefined, alert.direct, now),
      ...reportersWith(undefined, alert),
      ...heardFirst(alert.expires_at ?? null, origin.resolveWhenQuiet, now),
      recentTriggers: [now.epochMilliseconds],
      storm: null,
      stormNotifiedAt: null,
      ...(alert.sourceTime !== undefined && {
        lastSourceTime: { by: alert.sourceTime.by, at: alert.sourceTime.at },
      }),
      worst: { severity: alert.severity ?? null, priority: alert.priority ?? null },
      prioritySetByPerson: keyState.carried.priority !== null,
      severitySetByPerson: keyState.carried.severity !== null,
      suppressedAt: [],
      repeatedAt: lastTimes(keyState.repeatedAt, remember),
      appliedRules: [],
    },
  };
}
