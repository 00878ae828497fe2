import type { Directory } from './directory.ts';
import { tellAdmins, withEscalation } from './escalation.ts';
import type { Incident, Outcome } from './incident.ts';

/** Whether it counts on the pages that its round sent. */
export const countsOnPages = ({ status, escalation }: Incident): boolean =>
  status === 'triggered' && escalation.pagedInCycle;

/**
 * Never silence: a round of which every page has failed counts as one that paged nobody. The team's
 * admins are paged when no step is left; else the steps that are may reach somebody.
 */
export function unreached(incident: Incident, directory: Directory): Outcome {
  const { nextStep, policyName } = incident.escalation;
  const unpaged = withEscalation(incident, { pagedInCycle: false });
  if (nextStep < incident.steps.length)
    return { incident: unpaged, intents: [], entries: [], allClear: false };
  const why = `No page of the policy ${policyName} arrived; you are an admin of the team`;
  const told = tellAdmins(unpaged, directory, { kind: 'nobody_paged', rank: 0, why });
  return { ...told, incident: unpaged, allClear: false };
}
