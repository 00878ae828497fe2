// What actions of rules and playbooks point to, for the tests of what they do.
import { actorOf } from '../src/incidents/actions/effect-entry.ts';
import type { Performing, Targets } from '../src/incidents/actions/perform.ts';
import type { Playbook } from '../src/incidents/actions/playbook.ts';
import { byMail, givenDirectory, givenPerson, givenReceiver, noon } from './incident-life.ts';

const night = actorOf('rule', { id: 'night', name: 'Night' });

const managers = {
  ...givenReceiver().policy,
  id: 'managers',
  name: 'Managers',
  steps: [byMail('boss')],
};

/** Integrations of this team and of another, good and bad; each with the policy of the managers. */
const receivers = [
  givenReceiver({ policy: managers, integration_id: 'mail', name: 'Mail', repeats: true }),
  givenReceiver({ integration_id: 'gone', name: 'Gone', archived: true }),
  givenReceiver({ policy: managers, integration_id: 'theirs', name: 'Theirs', team_id: 'others' }),
];

export const givenPlaybook = (given: Partial<Playbook> & Pick<Playbook, 'id'>): Playbook => ({
  name: given.id,
  team_id: 'team',
  archived: false,
  enabled: true,
  actions: [{ type: 'acknowledgeIncident' }],
  ...given,
});

export const givenTargets = (playbooks: readonly Playbook[] = []): Targets => ({
  policies: new Map([
    ['policy', givenReceiver().policy],
    ['managers', managers],
    ['old', { ...managers, id: 'old', name: 'Old', archived: true }],
  ]),
  receivers: new Map(receivers.map((one) => [one.integration_id, one])),
  webhooks: new Map([
    ['desk', { team_id: 'team', name: 'Desk', archived: false }],
    ['closed', { team_id: 'team', name: 'Closed', archived: true }],
  ]),
  playbooks: new Map(playbooks.map((one) => [one.id, one])),
});

export const givenPerforming = (given: Partial<Performing> = {}): Performing => ({
  by: night,
  directory: givenDirectory({
    people: new Map([
      ...givenDirectory().people,
      ['away', givenPerson('away', { name: 'Away', active: false })],
    ]),
  }),
  targets: givenTargets(),
  now: noon.add({ minutes: 10 }),
  occasion: 'incident_triggered',
  once: 'run',
  isOpening: false,
  ...given,
});
