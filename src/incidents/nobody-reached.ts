import type { Configuration } from './configuration.ts';
import {
  entry,
  type Incident,
  isDue,
  isMuted,
  type Outcome,
  only,
  withEscalation,
} from './incident.ts';
import { notifyAdmins } from './notify.ts';

/** Whether it counts on the pages that its round sent. */
export const awaitsPages = ({ status, escalation }: Incident): boolean =>
  status === 'triggered' && escalation.pagedInCycle;

type PageState = {
  /** Steps of the round of which a page arrived, or still may. */
  readonly pagedSteps: ReadonlySet<number>;
  readonly configuration: Configuration;
  readonly now: Temporal.Instant;
};

/**
 * When a page has failed for good: if it was the last page of the current step, the next step runs
 * now. If no step is left and no page of the cycle arrived, the team's admins are paged, as for a
 * cycle that paged nobody.
 */
export function escalateUndeliverable(incident: Incident, left: PageState): Outcome {
  const { nextStep } = incident.escalation;
  const { pagedSteps } = left;
  if (nextStep < incident.steps.length)
    return pagedSteps.has(nextStep - 1) ? only(incident) : failStep(incident, left);
  return pagedSteps.size > 0 ? only(incident) : failRound(incident, left);
}

/** Makes the timer of the next step due now, or at the end of the mute. */
function failStep(incident: Incident, { pagedSteps, now }: PageState): Outcome {
  const { escalation } = incident;
  const { nextStep, cycle, stepAt, stepRemainingMs } = escalation;
  const isHeld = isMuted(incident);
  const pagedInCycle = pagedSteps.size > 0;
  const isKnown = isHeld ? stepRemainingMs === 0 : isDue(stepAt, now);
  if (isKnown && pagedInCycle === escalation.pagedInCycle) return only(incident);
  const timer = isHeld ? { stepRemainingMs: 0 } : { stepAt: now };
  const due = withEscalation(incident, { pagedInCycle, ...timer });
  const next = `step ${nextStep + 1} runs ${isHeld ? 'when the mute ends' : 'at once'}`;
  const text = `Every page of step ${nextStep} of ${incident.steps.length} failed: ${next}`;
  const details = { cycle, step: nextStep - 1 };
  return only({ ...due, updated_at: now }, entry(incident, 'step_failed', text, { details }));
}

function failRound(incident: Incident, { configuration, now }: PageState): Outcome {
  const { policyName } = incident.escalation;
  const unpaged = withEscalation(incident, { pagedInCycle: false });
  const why = `No page of the policy ${policyName} arrived; you are an admin of the team`;
  const notified = notifyAdmins(unpaged, configuration, { kind: 'nobody_paged', rank: 0, why });
  return { ...notified, incident: { ...unpaged, updated_at: now }, allClear: false };
}
