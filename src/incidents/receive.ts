// What an alert does to the incidents of the integration that received it.
import type { AlertEvent } from '../alerts/alert.ts';
import type { Step } from '../resources/escalation-policy.ts';
import type { Directory } from './directory.ts';
import { fire, repeatsAtMost } from './escalation.ts';
import {
  type Actor,
  type Entry,
  entry,
  type Incident,
  minutesAfter,
  type Outcome,
  type Span,
  spanAfter,
} from './incident.ts';
import { advance } from './life.ts';
import { isInStorm } from './storm.ts';

/** An integration with all that deciding needs, as it is when the event is decided. */
export type Receiver = {
  readonly organization_id: string;
  readonly integration_id: string;
  readonly team_id: string;
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly archived: boolean;
  readonly disableSuppression: boolean;
  readonly repeats: boolean;
  readonly ackTimeoutMinutes: number | null;
  readonly autoResolve: Span | null;
  readonly service: { readonly id: string; readonly name: string; readonly archived: boolean };
  readonly policy: {
    readonly id: string;
    readonly name: string;
    readonly archived: boolean;
    readonly delayMinutes: number;
    readonly steps: readonly Step[];
  };
};

/** What is known of the alert's key at this integration. */
export type Known = {
  /** Open incidents that match, merged ones' targets included; oldest first. */
  readonly open: readonly Incident[];
  readonly repeatCount: number;
  /** Priority and severity that a person set on the last one. */
  readonly carried: { readonly priority: string | null; readonly severity: string | null };
};

export type AlertOutcome =
  | 'opened'
  | 'suppressed'
  | 'resolved'
  | 'acknowledged'
  | 'ignored'
  | 'dropped';

export type Received = {
  readonly outcome: AlertOutcome;
  readonly reason: string | null;
  /** The incident it went to: opened or changed. */
  readonly incidentId: string | null;
  readonly opened: boolean;
  /** Counted onto the row of this event instead of being kept singly. */
  readonly stormEventId: string | null;
  readonly outcomes: readonly Outcome[];
};

type Context = {
  readonly directory: Directory;
  readonly now: Temporal.Instant;
  readonly eventId: string;
  readonly newId: () => string;
};

/** Why events to it are dropped, if they are [2.1]. */
export function whyDropped(receiver: Receiver): string | null {
  if (receiver.archived) return 'the integration is archived';
  if (receiver.service.archived) return 'the service is archived';
  if (!receiver.enabled) return 'the integration is disabled';
  return null;
}

export function receive(
  receiver: Receiver,
  alert: AlertEvent,
  given: { readonly known: Known; readonly context: Context },
): Received {
  const { known, context } = given;
  const dropped = whyDropped(receiver);
  if (dropped !== null) return nothing('dropped', dropped);
  switch (alert.action) {
    case 'trigger':
      return trigger(receiver, alert, { known, context });
    case 'acknowledge':
      return onOpen(known, context, 'acknowledge');
    case 'resolve':
      return onOpen(known, context, 'resolve');
  }
}

const nothing = (outcome: AlertOutcome, reason: string): Received => ({
  outcome,
  reason,
  incidentId: null,
  opened: false,
  stormEventId: null,
  outcomes: [],
});

const monitoring: Actor = { type: 'alert', name: 'The alert', via: 'alert' };

/** Acknowledges or resolves all open incidents of the key. */
function onOpen(known: Known, context: Context, action: 'acknowledge' | 'resolve'): Received {
  const last = known.open.at(-1);
  if (!last) return nothing('ignored', `nothing open to ${action}`);
  const outcomes = known.open.flatMap((incident) => {
    const outcome = advance(incident, { type: action, by: monitoring }, context);
    return 'refused' in outcome ? [] : [outcome];
  });
  return {
    outcome: action === 'resolve' ? 'resolved' : 'acknowledged',
    reason: null,
    incidentId: last.id,
    opened: false,
    stormEventId: null,
    outcomes,
  };
}

function trigger(
  receiver: Receiver,
  alert: AlertEvent,
  given: { readonly known: Known; readonly context: Context },
): Received {
  const { known, context } = given;
  const onto = known.open.at(-1);
  if (!onto || receiver.disableSuppression) return open(receiver, alert, given);
  const counted = isInStorm(onto, context.now);
  const suppressed = {
    type: 'suppressed',
    eventId: context.eventId,
    expiresAt: alert.expires_at ?? null,
  } as const;
  const outcome = advance(onto, suppressed, context);
  return {
    outcome: 'suppressed',
    reason: 'an incident of this key is open',
    incidentId: onto.id,
    opened: false,
    stormEventId: counted ? (onto.escalation.storm?.eventId ?? null) : null,
    outcomes: 'refused' in outcome ? [] : [outcome],
  };
}

function open(
  receiver: Receiver,
  alert: AlertEvent,
  given: { readonly known: Known; readonly context: Context },
): Received {
  const { context } = given;
  const incident = newIncident(receiver, alert, given);
  const { delayMinutes } = receiver.policy;
  const entries = openingEntries(incident, receiver, context.eventId);
  const outcome: Outcome =
    delayMinutes > 0
      ? {
          incident: waiting(incident, minutesAfter(context.now, delayMinutes)),
          intents: [],
          entries: [entry(incident, 'delayed', `Paging begins in ${delayMinutes} minutes`)],
          allClear: false,
        }
      : fire(incident, context.directory, context.now);
  return {
    outcome: 'opened',
    reason: null,
    incidentId: incident.id,
    opened: true,
    stormEventId: null,
    outcomes: [{ ...outcome, entries: [...entries, ...outcome.entries] }],
  };
}

const waiting = (incident: Incident, stepAt: Temporal.Instant): Incident => ({
  ...incident,
  escalation: { ...incident.escalation, stepAt },
});

function openingEntries(incident: Incident, receiver: Receiver, eventId: string): Entry[] {
  const says = `Opened by an alert to ${receiver.name}, on ${receiver.service.name}`;
  const opened = entry(incident, 'opened', says, {
    actor: monitoring,
    details: { event_id: eventId, policy: receiver.policy.name },
  });
  if (!receiver.policy.archived) return [opened];
  const warning = `The policy ${receiver.policy.name} is archived: its last steps are used`;
  return [opened, entry(incident, 'archived_policy', warning)];
}

function newIncident(
  receiver: Receiver,
  alert: AlertEvent,
  given: { readonly known: Known; readonly context: Context },
): Incident {
  const { known, context } = given;
  const { now } = context;
  return {
    id: context.newId(),
    organization_id: receiver.organization_id,
    number: 0,
    title: alert.title,
    status: 'triggered',
    priority: known.carried.priority ?? alert.priority ?? null,
    severity: known.carried.severity ?? alert.severity ?? null,
    team_id: receiver.team_id,
    service_id: receiver.service.id,
    integration_id: receiver.integration_id,
    source_integration_id: receiver.integration_id,
    escalation_policy_id: receiver.policy.id,
    dedup_key: alert.dedup_key,
    details: alert.details ?? null,
    links: alert.links ?? [],
    responder_ids: [],
    suppressed_count: 0,
    repeat_count: known.repeatCount,
    created_at: now,
    updated_at: now,
    acknowledged_at: null,
    resolved_at: null,
    resolved_by_timer: false,
    muted_until: null,
    merged_into_id: null,
    steps: receiver.policy.steps,
    escalation: {
      policyName: receiver.policy.name,
      delayMinutes: receiver.policy.delayMinutes,
      repeats: receiver.repeats,
      ackTimeoutMinutes: receiver.ackTimeoutMinutes,
      autoResolve: receiver.autoResolve,
      cycle: 0,
      nextStep: 0,
      repeatsLeft: repeatsAtMost,
      pagedInCycle: false,
      stepAt: null,
      heldMs: null,
      ackTimeoutAt: null,
      resolveAt: spanAfter(now, receiver.autoResolve),
      expiresAt: alert.expires_at ?? null,
      recentTriggers: [now.epochMilliseconds],
      storm: null,
      prioritySetByPerson: known.carried.priority !== null,
      severitySetByPerson: known.carried.severity !== null,
    },
  };
}
