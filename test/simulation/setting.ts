// The people, policies and integrations of a simulated world, made of its luck.
import type { Arrival } from '../../src/engine/deciding/intake.ts';
import type { Playbook } from '../../src/incidents/actions/playbook.ts';
import { bookOf, type Standing } from '../../src/incidents/actions/ruled.ts';
import type { Receiver } from '../../src/incidents/arrival/receiver.ts';
import type { Directory, Person } from '../../src/incidents/directory.ts';
import type { Actor } from '../../src/incidents/incident.ts';
import type { Condition } from '../../src/resources/condition.ts';
import type { Step, Target } from '../../src/resources/escalation-policy.ts';
import { compileRule, type Rule } from '../../src/rules/rule.ts';
import type { AnnouncedSchedule, Audience, ShiftPerson } from '../../src/shifts/announce.ts';
import type { PersonalNotifications } from '../../src/shifts/settings.ts';
import { dailyTurns } from '../daily-turns.ts';
import type { Given } from './fragile-ledger.ts';
import type { Luck } from './luck.ts';

const names = ['ada', 'lin', 'eve', 'boss', 'idle'];

export function givenSetting(luck: Luck, now: Temporal.Instant): Given {
  const receivers = new Map<string, Receiver>();
  for (let index = 0; index < 3; index += 1) {
    const id = `integration${index}`;
    receivers.set(id, receiverOf(id, luck));
  }
  const directory = directoryOf(now);
  const standing = standingOf(receivers, luck);
  return { receivers, directory, standing, audience: audienceOf(directory, luck) };
}

/** What the team decided beforehand: each rule and each playbook is there by chance. */
function standingOf(receivers: ReadonlyMap<string, Receiver>, luck: Luck): Standing {
  const some = <T>(all: readonly T[]) => all.filter(() => luck.chance(0.3));
  const rules = some(rulesOf(luck)).map((rule, index) => ({
    ...{ ...rule, id: `rule${index}`, name: `Rule ${index}` },
    condition_groups: [{ conditions: [rule.condition] }],
  }));
  const playbooks = some(playbooksOf(luck)).map((given, index) => ({
    ...{ ...given, id: `playbook${index}`, name: `Playbook ${index}` },
    ...{ team_id: 'team', archived: false, enabled: true },
  }));
  const policies = ['day', 'night'].map((id) => ({ ...receiverOf(id, luck).policy, id }));
  return {
    books: new Map([['team', bookOf(rules.map(compileRule), playbooks)]]),
    targets: {
      policies: new Map(policies.map((policy) => [policy.id, policy])),
      receivers,
      webhooks: new Map(),
    },
  };
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

function audienceOf({ people, channels }: Directory, luck: Luck): Audience {
  const wishes = (): PersonalNotifications => ({
    ...(luck.chance(0.5) && { shift_end: ['email'] }),
    ...(luck.chance(0.2) && { shift_start: ['email', 'sms'] }),
  });
  const told = [...people.values()].map((person): [string, ShiftPerson] => {
    const member = { first_name: person.name, last_name: '', email: `${person.id}@example.test` };
    return [person.id, { ...person, ...member, settings: wishes() }];
  });
  const slack = [{ webhook_url: 'https://chat.test/shifts' }];
  return {
    people: new Map(told),
    organizations: new Map([['org', { slack, outbound_webhook_ids: ['hook'] }]]),
    schedules: new Map(),
    webhooks: new Map([['hook', { name: 'Hook', archived: false }]]),
    channels,
  };
}

function directoryOf(now: Temporal.Instant): Directory {
  const person = (name: string): Person => ({
    id: name,
    name,
    active: name !== 'idle',
    addresses: { email: [`${name}@example.test`], ...(name === 'ada' && { sms: ['+491'] }) },
  });
  const from = now.subtract({ hours: 48 });
  const schedule = dailyTurns(['ada', null, 'lin'], { from, handoff: '09:00' });
  return {
    people: new Map(names.map((name) => [name, person(name)])),
    schedules: new Map([['rota', { name: 'Rota', archived: false, schedule }]]),
    adminsOfTeam: new Map([['team', ['boss']]]),
    channels: new Set(['email', 'sms', 'slack']),
  };
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
      id: 'policy',
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
