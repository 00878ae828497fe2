// The people, policies and integrations of a simulated world, made of its luck.
import type { Arrival } from '../../src/engine/deciding/intake.ts';
import type { Playbook } from '../../src/incidents/actions/playbook.ts';
import type { Configuration, Person, Receiver } from '../../src/incidents/configuration.ts';
import type { Actor } from '../../src/incidents/incident.ts';
import type { Condition } from '../../src/resources/condition.ts';
import type { Step, Target } from '../../src/resources/escalation-policy.ts';
import type { PersonalNotifications } from '../../src/resources/shift-notifications.ts';
import type { Rule } from '../../src/rules/rule.ts';
import type { AnnouncedSchedule } from '../../src/shifts/announce.ts';
import { dailyTurns } from '../daily-turns.ts';
import { givenConfiguration, givenPerson, givenRota } from '../given-configuration.ts';
import type { Luck } from './luck.ts';

const names = ['ada', 'lin', 'eve', 'boss', 'idle'];

export function givenSetting(luck: Luck, now: Temporal.Instant): Configuration {
  const from = now.subtract({ hours: 48 });
  const turns = dailyTurns(['ada', null, 'lin'], { from, handoff: '09:00' });
  const slack = [{ webhook_url: 'https://chat.test/shifts' }];
  return givenConfiguration({
    ...{ people: names.map((name) => personOf(name, luck)), ...decidedBy(luck) },
    receivers: [0, 1, 2].map((index) => receiverOf(`integration${index}`, luck)),
    policies: ['day', 'night'].map((id) => ({ ...receiverOf(id, luck).policy, id })),
    webhooks: [{ id: 'hook', team_id: 'team', name: 'Hook', archived: false }],
    schedules: [
      givenRota('rota', turns),
      ...schedules.map(({ id, name }) => givenRota(id, turns, { name })),
    ],
    notifications: { slack, outbound_webhook_ids: ['hook'] },
    channels: new Set(['email', 'sms', 'slack']),
  });
}

/** What the team decided beforehand: each rule and each playbook is there by chance. */
function decidedBy(luck: Luck) {
  const some = <T>(all: readonly T[]) => all.filter(() => luck.chance(0.3));
  const rules = some(rulesOf(luck)).map(({ condition, actions }, index) => ({
    ...{ id: `rule${index}`, name: `Rule ${index}`, actions },
    condition_groups: [{ conditions: [condition] }],
  }));
  const playbooks = some(playbooksOf(luck)).map((given, index) => ({
    ...{ ...given, id: `playbook${index}`, name: `Playbook ${index}` },
    ...{ team_id: 'team', archived: false, enabled: true },
  }));
  return { rules, playbooks };
}

type SimulatedRule = { readonly condition: Condition; readonly actions: Rule['actions'] };

const rulesOf = (luck: Luck): readonly SimulatedRule[] => [
  { condition: { type: 'allIncidents' }, actions: [{ type: 'severity', severity: 'sev2' }] },
  {
    condition: { type: 'incidentMessage', comparator: 'contains', text: 'disk' },
    actions: [{ type: 'escalationPolicy', escalation_policy_id: 'night' }],
  },
  {
    condition: { type: 'incidentSuppressed', count: 1 + luck.below(3) },
    actions: [{ type: 'integration', integration_id: `integration${luck.below(3)}` }],
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
      { type: 'addResponder', user_id: 'lin' },
      { type: 'pagePerson', user_id: 'eve', via: 'email' },
    ],
  },
  {
    run_automatically: ['escalated'],
    actions: [{ type: 'escalationPolicy', escalation_policy_id: 'night' }],
  },
  {
    run_automatically: ['escalated'],
    actions: [
      luck.of([
        { type: 'acknowledgeIncident' },
        { type: 'escalationPolicy', escalation_policy_id: 'day' },
      ]),
    ],
  },
  { run_automatically: ['acknowledged'], actions: [{ type: 'note', text: '{{title}}' }] },
  {
    run_automatically: ['acknowledged', 'resolved'],
    actions: [luck.of([{ type: 'resolveIncident' }, { type: 'priority', priority: 'p2' }])],
  },
];

/** The schedules that are watched here. */
export const schedules: readonly AnnouncedSchedule[] = ['nights', 'days'].map((id) => ({
  ...{ organization_id: 'org', id, name: id, timezone: 'Europe/Paris' },
}));

function personOf(name: string, luck: Luck): Person {
  const notifications: PersonalNotifications = {
    ...(luck.chance(0.5) && { shift_end: ['email'] }),
    ...(luck.chance(0.2) && { shift_start: ['email', 'sms'] }),
  };
  return givenPerson(name, {
    ...{ active: name !== 'idle', role: name === 'boss' ? 'admin' : 'responder', notifications },
    addresses: { email: [`${name}@example.test`], ...(name === 'ada' && { sms: ['+491'] }) },
  });
}

function receiverOf(id: string, luck: Luck): Receiver {
  const steps = Array.from(
    { length: 1 + luck.below(3) },
    (): Step => ({
      targets: Array.from({ length: 1 + luck.below(3) }, () => targetOf(luck)),
      escalate_after_minutes: 1 + luck.below(15),
    }),
  );
  return {
    organization_id: 'org',
    integration_id: id,
    team_id: 'team',
    slug: 'webhook',
    name: id,
    enabled: true,
    archived: false,
    disableSuppression: luck.chance(0.15),
    repeats: luck.chance(0.4),
    ackTimeoutMinutes: luck.chance(0.4) ? 1 + luck.below(60) : null,
    autoResolve: luck.chance(0.3) ? { after: 1 + luck.below(6), unit: 'hours' } : null,
    service: { id: 'service', name: 'Shop', archived: false },
    policy: {
      id: `policy of ${id}`,
      name: 'Ops',
      archived: false,
      delayMinutes: luck.chance(0.3) ? luck.below(10) : 0,
      steps,
    },
  };
}

function targetOf(luck: Luck): Target {
  if (luck.chance(0.15)) return { via: 'email', oncall_schedule_id: 'rota' };
  if (luck.chance(0.1)) return { via: 'slack', webhook_url: `https://chat.test/${luck.below(2)}` };
  return { via: luck.chance(0.2) ? 'sms' : 'email', user_id: luck.of(names) };
}

/** Whoever acts on incidents here. */
export const someone: Actor = { type: 'user', id: 'eve', name: 'Eve', via: 'api' };

export const arrivalOf = (integration: string, body: object): Arrival => ({
  organizationId: 'org',
  integrationId: integration,
  slug: 'webhook',
  integrationName: integration,
  door: 'http',
  path: '/push-events',
  contentType: 'application/json',
  body: new TextEncoder().encode(JSON.stringify(body)),
});
