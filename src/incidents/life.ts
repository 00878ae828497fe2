// The life of an incident: one function from (incident, event, now) to its outcome. The table of
// actions by status is decided here and nowhere else.
import type { Directory } from './directory.ts';
import { fire, startCycle, tellPeople, withEscalation } from './escalation.ts';
import {
  type Actor,
  type Entry,
  entry,
  forGood,
  type Incident,
  isDue,
  isMuted,
  isOpen,
  minutesAfter,
  type Outcome,
  spanAfter,
} from './incident.ts';
import { suppress } from './storm.ts';

export type IncidentEvent =
  | { readonly type: 'woken' }
  | { readonly type: 'acknowledge'; readonly by: Actor }
  | { readonly type: 'unacknowledge'; readonly by: Actor }
  | { readonly type: 'escalate'; readonly by: Actor }
  | { readonly type: 'resolve'; readonly by: Actor }
  | { readonly type: 'reopen'; readonly by: Actor; readonly anotherIsOpen: boolean }
  | { readonly type: 'mute'; readonly by: Actor; readonly until: Temporal.Instant | null }
  | { readonly type: 'unmute'; readonly by: Actor }
  | { readonly type: 'note'; readonly by: Actor; readonly text: string }
  | {
      readonly type: 'set_priority' | 'set_severity';
      readonly by: Actor;
      readonly to: string | null;
    }
  | {
      readonly type: 'reassign' | 'add_responder';
      readonly by: Actor;
      readonly user: { readonly id: string; readonly name: string };
    }
  | { readonly type: 'merge'; readonly by: Actor; readonly into: Incident }
  | { readonly type: 'absorbed'; readonly by: Actor; readonly other: Incident }
  | {
      readonly type: 'suppressed';
      readonly eventId: string;
      readonly expiresAt: Temporal.Instant | null;
    };

/** The incident does not allow this now. */
export type Refused = { readonly refused: string };

type Context = { readonly directory: Directory; readonly now: Temporal.Instant };

/** A person may reopen this long after it was resolved. */
const reopenHours = 24;

export function advance(
  incident: Incident,
  event: IncidentEvent,
  context: Context,
): Outcome | Refused {
  const result = decide(incident, event, context);
  if ('refused' in result || result.incident === incident) return result;
  return { ...result, incident: { ...result.incident, updated_at: context.now } };
}

function decide(incident: Incident, event: IncidentEvent, context: Context): Outcome | Refused {
  switch (event.type) {
    case 'woken':
      return wake(incident, context);
    case 'suppressed':
      return suppress(incident, event, context);
    case 'note':
      return only(incident, entry(incident, 'note', event.text, { actor: event.by }));
    case 'set_priority':
    case 'set_severity':
      return label(incident, event);
    case 'resolve':
      return isOpen(incident)
        ? resolve(incident, event.by, context.now)
        : only(incident, noted(incident, event.by, 'resolve', 'it was resolved already'));
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

function decideOpen(incident: Incident, event: OpenEvent, context: Context): Outcome | Refused {
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
      return only(
        incident,
        entry(incident, 'absorbed', `INC-${event.other.number} was merged into this incident`, {
          actor: event.by,
          details: { incident_id: event.other.id },
        }),
      );
  }
}

const only = (incident: Incident, ...entries: Entry[]): Outcome => ({
  incident,
  intents: [],
  entries,
  allClear: false,
});

const noted = (incident: Incident, by: Actor, action: string, why: string) =>
  entry(incident, 'noted', `${by.name} asked to ${action}, which changed nothing: ${why}`, {
    actor: by,
  });

/** Entries that came before others did. */
const after = (entries: readonly Entry[], outcome: Outcome): Outcome => ({
  ...outcome,
  entries: [...entries, ...outcome.entries],
});

const timer: Actor = { type: 'timer', name: 'Timer', via: 'timer' };

/** At most one thing per timer; waking what is not due changes nothing. */
function wake(incident: Incident, context: Context): Outcome {
  const { now } = context;
  const { escalation } = incident;
  if (!isOpen(incident)) return only(incident);
  if (isDue(escalation.resolveAt, now)) return resolve(incident, timer, now, true);
  if (isDue(escalation.expiresAt, now)) return expire(incident, now);
  if (isDue(incident.muted_until, now)) return unmute(incident, timer, context);
  if (isDue(escalation.ackTimeoutAt, now)) return unacknowledge(incident, timer, context);
  if (isDue(escalation.stepAt, now)) return fire(incident, context.directory, now);
  return only(incident);
}

function expire(incident: Incident, now: Temporal.Instant): Outcome {
  const said = entry(incident, 'expired', 'The source no longer reports the alert', {
    actor: timer,
  });
  return after([said], resolve(incident, timer, now));
}

function acknowledge(incident: Incident, by: Actor, now: Temporal.Instant): Outcome {
  if (incident.status === 'acknowledged')
    return only(incident, noted(incident, by, 'acknowledge', 'it was acknowledged already'));
  const { ackTimeoutMinutes } = incident.escalation;
  const stopped = withEscalation(incident, {
    stepAt: null,
    heldMs: null,
    ackTimeoutAt: ackTimeoutMinutes === null ? null : minutesAfter(now, ackTimeoutMinutes),
  });
  const says = `${by.name} acknowledged; nobody else is paged`;
  return only(
    { ...stopped, status: 'acknowledged', acknowledged_at: now },
    entry(incident, 'acknowledged', says, { actor: by }),
  );
}

function unacknowledge(incident: Incident, by: Actor, context: Context): Outcome {
  const says =
    by.type === 'timer'
      ? `Acknowledged ${incident.escalation.ackTimeoutMinutes} minutes ago and not resolved: paging starts again at step 1`
      : `${by.name} took the acknowledgement back: paging starts again at step 1`;
  const said = entry(incident, 'unacknowledged', says, { actor: by });
  const cleared = withEscalation(incident, { ackTimeoutAt: null });
  const triggered: Incident = { ...cleared, status: 'triggered', acknowledged_at: null };
  return after([said], startCycle(triggered, context.directory, context.now));
}

function escalate(incident: Incident, by: Actor, context: Context): Outcome {
  const { nextStep } = incident.escalation;
  const said = entry(incident, 'escalated', `${by.name} escalated`, { actor: by });
  // Somebody asks for more people now: a timer that was running is not late, it is replaced.
  const cleared = withEscalation(incident, { ackTimeoutAt: null, stepAt: null });
  const triggered: Incident = { ...cleared, status: 'triggered', acknowledged_at: null };
  const fired =
    nextStep < incident.steps.length
      ? fire(triggered, context.directory, context.now)
      : startCycle(triggered, context.directory, context.now);
  return after([said], fired);
}

function resolve(incident: Incident, by: Actor, now: Temporal.Instant, byTimer = false): Outcome {
  const stopped = withEscalation(incident, {
    stepAt: null,
    heldMs: null,
    ackTimeoutAt: null,
    resolveAt: null,
    expiresAt: null,
    storm: null,
    recentTriggers: [],
  });
  const says = byTimer ? 'Resolved by the timer' : `${by.name} resolved`;
  return {
    incident: { ...stopped, status: 'resolved', resolved_at: now, resolved_by_timer: byTimer },
    intents: [],
    entries: [entry(incident, 'resolved', says, { actor: by })],
    allClear: true,
  };
}

function reopen(
  incident: Incident,
  event: Extract<IncidentEvent, { type: 'reopen' }>,
  context: Context,
): Outcome | Refused {
  const { now } = context;
  if (isOpen(incident)) return { refused: `INC-${incident.number} is open` };
  if (incident.merged_into_id !== null)
    return { refused: `INC-${incident.number} was merged into another incident` };
  if (incident.resolved_at && isDue(incident.resolved_at.add({ hours: reopenHours }), now))
    return { refused: `INC-${incident.number} was resolved more than ${reopenHours} hours ago` };
  if (event.anotherIsOpen) return { refused: 'another incident of the same key is open' };
  const opened: Incident = {
    ...withEscalation(incident, { resolveAt: spanAfter(now, incident.escalation.autoResolve) }),
    status: 'triggered',
    acknowledged_at: null,
    resolved_at: null,
    resolved_by_timer: false,
    muted_until: null,
  };
  const says = `${event.by.name} reopened it: paging starts again at step 1`;
  const said = entry(incident, 'reopened', says, { actor: event.by });
  return after([said], startCycle(opened, context.directory, now));
}

function mute(
  incident: Incident,
  event: Extract<IncidentEvent, { type: 'mute' }>,
  now: Temporal.Instant,
): Outcome | Refused {
  if (event.until && isDue(event.until, now)) return { refused: 'the mute would end in the past' };
  const { stepAt, heldMs } = incident.escalation;
  const left = stepAt && Math.max(0, stepAt.epochMilliseconds - now.epochMilliseconds);
  const held = withEscalation(incident, { stepAt: null, heldMs: left ?? heldMs });
  const says = `${event.by.name} muted it ${event.until ? `until ${event.until}` : 'for good'}`;
  return only(
    { ...held, muted_until: event.until ?? forGood },
    entry(incident, 'muted', says, { actor: event.by }),
  );
}

function unmute(incident: Incident, by: Actor, context: Context): Outcome {
  const { heldMs } = incident.escalation;
  const stepAt = heldMs === null ? null : context.now.add({ milliseconds: heldMs });
  const running: Incident = {
    ...withEscalation(incident, { stepAt, heldMs: null }),
    muted_until: null,
  };
  const says = by.type === 'timer' ? 'The mute ended' : `${by.name} ended the mute`;
  const said = entry(incident, 'unmuted', says, { actor: by });
  return isDue(stepAt, context.now)
    ? after([said], fire(running, context.directory, context.now))
    : only(running, said);
}

function respond(
  incident: Incident,
  event: Extract<IncidentEvent, { type: 'reassign' | 'add_responder' }>,
  context: Context,
): Outcome {
  const { user, by } = event;
  const others =
    event.type === 'reassign' ? [] : incident.responder_ids.filter((id) => id !== user.id);
  const kind = event.type === 'reassign' ? 'assigned' : 'responder_added';
  const verb = event.type === 'reassign' ? 'assigned it to' : 'added as responder';
  const once = String(context.now.epochMilliseconds);
  const why = `${by.name} ${verb} you`;
  const { directory } = context;
  const told = tellPeople(incident, [user.id], { kind, rank: 1, why, once, directory });
  const said = entry(incident, event.type, `${by.name} ${verb} ${user.name}`, { actor: by });
  return {
    incident: { ...incident, responder_ids: [...others, user.id] },
    intents: told.intents,
    entries: [said, ...told.entries],
    allClear: false,
  };
}

function label(
  incident: Incident,
  event: Extract<IncidentEvent, { type: 'set_priority' | 'set_severity' }>,
): Outcome {
  const field = event.type === 'set_priority' ? 'priority' : 'severity';
  if (incident[field] === event.to)
    return only(
      incident,
      noted(incident, event.by, `set the ${field}`, `it was ${event.to ?? 'none'} already`),
    );
  const marked = withEscalation(
    incident,
    field === 'priority' ? { prioritySetByPerson: true } : { severitySetByPerson: true },
  );
  const says = event.to
    ? `${event.by.name} set the ${field} to ${event.to}`
    : `${event.by.name} removed the ${field}`;
  return only({ ...marked, [field]: event.to }, entry(incident, field, says, { actor: event.by }));
}

function mergeInto(
  incident: Incident,
  event: Extract<IncidentEvent, { type: 'merge' }>,
  now: Temporal.Instant,
): Outcome | Refused {
  const { into, by } = event;
  if (into.id === incident.id) return { refused: 'an incident cannot be merged into itself' };
  if (!isOpen(into)) return { refused: `INC-${into.number} is resolved` };
  const resolved = resolve(incident, by, now);
  const said = entry(incident, 'merged', `${by.name} merged it into INC-${into.number}`, {
    actor: by,
    details: { incident_id: into.id },
  });
  return {
    ...resolved,
    incident: { ...resolved.incident, merged_into_id: into.id },
    entries: [said],
    // The other incident goes on: telling people that it is over would be wrong.
    allClear: false,
  };
}
