// What deciding may ask of the directory, so that it is read once and in the same transaction.
import type { Targets } from '../../incidents/actions/perform.ts';
import type { Receiver } from '../../incidents/arrival/receiver.ts';
import type { Incident } from '../../incidents/incident.ts';
import type { NamedIn, Needed } from '../ledger.ts';

/** What rules and playbooks name, and what that is. */
export type Pointed = {
  readonly named: readonly NamedIn[];
  readonly targets: Pick<Targets, 'policies' | 'receivers'>;
};

/** For alerts to these integrations and the open incidents that they match. */
export function neededBy(
  integrationIds: ReadonlySet<string>,
  receivers: ReadonlyMap<string, Receiver>,
  deciding: { readonly incidents: Iterable<Incident> } & Pointed,
): Needed[] {
  const perOrganization = new Map<string, NeededSets>();
  addPointed(perOrganization, deciding);
  for (const id of integrationIds) {
    const receiver = receivers.get(id);
    if (!receiver) continue;
    const needed = neededOf(perOrganization, receiver.organization_id);
    needed.teamIds.add(receiver.team_id);
    for (const step of receiver.policy.steps) addTargets(needed, step.targets);
  }
  for (const incident of deciding.incidents)
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
export function neededFor(incidents: readonly Incident[], pointed?: Pointed): Needed[] {
  const perOrganization = new Map<string, NeededSets>();
  if (pointed) addPointed(perOrganization, pointed);
  for (const incident of incidents) {
    const needed = neededOf(perOrganization, incident.organization_id);
    needed.teamIds.add(incident.team_id);
    for (const step of incident.steps) addTargets(needed, step.targets);
  }
  return [...perOrganization.values()];
}

function addPointed(all: Map<string, NeededSets>, { named, targets }: Pointed): void {
  for (const { organization_id, userIds, policyIds, integrationIds } of named) {
    const needed = neededOf(all, organization_id);
    for (const id of userIds) needed.userIds.add(id);
    const receivers = [...integrationIds].flatMap((id) => targets.receivers.get(id) ?? []);
    for (const { team_id } of receivers) needed.teamIds.add(team_id);
    const policies = [...policyIds].flatMap((id) => targets.policies.get(id) ?? []);
    for (const { steps } of [...policies, ...receivers.map(({ policy }) => policy)])
      for (const step of steps) addTargets(needed, step.targets);
  }
}
