// Muting stops the step timer of an incident; when the mute ends, the remaining time continues.

import type { DecisionContext } from './configuration.ts';
import { runStep } from './escalation.ts';
import {
  type Actor,
  after,
  entry,
  forGood,
  type Incident,
  isDue,
  type Outcome,
  only,
  type Refused,
  withEscalation,
} from './incident.ts';

type Mute = { readonly by: Actor; readonly until: Temporal.Instant | null };

export function mute(incident: Incident, event: Mute, now: Temporal.Instant): Outcome | Refused {
  if (event.until && isDue(event.until, now)) return { refused: 'the mute would end in the past' };
  const { stepAt, stepRemainingMs, takenBy, takenByRemainingMs } = incident.escalation;
  const muted = withEscalation(incident, {
    stepAt: null,
    stepRemainingMs: msLeft(stepAt, now) ?? stepRemainingMs,
    takenBy: null,
    takenByRemainingMs: msLeft(takenBy, now) ?? takenByRemainingMs ?? null,
  });
  const text = `${event.by.name} muted it ${event.until ? `until ${event.until}` : 'indefinitely'}`;
  return only(
    { ...muted, muted_until: event.until ?? forGood },
    entry(incident, 'muted', text, { actor: event.by }),
  );
}

const msLeft = (at: Temporal.Instant | null | undefined, now: Temporal.Instant) =>
  at ? Math.max(0, at.epochMilliseconds - now.epochMilliseconds) : null;

const msLater = (milliseconds: number | null | undefined, now: Temporal.Instant) =>
  typeof milliseconds === 'number' ? now.add({ milliseconds }) : null;

export function unmute(incident: Incident, by: Actor, context: DecisionContext): Outcome {
  const { stepRemainingMs, takenByRemainingMs } = incident.escalation;
  const stepAt = msLater(stepRemainingMs, context.now);
  const takenBy = msLater(takenByRemainingMs, context.now);
  const continued = { stepAt, stepRemainingMs: null, takenBy, takenByRemainingMs: null };
  const running: Incident = { ...withEscalation(incident, continued), muted_until: null };
  const text = by.type === 'timer' ? 'The mute ended' : `${by.name} unmuted it`;
  const unmuted = entry(incident, 'unmuted', text, { actor: by });
  return isDue(stepAt, context.now)
    ? after([unmuted], runStep(running, context.configuration, context.now))
    : only(running, unmuted);
}
