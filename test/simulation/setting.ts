// The people, policies and integrations of a simulated world, made of its luck.
import type { Arrival, IntakeOptions } from '../../src/engine/intake.ts';
import type { Directory, Person } from '../../src/incidents/directory.ts';
import type { Actor } from '../../src/incidents/incident.ts';
import type { Receiver } from '../../src/incidents/receive.ts';
import type { Step, Target } from '../../src/resources/escalation-policy.ts';
import type { AnnouncedSchedule, Audience, ShiftPerson } from '../../src/shifts/announce.ts';
import type { PersonalNotifications } from '../../src/shifts/settings.ts';
import { dailyTurns } from '../daily-turns.ts';
import type { Luck } from './luck.ts';
import type { Given } from './memory-ledger.ts';

const names = ['ada', 'lin', 'eve', 'boss', 'idle'];

export function givenSetting(luck: Luck, now: Temporal.Instant): Given {
  const receivers = new Map<string, Receiver>();
  for (let index = 0; index < 3; index += 1) {
    const id = `integration${index}`;
    receivers.set(id, receiverOf(id, luck));
  }
  const directory = directoryOf(now);
  return { receivers, directory, audience: audienceOf(directory, luck) };
}

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

export const read: IntakeOptions['read'] = async (event, type, name) =>
  type.read(
    { door: 'http', path: event.path, contentType: event.content_type, body: event.body },
    { receivedAt: event.received_at, integrationName: name },
  );

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
