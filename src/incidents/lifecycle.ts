// The lifecycle of an incident: one function from (incident, event, now) to its outcome. Only this
// file decides which action is allowed in which status.

import type { AlertEvent } from '../alerts/alert.ts';
import { acknowledge, unacknowledge } from './acknowledgement.ts';
import type { DecisionContext } from './configuration.ts';
import { endSilent } from './end-alert.ts';
import { repeatAt, runStep, startCycle, takenBy } from './escalation.ts';
import {
  type Actor,
  after,
  entry,
  type Incident,
  isDue,
  isMuted,
  isOpen,
  isSooner,
  noted,
  type Outcome,
  only,
  type Refused,
  takenByOf,
  timer,
  withEscalation,
} from './incident.ts';
import { absorb, mergeInto } from './merge.ts';
import { expiryOf, quietUntil, type Spell } from './missed-events.ts';
import { mute, unmute } from './mute.ts';
import { awaitingNothing, awaitTaken, isStillTried, type RoundPage } from './page-results.ts';
import { type Label, label } from './priority-and-severity.ts';
import type { Reported } from './raise-severity.ts';
import { type Respond, respond } from './reassign-and-add-responder.ts';
import { expire, fallSilent, reopen, resolve } from './resolve.ts';
import { suppress } from './suppression.ts';
import { type SetVerdict, setVerdict } from './verdict.ts';

export type IncidentEvent =
  | {
      readonly type: 'timer';
      /** Those of the cycle; without them, as if each page were sent. */
      readonly pages?: readonly RoundPage[];
      /** Spells in which no server took events of its integration. */
      readonly deaf?: readonly Spell[];
    }
  | { readonly type: 'acknowledge'; readonly by: Actor }
  | { readonly type: 'unacknowledge'; readonly by: Actor }
  | { readonly type: 'escalate'; readonly by: Actor }
  | { readonly type: 'resolve'; readonly by: Actor }
  | { readonly type: 'reopen'; readonly by: Actor; readonly anotherIsOpen: boolean }
  | { readonly type: 'mute'; readonly by: Actor; readonly until: Temporal.Instant | null }
  | { readonly type: 'unmute'; readonly by: Actor }
  | { readonly type: 'note'; readonly by: Actor; readonly text: string }
  | Label
  | SetVerdict
  | Respond
  | { readonly type: 'merge'; readonly by: Actor; readonly into: Incident }
  | { readonly type: 'absorbed'; readonly by: Actor; readonly other: Incident }
  | {
      readonly type: 'suppressed';
      readonly alert: Reported & Pick<AlertEvent, 'sourceTime' | 'direct'>;
      readonly eventId: string;
      /** The event log tells of it, so the timeline need not. */
      readonly isLogged: boolean;
      readonly expiresAt: Temporal.Instant | null;
      /** How many times of suppressed events the team's rules ask about. */
      readonly remember: number;
    };

export function advance(
  incident: Incident,
  event: IncidentEvent,
  context: DecisionContext,
): Outcome | Refused {
  const result = decide(incident, event, context);
  if ('refused' in result || result.incident === incident) return result;
  return { ...result, incident: { ...result.incident, updated_at: context.now } };
}

function decide(
  incident: Incident,
  event: IncidentEvent,
  context: DecisionContext,
): Outcome | Refused {
  switch (event.type) {
    case 'timer':
      return runTimers(incident, event, context);
    case 'suppressed':
      return suppress(incident, event, context);
    case 'note':
      return only(incident, entry(incident, 'note', event.text, { actor: event.by }));
    case 'set_priority':
    case 'set_severity':
      return label(incident, event);
    case 'set_verdict':
      return setVerdict(incident, event, context.now);
    case 'resolve':
      return isOpen(incident)
        ? resolve(incident, event.by, context.now)
        : only(incident, noted(incident, event.by, 'resolve', 'it was already resolved'));
    case 'reopen':
      return reopen(incident, event, context);
    case 'acknowledge':
    case 'unacknowledge':
    case 'escalate':
    case 'mute':
    case 'unmute':
    case 'reassign':
    case 'add_responder':
    case 'merge':
    case 'absorbed':
      return isOpen(incident)
        ? decideOpen(incident, event, context)
        : { refused: `INC-${incident.number} is resolved` };
  }
}

type OpenEvent = Extract<
  IncidentEvent,
  {
    type:
      | 'acknowledge'
      | 'unacknowledge'
      | 'escalate'
      | 'mute'
      | 'unmute'
      | 'reassign'
      | 'add_responder'
      | 'merge'
      | 'absorbed';
  }
>;

function decideOpen(
  incident: Incident,
  event: OpenEvent,
  context: DecisionContext,
): Outcome | Refused {
  switch (event.type) {
    case 'acknowledge':
      return acknowledge(incident, event.by, context.now);
    case 'unacknowledge':
      return incident.status === 'acknowledged'
        ? unacknowledge(incident, event.by, context)
        : only(incident, noted(incident, event.by, 'unacknowledge', 'it was not acknowledged'));
    case 'escalate':
      return escalate(incident, event.by, context);
    case 'mute':
      return mute(incident, event, context.now);
    case 'unmute':
      return isMuted(incident)
        ? unmute(incident, event.by, context)
        : only(incident, noted(incident, event.by, 'unmute', 'it was not muted'));
    case 'reassign':
    case 'add_responder':
      return respond(incident, event, context);
    case 'merge':
      return mergeInto(incident, event, context.now);
    case 'absorbed':
      return absorb(incident, event.by, event.other);
  }
}

/** What a timer does. */
export const timerTypes = [
  'resolve',
  'expire',
  'quiet',
  'unmute',
  'unacknowledge',
  'step',
  'repeat',
] as const;
export type TimerType = (typeof timerTypes)[number];

/**
 * Which of the timers runs now; null: none is due. `taken`: it is seen whether a page of the last step
 * was taken.
 */
export function dueTimer(incident: Incident, now: Temporal.Instant): TimerType | 'taken' | null {
  const { escalation, steps } = incident;
  if (!isOpen(incident)) return null;
  if (isDue(escalation.resolveAt, now)) return 'resolve';
  if (isDue(escalation.expiresAt, now)) return 'expire';
  if (isDue(escalation.quietAt ?? null, now)) return 'quiet';
  if (isDue(incident.muted_until, now)) return 'unmute';
  if (isDue(escalation.ackTimeoutAt, now)) return 'unacknowledge';
  if (isDue(takenByOf(incident), now)) return 'taken';
  if (isDue(escalation.stepAt, now)) return escalation.nextStep < steps.length ? 'step' : 'repeat';
  return null;
}

/** Whether the timer that is due depends on what became of the cycle's pages. */
export function needsPages(incident: Incident, now: Temporal.Instant): boolean {
  const timer = dueTimer(incident, now);
  return timer === 'taken' || timer === 'repeat';
}

/** At most one thing per timer; waking what is not due changes nothing. */
function runTimers(
  before: Incident,
  { pages, deaf = [] }: Extract<IncidentEvent, { readonly type: 'timer' }>,
  context: DecisionContext,
): Outcome {
  const isExpected = pages === undefined && dueTimer(before, context.now) === 'taken';
  const incident = isExpected ? awaitingNothing(before) : before;
  switch (dueTimer(incident, context.now)) {
    case 'resolve':
      return resolve(incident, timer, context.now);
    case 'expire':
      return expireUnlessDeaf(incident, deaf, context.now);
    case 'quiet':
      return resolveUnlessDeaf(incident, deaf, context.now);
    case 'unmute':
      return unmute(incident, timer, context);
    case 'unacknowledge':
      return unacknowledge(incident, timer, context);
    case 'taken':
      return awaitTaken(incident, pages ?? [], context);
    case 'repeat':
      if (pages && isStillTried(incident, pages)) return postponeRepeat(incident, context.now);
      return runStep(incident, context.configuration, context.now);
    case 'step':
      return runStep(incident, context.configuration, context.now);
    case null:
      return only(incident);
  }
}

/** Whether the timer that is due depends on when Pager took no events. */
export function needsDeafTime(incident: Incident, now: Temporal.Instant): boolean {
  const timer = dueTimer(incident, now);
  return timer === 'expire' || timer === 'quiet';
}

function expireUnlessDeaf(
  incident: Incident,
  deaf: readonly Spell[],
  now: Temporal.Instant,
): Outcome {
  if (incident.alerts !== undefined)
    return endSilent(incident, now, {
      dueOf: ({ expiresAt }) => expiresAt,
      laterOf: (view) => expiryOf(view, deaf, now),
      end: (view) => expire(view, now),
    });
  const later = expiryOf(incident, deaf, now);
  if (later?.expiresAt && isSooner(now, later.expiresAt))
    return only(withEscalation(incident, later));
  return expire(incident, now);
}

function resolveUnlessDeaf(
  incident: Incident,
  deaf: readonly Spell[],
  now: Temporal.Instant,
): Outcome {
  if (incident.alerts !== undefined)
    return endSilent(incident, now, {
      dueOf: ({ quietAt = null }) => quietAt,
      laterOf: (view) => ({ quietAt: quietUntil(view, deaf, now) }),
      end: (view) => fallSilent(view, now),
    });
  const quietAt = quietUntil(incident, deaf, now);
  if (quietAt && isSooner(now, quietAt)) return only(withEscalation(incident, { quietAt }));
  return fallSilent(incident, now);
}

/** A round of which nothing was sent does not use up a repeat while its pages are tried. */
const postponeRepeat = (incident: Incident, now: Temporal.Instant): Outcome =>
  only(withEscalation(incident, { stepAt: repeatAt(incident.escalation, now) }));

function escalate(incident: Incident, by: Actor, context: DecisionContext): Outcome {
  const { nextStep } = incident.escalation;
  const ended = incident.status === 'acknowledged' ? ', which ended the acknowledgement' : '';
  const escalated = entry(incident, 'escalated', `${by.name} escalated${ended}`, { actor: by });
  // Somebody asks for more people now: a timer that was running is not late, it is replaced.
  const cleared = withEscalation(incident, {
    ackTimeoutAt: null,
    stepAt: null,
    takenBy: takenBy(context.now),
    requestedStep: nextStep,
  });
  const triggered: Incident = { ...cleared, status: 'triggered', acknowledged_at: null };
  const ran =
    nextStep < incident.steps.length
      ? runStep(triggered, context.configuration, context.now)
      : startCycle(triggered, context.configuration, context.now);
  return after([escalated], ran);
}
