// What an alert does to the incidents of the integration that received it.
import type { AlertEvent } from '../alerts/alert.ts';
import type { Rule } from '../rules/rule.ts';
import { followed, live } from './automatic.ts';
import type { Incident, Outcome } from './incident.ts';
import { advance } from './life.ts';
import { monitoring, newIncident, openIncident, openLater } from './opening.ts';
import { type Receiver, whyDropped } from './receiver.ts';
import { applyRules, bookFor, type Deciding, factsOf, ruling } from './ruled.ts';
import { isInStorm } from './storm.ts';
import { undecided } from './undecided.ts';

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

export type Context = Deciding & {
  readonly eventId: string;
  readonly newId: () => string;
};

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
    const outcome = live(incident, { type: action, by: monitoring }, context);
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
  if (onto && !receiver.disableSuppression)
    return suppressed(onto, { receiver, context, expiresAt: alert.expires_at ?? null });
  const { now } = context;
  const book = bookFor(receiver, context);
  const remember = book.timesKept.repeats;
  const incident = newIncident(receiver, alert, { id: context.newId(), known, now, remember });
  const ruled = ruling(book, factsOf(incident, { now, isSuppressed: false }));
  if ('ignoredBy' in ruled) return ignored(ruled.ignoredBy);
  return opened(openIncident(incident, receiver, { rules: ruled.matched, book, context }));
}

const ignored = ({ name }: Rule) => nothing('ignored', `the rule ${name} ignores it`);

type Suppressing = {
  readonly receiver: Receiver;
  readonly context: Context;
  readonly expiresAt: Temporal.Instant | null;
};

function suppressed(onto: Incident, { receiver, context, expiresAt }: Suppressing): Received {
  const { now, eventId } = context;
  const book = bookFor(receiver, context);
  const counted = isInStorm(onto, now);
  const remember = book.timesKept.suppressed;
  const event = { type: 'suppressed', eventId, expiresAt, remember } as const;
  const outcome = advance(onto, event, context);
  const outcomes = 'refused' in outcome ? [] : [outcome];
  const facts = factsOf(outcomes[0]?.incident ?? onto, { now, isSuppressed: true });
  const ruled = ruling(book, facts, onto.escalation.appliedRules);
  if ('ignoredBy' in ruled) return ignored(ruled.ignoredBy);
  const applying = { ...context, book, isOpening: false };
  return {
    outcome: 'suppressed',
    reason: 'an incident of this key is open',
    incidentId: onto.id,
    opened: false,
    stormEventId: counted ? (onto.escalation.storm?.eventId ?? null) : null,
    outcomes: outcomes.map((one) =>
      followed(onto.status, applyRules(one, ruled.matched, applying), applying),
    ),
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
