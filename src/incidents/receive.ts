// What an alert does to the incidents of the integration that received it.
import type { AlertEvent } from '../alerts/alert.ts';
import type { Step } from '../resources/escalation-policy.ts';
import type { Directory } from './directory.ts';
import type { Incident, Outcome, Span } from './incident.ts';
import { advance } from './life.ts';
import { monitoring, openIncident, openLater } from './opening.ts';
import { isInStorm } from './storm.ts';
import { undecided } from './undecided.ts';

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
  /** When the last earlier incidents were opened, in epoch milliseconds, oldest first. */
  readonly repeatedAt: readonly number[];
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

export type Context = {
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
  if (!onto || receiver.disableSuppression) return opened(openIncident(receiver, alert, given));
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

const opened = (outcome: Outcome): Received => ({
  outcome: 'opened',
  reason: null,
  incidentId: outcome.incident.id,
  opened: true,
  stormEventId: null,
  outcomes: [outcome],
});

/** What is made of an alert whose decision failed: an incident that is paged in a minute, or a note. */
export function receiveUndecided(
  receiver: Receiver,
  alert: AlertEvent,
  given: { readonly known: Known; readonly context: Context; readonly failure: string },
): Received {
  const { known, failure } = given;
  const onto = known.open.at(-1);
  if (alert.action === 'trigger' && (!onto || receiver.disableSuppression))
    return opened(openLater(receiver, alert, given));
  const outcomes = known.open.map((incident) => undecided(incident, failure));
  const reason = `the alert could not be decided: ${failure}`;
  return { ...nothing('ignored', reason), incidentId: onto?.id ?? null, outcomes };
}
