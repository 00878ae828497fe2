// What deciding may ask of the directory, so that it is read once and in the same transaction.
import type { Incident } from '../incidents/incident.ts';
import type { Receiver } from '../incidents/receive.ts';
import type { Needed } from './ledger.ts';

/** For alerts to these integrations and the open incidents that they match. */
export function neededBy(
  integrationIds: ReadonlySet<string>,
  receivers: ReadonlyMap<string, Receiver>,
  incidents: Iterable<Incident>,
): Needed[] {
  const perOrganization = new Map<string, NeededSets>();
  for (const id of integrationIds) {
    const receiver = receivers.get(id);
    if (!receiver) continue;
    const needed = neededOf(perOrganization, receiver.organization_id);
    needed.teamIds.add(receiver.team_id);
    for (const step of receiver.policy.steps) addTargets(needed, step.targets);
  }
  for (const incident of incidents)
    neededOf(perOrganization, incident.organization_id).teamIds.add(incident.team_id);
  return [...perOrganization.values()];
}

type NeededSets = {
  organization_id: string;
  userIds: Set<string>;
  scheduleIds: Set<string>;
  teamIds: Set<string>;
};

function neededOf(all: Map<string, NeededSets>, organizationId: string): NeededSets {
  const found = all.get(organizationId) ?? {
    organization_id: organizationId,
    userIds: new Set(),
    scheduleIds: new Set(),
    teamIds: new Set(),
  };
  all.set(organizationId, found);
  return found;
}

function addTargets(needed: NeededSets, targets: Incident['steps'][number]['targets']): void {
  for (const target of targets) {
    if (target.user_id !== undefined) needed.userIds.add(target.user_id);
    if (target.oncall_schedule_id !== undefined) needed.scheduleIds.add(target.oncall_schedule_id);
  }
}

/** What advancing these incidents may ask of the directory, per organisation. */
export function neededFor(incidents: readonly Incident[]): Needed[] {
  const perOrganization = new Map<string, NeededSets>();
  for (const incident of incidents) {
    const needed = neededOf(perOrganization, incident.organization_id);
    needed.teamIds.add(incident.team_id);
    for (const step of incident.steps) addTargets(needed, step.targets);
  }
  return [...perOrganization.values()];
}
