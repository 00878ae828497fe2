// The people, policies and integrations of a simulated world, made of its luck.
import type { Arrival } from '../../src/engine/intake/arrival.ts';
import type {
  Configuration,
  Person,
  Playbook,
  Policy,
  RoutedIntegration,
} from '../../src/incidents/configuration.ts';
import type { Actor } from '../../src/incidents/incident.ts';
import type { Condition } from '../../src/resources/condition.ts';
import type { Step, Target } from '../../src/resources/escalation-policy.ts';
import type { PersonalNotifications } from '../../src/resources/shift-notifications.ts';
import type { Rule } from '../../src/rules/match-rule.ts';
import type { AnnouncedSchedule } from '../../src/shifts/announce.ts';
import { recipientKeyOf as namedByStorage } from '../../src/storage/outbox/recipient-key.ts';
import { buildConfiguration, buildPerson, buildRota } from '../configuration.ts';
import { dailyTurns } from '../daily-turns.ts';
import { buildSecrets } from '../secrets.ts';
import type { Luck } from './luck.ts';

const names = ['ada', 'lin', 'eve', 'boss', 'idle'];
const integrations = ['integration0', 'integration1', 'integration2'];
/** Of another organisation. */
const otherIntegrations = ['other0', 'other1'];

/** The id of whatever has that name here, as long as ids are. */
export const idOf = (name: string): string => Buffer.from(name).toString('hex').padEnd(24, '0');

export const organizationId = idOf('org');
const teamId = idOf('team');
const otherOrganizationId = idOf('other');

const channels = new Set(['email', 'sms', 'slack']);

/** Of those who have any, the numbers that they may have; at first they have the first two. */
export const numbersOf = {
  ada: ['+491', '+492', '+493'],
  lin: ['+494', '+495', '+496'],
} as const;
/** Nothing arrives there. */
export const badNumber = '+494';

export function buildSetting(luck: Luck, now: Temporal.Instant): Configuration {
  const from = now.subtract({ hours: 48 });
  const turns = dailyTurns([idOf('ada'), null, idOf('lin')], { from, handoff: '09:00' });
  const slack = [{ webhook_url: 'https://chat.test/shifts' }];
  return buildConfiguration({
    organization_id: organizationId,
    teamIds: [teamId],
    people: names.map((name) => personOf(name, luck)),
    ...decidedBy(luck),
    integrations: integrations.map((name) => integrationOf(name, luck)),
    policies: ['day', 'night'].map((name) => policyOf(name, luck)),
    webhooks: [{ id: idOf('hook'), team_id: teamId, name: 'Hook', archived: false }],
    schedules: [
      buildRota(idOf('rota'), turns),
      ...schedules.map(({ id, name }) => buildRota(id, turns, { name })),
    ],
    notifications: { slack, outbound_webhook_ids: [idOf('hook')] },
    channels,
  });
}

/** Another organisation, whose people know nothing of schedules or rules. */
export function buildNeighbour(luck: Luck): Configuration {
  const organization_id = otherOrganizationId;
  const team_id = idOf('team2');
  const people = ['zoe', 'max'].map((name) =>
    buildPerson(idOf(name), {
      name,
      first_name: name,
      email: `${name}@example.test`,
      role: name === 'zoe' ? 'owner' : 'responder',
      addresses: { email: [`${name}@example.test`] },
    }),
  );
  const steps = ['max', 'zoe'].map(
    (name): Step => ({
      targets: [{ via: 'email', user_id: idOf(name) }],
      escalate_after_minutes: 1 + luck.below(15),
    }),
  );
  return buildConfiguration({
    organization_id,
    teamIds: [team_id],
    people,
    channels,
    integrations: otherIntegrations.map((name) => {
      const own = { ...integrationOf(name, luck), organization_id, team_id };
      const service = { ...own.service, id: idOf('service2') };
      return { ...own, service, policy: { ...own.policy, id: idOf(`${name}-day`), steps } };
    }),
  });
}

/** What the team decided beforehand: each rule and each playbook is there by chance. */
function decidedBy(luck: Luck) {
  const some = <T>(all: readonly T[]) => all.filter(() => luck.chance(0.3));
  const rules = some(rulesOf(luck)).map(({ condition, actions }, index) => ({
    id: idOf(`rule${index}`),
    name: `Rule ${index}`,
    actions,
    condition_groups: [{ conditions: [condition] }],
  }));
  const playbooks = some(playbooksOf(luck)).map((playbook, index) => ({
    ...playbook,
    id: idOf(`playbook${index}`),
    name: `Playbook ${index}`,
    team_id: teamId,
    archived: false,
    enabled: true,
  }));
  return { rules, playbooks };
}

/** Nothing is sealed with them. */
const secrets = buildSecrets('a secret key of forty characters, or so.');

/** As PostgreSQL names them: the keys of some notices contain it. */
export const recipientKeyOf = (to: Parameters<typeof namedByStorage>[1]): string =>
  namedByStorage({ secrets }, to);

type SimulatedRule = { readonly condition: Condition; readonly actions: Rule['actions'] };

const rulesOf = (luck: Luck): readonly SimulatedRule[] => [
  { condition: { type: 'allIncidents' }, actions: [{ type: 'severity', severity: 'sev2' }] },
  {
    condition: { type: 'incidentMessage', comparator: 'contains', text: 'disk' },
    actions: [{ type: 'escalationPolicy', escalation_policy_id: idOf('night') }],
  },
  {
    condition: { type: 'allIncidents' },
    actions: [
      {
        type: 'groupIncident',
        by: [luck.of(['service', 'severity'])],
        across: luck.of(['integration', 'service', 'team']),
        ...(luck.chance(0.3) && { window_minutes: 10 + luck.below(50) }),
      },
    ],
  },
  {
    condition: { type: 'incidentSuppressed', count: 1 + luck.below(3) },
    actions: [{ type: 'integration', integration_id: idOf(luck.of(integrations)) }],
  },
  {
    condition: { type: 'incidentSuppressed', count: 1 + luck.below(3) },
    actions: [{ type: 'resolveIncident' }],
  },
  {
    condition: { type: 'incidentRepeatedWithin', count: 1, minutes: 60 },
    actions: [{ type: luck.of(['acknowledgeIncident', 'resolveIncident']) }],
  },
  {
    condition: { type: 'incidentSuppressedWithin', count: 2, minutes: 5 },
    actions: [{ type: luck.of(['ignoreIncident', 'acknowledgeIncident']) }],
  },
];

type SimulatedPlaybook = Pick<Playbook, 'actions' | 'run_automatically'>;

const playbooksOf = (luck: Luck): readonly SimulatedPlaybook[] => [
  {
    run_automatically: ['triggered', 'escalated'],
    actions: [
      { type: 'addResponder', user_id: idOf('lin') },
      { type: 'pagePerson', user_id: idOf('eve'), via: 'email' },
    ],
  },
  {
    run_automatically: ['escalated'],
    actions: [{ type: 'escalationPolicy', escalation_policy_id: idOf('night') }],
  },
  {
    run_automatically: ['escalated'],
    actions: [
      luck.of([
        { type: 'acknowledgeIncident' },
        { type: 'escalationPolicy', escalation_policy_id: idOf('day') },
      ]),
    ],
  },
  { run_automatically: ['acknowledged'], actions: [{ type: 'note', text: '{{title}}' }] },
  {
    run_automatically: ['acknowledged', 'resolved'],
    actions: [luck.of([{ type: 'resolveIncident' }, { type: 'priority', priority: 'p2' }])],
  },
];

/** The schedules whose shift cursors are advanced here. */
export const schedules: readonly AnnouncedSchedule[] = ['nights', 'days'].map((name) => ({
  organization_id: organizationId,
  id: idOf(name),
  name,
  timezone: 'Europe/Paris',
}));

function personOf(name: string, luck: Luck): Person {
  const notifications: PersonalNotifications = {
    ...(luck.chance(0.5) && { shift_end: ['email'] }),
    ...(luck.chance(0.2) && { shift_start: ['email', 'sms'] }),
  };
  return buildPerson(idOf(name), {
    name,
    first_name: name,
    email: `${name}@example.test`,
    active: name !== 'idle',
    role: name === 'boss' ? 'admin' : 'responder',
    notifications,
    addresses: addressesOf(name),
  });
}

function addressesOf(name: string): Person['addresses'] {
  const email = [`${name}@example.test`, ...(name === 'ada' ? ['ada@home.test'] : [])];
  return name === 'ada' || name === 'lin' ? { email, sms: numbersOf[name].slice(0, 2) } : { email };
}

const integrationOf = (name: string, luck: Luck): RoutedIntegration => ({
  organization_id: organizationId,
  integration_id: idOf(name),
  team_id: teamId,
  slug: 'webhook',
  name,
  enabled: true,
  archived: false,
  disableSuppression: luck.chance(0.15),
  repeats: luck.chance(0.4),
  ackTimeoutMinutes: luck.chance(0.4) ? 1 + luck.below(60) : null,
  autoResolve: luck.chance(0.3) ? { after: 1 + luck.below(6), unit: 'hours' } : null,
  resolveWhenQuiet: luck.chance(0.2) ? { after: 20 + luck.below(60), unit: 'minutes' } : null,
  grouping: {
    by: luck.chance(0.4) ? [luck.of(['service', 'severity'])] : [],
    window: luck.chance(0.3) ? { after: 10 + luck.below(50), unit: 'minutes' } : null,
  },
  mapping: null,
  service: { id: idOf('service'), name: 'Shop', archived: false },
  policy: policyOf(`policy${name.at(-1)}`, luck),
});

function policyOf(name: string, luck: Luck): Policy {
  const steps = Array.from(
    { length: 1 + luck.below(3) },
    (): Step => ({
      targets: Array.from({ length: 1 + luck.below(3) }, () => targetOf(luck)),
      escalate_after_minutes: 1 + luck.below(15),
    }),
  );
  const delayMinutes = luck.chance(0.3) ? luck.below(10) : 0;
  return { id: idOf(name), name, archived: false, delayMinutes, steps };
}

function targetOf(luck: Luck): Target {
  if (luck.chance(0.15)) return { via: 'email', oncall_schedule_id: idOf('rota') };
  if (luck.chance(0.1)) return { via: 'slack', webhook_url: `https://chat.test/${luck.below(2)}` };
  return { via: luck.chance(0.2) ? 'sms' : 'email', user_id: idOf(luck.of(names)) };
}

export type Switched = {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly userId: string;
};

/** An integration is disabled or enabled, and somebody leaves or is back: the next version. */
export function switched(
  { integrations, people, version, ...others }: Configuration,
  { integrationId, userId }: Switched,
): Configuration {
  const [integration, person] = [integrations.get(integrationId), people.get(userId)];
  if (!integration || !person) throw new Error('what is switched is not there');
  const { enabled } = integration;
  return {
    ...others,
    version: version + 1,
    integrations: new Map([
      ...integrations,
      [integrationId, { ...integration, enabled: !enabled }],
    ]),
    people: new Map([...people, [userId, { ...person, active: !person.active }]]),
  };
}

/** The numbers that somebody is texted at from now on, in this order. */
export type Renumbered = { readonly userId: string; readonly numbers: readonly string[] };

/** The next version. */
export function renumbered(
  { people, version, ...configuration }: Configuration,
  { userId, numbers }: Renumbered,
): Configuration {
  const person = people.get(userId);
  if (!person) throw new Error('whoever has other numbers is not there');
  const { sms: _, ...others } = person.addresses;
  const addresses = { ...others, ...(numbers.length > 0 && { sms: numbers }) };
  return {
    ...configuration,
    version: version + 1,
    people: new Map([...people, [userId, { ...person, addresses }]]),
  };
}

/** Whoever acts on incidents here. */
export const someone: Actor = { type: 'user', id: idOf('eve'), name: 'Eve', via: 'api' };

export const arrivalOf = (integration: string, body: object): Arrival => ({
  organizationId: otherIntegrations.includes(integration) ? otherOrganizationId : organizationId,
  integrationId: idOf(integration),
  slug: 'webhook',
  integrationName: integration,
  source: 'http',
  path: '/push-events',
  contentType: 'application/json',
  body: new TextEncoder().encode(JSON.stringify(body)),
});
