import type { Directory } from './directory.ts';
import { tellAdmins, withEscalation } from './escalation.ts';
import type { Incident, Outcome } from './incident.ts';

/** Whether its policy has nobody left to page, and only the pages that it sent can reach anybody. */
export function isThrough({ status, steps, escalation }: Incident): boolean {
  const { pagedInCycle, nextStep } = escalation;
  return status === 'triggered' && pagedInCycle && nextStep >= steps.length;
}

/** Never silence: when every page of a round has failed, the team's admins are paged. */
export function unreached(incident: Incident, directory: Directory): Outcome {
  const why = `No page of the policy ${incident.escalation.policyName} arrived; you are an admin of the team`;
  const told = tellAdmins(incident, directory, { kind: 'nobody_paged', rank: 0, why });
  return { ...told, incident: withEscalation(incident, { pagedInCycle: false }), allClear: false };
}
