// What actions of rules and playbooks point to, for the tests of what they do.

import type { PerformContext } from '../src/incidents/actions/perform-context.ts';
import { actorOf } from '../src/incidents/actions/timeline-entries.ts';
import type { Playbook } from '../src/incidents/configuration.ts';
import { buildConfiguration, buildPerson, defaultPeople } from './configuration.ts';
import { buildIntegration, byMail, noon } from './incident-life.ts';

const night = actorOf('rule', { id: 'night', name: 'Night' });

const managers = {
  ...buildIntegration().policy,
  id: 'managers',
  name: 'Managers',
  steps: [byMail('boss')],
};

/** Integrations of this team and of another, good and bad; each with the policy of the managers. */
const integrations = [
  buildIntegration({ policy: managers, integration_id: 'mail', name: 'Mail', repeats: true }),
  buildIntegration({ integration_id: 'gone', name: 'Gone', archived: true }),
  buildIntegration({
    policy: managers,
    integration_id: 'theirs',
    name: 'Theirs',
    team_id: 'others',
  }),
];

export const buildPlaybook = (fields: Partial<Playbook> & Pick<Playbook, 'id'>): Playbook => ({
  name: fields.id,
  team_id: 'team',
  archived: false,
  enabled: true,
  actions: [{ type: 'acknowledgeIncident' }],
  ...fields,
});

/** What there is to be pointed to. */
export const actionTargets = {
  policies: [buildIntegration().policy, { ...managers, id: 'old', name: 'Old', archived: true }],
  integrations,
  webhooks: [
    { id: 'desk', team_id: 'team', name: 'Desk', archived: false },
    { id: 'closed', team_id: 'team', name: 'Closed', archived: true },
  ],
  people: [...defaultPeople, buildPerson('away', { name: 'Away', active: false })],
};

export function buildPerforming(fields: PerformingFields = {}): PerformContext {
  const { playbooks = [], ...others } = fields;
  return {
    by: night,
    configuration: buildConfiguration({ ...actionTargets, playbooks }),
    playbooks: new Map(playbooks.map((one) => [one.id, one])),
    now: noon.add({ minutes: 10 }),
    occasion: 'incident_triggered',
    once: 'run',
    isOpening: false,
    ...others,
  };
}

type PerformingFields = Partial<Omit<PerformContext, 'playbooks'>> & {
  readonly playbooks?: readonly Playbook[];
};
