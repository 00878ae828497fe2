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
  const { stepAt, stepRemainingMs } = incident.escalation;
  const left = stepAt && Math.max(0, stepAt.epochMilliseconds - now.epochMilliseconds);
  const muted = withEscalation(incident, {
    stepAt: null,
    stepRemainingMs: left ?? stepRemainingMs,
  });
  const text = `${event.by.name} muted it ${event.until ? `until ${event.until}` : 'for good'}`;
  return only(
    { ...muted, muted_until: event.until ?? forGood },
    entry(incident, 'muted', text, { actor: event.by }),
  );
}

export function unmute(incident: Incident, by: Actor, context: DecisionContext): Outcome {
  const { stepRemainingMs } = incident.escalation;
  const stepAt =
    stepRemainingMs === null ? null : context.now.add({ milliseconds: stepRemainingMs });
  const running: Incident = {
    ...withEscalation(incident, { stepAt, stepRemainingMs: null }),
    muted_until: null,
  };
  const text = by.type === 'timer' ? 'The mute ended' : `${by.name} ended the mute`;
  const unmuted = entry(incident, 'unmuted', text, { actor: by });
  return isDue(stepAt, context.now)
    ? after([unmuted], runStep(running, context.configuration, context.now))
    : only(running, unmuted);
}
