import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IntegrationActivity } from '../../storage/organizations/attention.ts';
import { activityOf, factsOf, type Known, type Running } from './facts.ts';

const now = Temporal.Instant.from('2026-03-02T09:00:00Z');
const hours = (count: number) => now.add({ hours: count });
const days = (count: number) => hours(count * 24);

const nothing: Known = {
  now,
  me: 'ada',
  running: [],
  unreachable: new Map(),
  mail: null,
  quota: null,
  uncovered: [],
  failing: [],
  activity: [],
  failingChannels: [],
  failingConnections: [],
  notReached: null,
  cut: [],
  findings: [],
  clocks: [],
  jumps: [],
};
const types = (known: Partial<Known>) => factsOf({ ...nothing, ...known }).map(({ type }) => type);

const shift = (user_id: string, schedule = 'Payments'): Running => ({
  schedule: { id: schedule, name: schedule },
  shift: { user_id, start: hours(-1), end: hours(1), layer: 0, source: 'layer' },
});
const unreachable = new Map(
  ['ada', 'lin', 'eve'].map((name) => [name, { name, reason: 'The person has no contact.' }]),
);
const gap = (name: string) => ({
  schedule: { id: name, name },
  start: String(hours(2)),
  end: String(hours(3)),
  more: 2,
});
const active = (fields: Partial<IntegrationActivity> = {}): IntegrationActivity => ({
  id: 'checks',
  slug: 'webhook',
  name: 'Checks',
  enabled: true,
  outcome: 'opened',
  reason: null,
  service: { archived: false },
  received_at: hours(-1),
  silent: false,
  misread: null,
  ...fields,
});

test('a shift of one’s own is told with its end; of others only that they cannot be reached', () => {
  const running = [shift('ada'), shift('lin', 'Shop'), shift('bob', 'Web')];
  assert.deepEqual(factsOf({ ...nothing, running }), [
    {
      type: 'your_shift',
      schedule: { id: 'Payments', name: 'Payments' },
      end: '2026-03-02T10:00:00.000Z',
    },
  ]);
  const all = types({ running, unreachable });
  assert.deepEqual(all, ['you_unreachable', 'your_shift', 'person_unreachable']);
  assert.deepEqual(types({ running, unreachable, me: null }), [
    'person_unreachable',
    'person_unreachable',
  ]);
});

test('a person who cannot be reached is told once, whatever they are on call for', () => {
  const running = [shift('lin', 'Shop'), shift('lin', 'Web'), shift('eve', 'Web')];
  const facts = factsOf({ ...nothing, running, unreachable });
  assert.deepEqual(
    facts.flatMap(({ user, schedule }) =>
      user ? [[Object(user).name, Object(schedule).name]] : [],
    ),
    [
      ['lin', 'Shop'],
      ['eve', 'Web'],
    ],
  );
});

test('of gaps the first to come is told first', () => {
  const at = (hour: number) => ({ start: String(hours(hour)), end: String(hours(hour + 1)) });
  const uncovered = [
    { ...gap('late'), ...at(30) },
    { ...gap('soon'), ...at(1) },
  ];
  const names = factsOf({ ...nothing, uncovered }).map(({ schedule }) => Object(schedule).name);
  assert.deepEqual(names, ['soon', 'late']);
});

test('a quota is told from the first share on of which admins are notified', () => {
  const quota = (used: number, limit?: number) => ({
    quota: { month: '2026-03', used, by_channel: {}, ...(limit && { limit }) },
  });
  assert.deepEqual(types(quota(79, 100)), []);
  assert.deepEqual(types(quota(1_000)), []);
  assert.deepEqual(factsOf({ ...nothing, ...quota(80, 100) }), [
    { type: 'quota', used: 80, limit: 100 },
  ]);
});

test('an integration whose events are stored only in part is shown with the last of them', () => {
  const cut = [{ id: 'checks', slug: 'webhook', name: 'Checks', cut_at: hours(-1) }];
  assert.deepEqual(factsOf({ ...nothing, cut }), [
    {
      type: 'integration_cut',
      integration: { id: 'checks', slug: 'webhook', name: 'Checks' },
      since: '2026-03-02T08:00:00.000Z',
    },
  ]);
});

test('an integration is silent, or drops what the next event would meet too', () => {
  const of = (fields: Partial<IntegrationActivity>) => types({ activity: [active(fields)] });
  assert.deepEqual(of({}), []);
  const silent = { received_at: days(-7), silent: true };
  assert.deepEqual(of(silent), ['integration_silent']);
  assert.deepEqual(of({ ...silent, enabled: false }), []);
  const off = { enabled: false, outcome: 'dropped' } as const;
  const [dropping] = factsOf({ ...nothing, activity: [active(off)] });
  assert.deepEqual(dropping, {
    type: 'integration_dropping',
    reason: 'the integration is disabled',
    integration: { id: 'checks', slug: 'webhook', name: 'Checks' },
    since: '2026-03-02T08:00:00.000Z',
  });
  assert.deepEqual(of({ outcome: 'dropped', service: { archived: true } }), [
    'integration_dropping',
  ]);
  assert.deepEqual(of({ outcome: 'unreadable' }), ['integration_dropping']);
  const reason = 'refused with 413: the body is larger than 8388608 bytes';
  const [refused] = factsOf({ ...nothing, activity: [active({ outcome: 'refused', reason })] });
  assert.equal(refused?.['reason'], `the last event was ${reason}`);
  // Switched on again, or off and forgotten.
  assert.deepEqual(of({ outcome: 'dropped' }), []);
  assert.deepEqual(of({ ...off, received_at: days(-7) }), []);
  assert.deepEqual(of({ enabled: false, received_at: null, outcome: null }), []);
});

test('an integration whose events look like those of another type may be changed to that', () => {
  const note = 'it looks like Uptime Kuma, and the integration is of type Webhook: it is read as';
  const of = (fields: Partial<IntegrationActivity>) =>
    factsOf({ ...nothing, activity: [active(fields)] });
  assert.deepEqual(of({ misread: note }), [
    {
      type: 'integration_misread',
      likely_type: { slug: 'uptime-kuma', name: 'Uptime Kuma' },
      integration: { id: 'checks', slug: 'webhook', name: 'Checks' },
      since: '2026-03-02T08:00:00.000Z',
    },
  ]);
  // Its type was changed since, or it drops all.
  assert.deepEqual(of({ misread: note, slug: 'uptime-kuma' }), []);
  const dropping = of({ misread: note, service: { archived: true } });
  assert.deepEqual(
    dropping.map(({ type }) => type),
    ['integration_dropping'],
  );
});

test('events for an archived service come to nothing, whether or not one came lately', () => {
  const service = { archived: true };
  const never = { received_at: null, outcome: null };
  for (const last of [{}, never, { received_at: days(-90), silent: true }])
    assert.deepEqual(types({ activity: [active({ service, ...last })] }), ['integration_dropping']);
  const [fact] = factsOf({ ...nothing, activity: [active({ service, ...never })] });
  assert.deepEqual(fact, {
    type: 'integration_dropping',
    reason: 'the service is archived',
    integration: { id: 'checks', slug: 'webhook', name: 'Checks' },
  });
});

test('triggered incidents for which nobody was reached come before all else', () => {
  const facts = factsOf({ ...nothing, unreachable, notReached: { incidents: 2, newest: 7 } });
  assert.deepEqual(facts, [
    { type: 'nobody_reached', incidents: 2, incident: 7 },
    { type: 'you_unreachable', reason: 'The person has no contact.' },
  ]);
});

test('of each kind the first is told, then others in their order, five in all', () => {
  const uncovered = ['1', '2', '3', '4', '5'].map(gap);
  const failing = [{ id: 'hook', name: 'Hook', failing_since: days(-1) }];
  const activity = [active({ received_at: days(-9), silent: true })];
  const facts = factsOf({
    ...nothing,
    mail: 'E-mail is not set up.',
    uncovered,
    failing,
    activity,
  });
  assert.deepEqual(
    facts.map(({ type, schedule }) => (schedule ? `${type} ${Object(schedule).name}` : type)),
    ['mail', 'gap 1', 'gap 2', 'webhook_failing', 'integration_silent'],
  );
  assert.deepEqual(facts[1], { type: 'gap', ...gap('1') });
  assert.equal(types({ uncovered, failing, activity }).length, 5);
});

test('what was odd about alerts is shown of each integration, with what mends it', () => {
  const one = {
    id: 'checks',
    slug: 'alertmanager',
    name: 'Checks',
    at: hours(-1),
    event_id: 'event',
    service_id: 'shop',
    escalation_policy_id: 'ops',
  };
  const kinds = ['sender_clock', 'unmatched_end', 'two_senders', 'omitted_alerts'] as const;
  const findings = kinds.map((kind) => ({ ...one, kind, text: `${kind}.` }));
  const integration = { id: 'checks', slug: 'alertmanager', name: 'Checks' };
  const since = '2026-03-02T08:00:00.000Z';
  const second = { slug: 'alertmanager', service_id: 'shop', escalation_policy_id: 'ops' };
  assert.deepEqual(factsOf({ ...nothing, findings }), [
    {
      type: 'integration_omitted_alerts',
      integration,
      since,
      reason: 'omitted_alerts.',
      event_id: 'event',
    },
    {
      type: 'integration_two_senders',
      integration,
      since,
      reason: 'two_senders.',
      second_integration: { name: 'Checks 2', ...second },
    },
    {
      type: 'integration_unmatched_end',
      integration,
      since,
      reason: 'unmatched_end.',
      event_id: 'event',
    },
    { type: 'integration_sender_clock', integration, since, reason: 'sender_clock.' },
  ]);
});

test('an integration has one state, and a reason only where events open no incidents', () => {
  const cases: readonly [Partial<IntegrationActivity>, string, string | null][] = [
    [{}, 'live', null],
    [{ received_at: null, outcome: null }, 'waiting', null],
    [{ received_at: days(-9), silent: true }, 'silent', null],
    [{ received_at: days(-9) }, 'live', null],
    [{ outcome: 'unreadable' }, 'dropping', 'the last event could not be read'],
    [{ outcome: 'unreadable', enabled: false }, 'disabled', null],
  ];
  for (const [fields, state, reason] of cases)
    assert.deepEqual(activityOf(active(fields), now), { state, reason }, JSON.stringify(fields));
});
