import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration, buildPerson, buildRota } from '../../test/configuration.ts';
import type { Configuration, Person } from '../incidents/configuration.ts';
import type {
  PersonalNotifications,
  ScheduleNotifications,
} from '../resources/shift-notifications.ts';
import { type Advance, postponed, type RecordedShift, type ShiftEvent } from './advance.ts';
import { announce } from './announce.ts';
import type { ShiftIntent } from './notice.ts';

const midnight = Temporal.Instant.from('2026-03-03T00:00:00Z');
const dayOf = (days: number) => midnight.add({ hours: 24 * days });
const schedule = { organization_id: 'org', id: 'rota', name: 'Rota', timezone: 'Europe/Paris' };

const person = (id: string, notifications: PersonalNotifications = {}): Person =>
  buildPerson(id, {
    name: `${id} Example`,
    last_name: 'Example',
    active: id !== 'idle',
    notifications,
    addresses: { email: [`${id}@example.test`], ...(id === 'ada' && { sms: ['+491'] }) },
  });
const nobodys = { revisions: [], overrides: [] };
const configurationOf = (fields: Parameters<typeof buildConfiguration>[0] = {}) =>
  buildConfiguration({
    people: ['ada', 'lin', 'idle'].map((id) => person(id)),
    schedules: [buildRota('rota', nobodys)],
    channels: new Set(['email', 'sms', 'slack', 'msteams', 'discord']),
    ...fields,
  });
const wishing = (settings: PersonalNotifications) =>
  configurationOf({ people: [person('ada', settings), person('lin')] });

const shift = (id: string, user_id: string, day: number): RecordedShift => ({
  id,
  user_id,
  layer: 0,
  source: id,
  start: dayOf(day),
  end: dayOf(day + 1),
});
const event = (type: 'start' | 'end', of: RecordedShift, unannounced: string | null = null) => ({
  type,
  shift: of,
  unannounced,
  at: of[type],
});
const advanceWith = (fields: Partial<Advance>): Advance => ({
  ...postponed({ advanced_to: midnight, running: null, edits: 7, seen_edits: 6 }, midnight),
  ...fields,
});
const [adas, lins] = [shift('s1', 'ada', -1), shift('s2', 'lin', 0)];
const handoff: readonly ShiftEvent[] = [event('end', adas), event('start', lins)];
const starts = (...shifts: readonly RecordedShift[]) =>
  advanceWith({ events: shifts.map((one) => event('start', one)) });

const intentsOf = (advance: Advance, configuration = configurationOf()) =>
  announce(advance, schedule, configuration);
const text = ({ kind, channel, recipient, skipped }: ShiftIntent) =>
  `${kind} ${channel} ${recipient}${skipped === null ? '' : `: ${skipped}`}`;
const texts = (advance: Advance, configuration?: Configuration) =>
  intentsOf(advance, configuration).map(text);

type Case = {
  readonly name: string;
  readonly settings: PersonalNotifications;
  readonly ofAda: readonly string[];
};
const personal: readonly Case[] = [
  { name: 'who says nothing is told of starts by mail', settings: {}, ofAda: ['start email'] },
  {
    name: 'each event has channels of its own',
    settings: { shift_start: ['sms'], shift_end: ['email', 'sms'] },
    ofAda: ['start sms', 'end email', 'end sms'],
  },
  { name: 'an empty list is nothing', settings: { shift_start: [] }, ofAda: [] },
  {
    name: 'wishes for the schedule win for the events they name',
    settings: {
      shift_start: ['sms'],
      shift_end: ['sms'],
      schedules: [{ oncall_schedule_id: 'rota', shift_start: ['email'] }],
    },
    ofAda: ['start email', 'end sms'],
  },
  {
    name: 'wishes for another schedule say nothing here',
    settings: { schedules: [{ oncall_schedule_id: 'other', shift_end: ['sms'] }] },
    ofAda: ['start email'],
  },
];
for (const { name, settings, ofAda } of personal)
  test(`of one’s own shifts, ${name}`, () => {
    const events = [event('start', adas), event('end', adas)];
    const intents = intentsOf(advanceWith({ events }), wishing(settings));
    const got = intents.map(({ kind, channel }) => `${kind.slice('shift_'.length)} ${channel}`);
    assert.deepEqual(got, ofAda);
  });

const slack = (name: string) => ({
  channel_name: name,
  webhook_url: `https://slack.test/${name}`,
  mention: '@here',
});
const ofAll = {
  slack: [slack('all')],
  msteams: [{ channel_id: 'T1' }],
  discord: [slack('fun')],
  outbound_webhook_ids: ['hook'],
};
const webhooks = ['Hook', 'Own', 'Old'].map((name) => ({
  id: name.toLowerCase(),
  team_id: 'team',
  name,
  archived: name === 'Old',
}));
const teamOf = (own: ScheduleNotifications | null, advance = starts(lins)) => {
  const schedules = [buildRota('rota', nobodys, own ? { notifications: own } : {})];
  const configuration = configurationOf({ notifications: ofAll, schedules, webhooks });
  return intentsOf(advance, configuration).filter((one) => one.user_id === null);
};

test('chats and webhooks of the organisation are told of every schedule', () => {
  assert.deepEqual(teamOf(null).map(text), [
    'shift_start slack all',
    'shift_start msteams T1: channel not set up',
    'shift_start discord fun',
    'shift_start webhook Hook',
  ]);
});

test('a schedule’s chats stand for the organisation’s, even if there are none', () => {
  const own = { slack: [slack('ops'), slack('dev')], msteams: [] };
  assert.deepEqual(
    teamOf(own)
      .filter((one) => one.channel !== 'webhook')
      .map(text),
    ['shift_start slack ops', 'shift_start slack dev', 'shift_start discord fun'],
  );
});

test('a schedule’s webhooks are called beside the organisation’s, each once', () => {
  const own = { outbound_webhook_ids: ['own', 'hook', 'old'] };
  assert.deepEqual(
    teamOf(own)
      .filter((one) => one.channel === 'webhook')
      .map(text),
    [
      'shift_start webhook Own',
      'shift_start webhook Hook',
      'shift_start webhook Old: the webhook is archived',
    ],
  );
});

test('a handoff is two requests, the end before the start', () => {
  const events = teamOf(null, advanceWith({ events: handoff })).filter(
    (one) => one.address === 'hook',
  );
  assert.deepEqual(
    events.map(({ key, story }) => [key, story.user.id, story.shift?.id]),
    [
      ['shift/s1/end/webhook/hook', 'ada', 's1'],
      ['shift/s2/start/webhook/hook', 'lin', 's2'],
    ],
  );
});

test('whoever cannot be told is written down with the reason', () => {
  const ids = ['idle', 'lin', 'ada'];
  const all = ids.map((id) => person(id, { shift_start: ['sms', 'phone'] }));
  const configuration = configurationOf({ people: all });
  assert.deepEqual(
    ids.map((id) => texts(starts(shift(id, id, 0)), configuration)),
    [
      [
        'shift_start sms idle Example: the user is not active',
        'shift_start phone idle Example: the user is not active',
      ],
      [
        'shift_start sms lin Example: no verified sms contact',
        'shift_start phone lin Example: channel not set up',
      ],
      ['shift_start sms ada Example', 'shift_start phone ada Example: channel not set up'],
    ],
  );
});

test('an event that is only recorded is told to nobody', () => {
  assert.deepEqual(texts(advanceWith({ events: [event('start', lins, 'over')] })), []);
});

test('both sides of a handoff name the other person', () => {
  const people = ['ada', 'lin'].map((id) => person(id, { shift_end: ['email'] }));
  const configuration = configurationOf({ people });
  const others = (events: readonly ShiftEvent[]) =>
    intentsOf(advanceWith({ events }), configuration).map(({ story }) => story.other);
  assert.deepEqual(others(handoff), ['lin Example', 'ada Example']);
  const apart = [event('end', adas), event('start', shift('s3', 'lin', 1))];
  assert.deepEqual(others(apart), [null, null]);
  const anew = [event('end', adas), event('start', shift('s3', 'ada', 0))];
  assert.deepEqual(others(anew), [null, null]);
});

test('a notice tells whose shift of which schedule begins, and until when', () => {
  const [intent] = intentsOf(starts(lins));
  assert.deepEqual(intent, {
    key: 'shift/s2/start/email/lin',
    kind: 'shift_start',
    channel: 'email',
    address: 'lin@example.test',
    user_id: 'lin',
    recipient: 'lin Example',
    mention: null,
    why: 'Your shift notification settings',
    skipped: null,
    story: {
      schedule: { id: 'rota', name: 'Rota', timezone: 'Europe/Paris' },
      user: { id: 'lin', first_name: 'lin', last_name: 'Example', email: 'lin@example.test' },
      shift: { id: 's2', start: dayOf(0), end: dayOf(1) },
      taken_off: false,
      other: null,
      changes: [],
    },
  });
});

const moves = (count: number) =>
  Array.from({ length: count }, (_, day) => ({
    type: 'gained' as const,
    start: dayOf(day),
    end: dayOf(day + 1),
  }));

test('an edit is told to whom it moves, and to no chat or webhook', () => {
  const advance = advanceWith({ moves: new Map([['ada', moves(1)]]) });
  const configuration = configurationOf({ notifications: ofAll, webhooks });
  const intents = intentsOf(advance, configuration);
  assert.deepEqual(
    intents.map(({ key, kind, story }) => [key, kind, story.changes, story.shift]),
    [['shift/rota/change-7/email/ada', 'shift_change', moves(1), null]],
  );
  assert.deepEqual(texts(advance, wishing({ shift_change: [] })), []);
});

test('of many moves the first 20 are told, and that there are more', () => {
  const [intent] = intentsOf(advanceWith({ moves: new Map([['ada', moves(21)]]) }));
  assert.deepEqual(intent?.story.changes, moves(20));
  assert.match(intent?.why ?? '', /the first 20 of 21/);
});

test('whom an edit takes off call at once learns so, and who is on call instead', () => {
  const lost = { type: 'lost' as const, start: midnight, end: dayOf(1) };
  const ended = { ...adas, end: midnight };
  const cursor = { advanced_to: midnight, running: lins, edits: 7, seen_edits: 7 };
  const moved = new Map([['ada', [lost]]]);
  const toAda = (fields: Partial<Advance>) => {
    const advance = advanceWith({ cursor, moves: moved, events: [event('end', ended)], ...fields });
    const [change] = intentsOf(advance).filter(({ kind }) => kind === 'shift_change');
    return [change?.story.taken_off, change?.story.other];
  };
  assert.deepEqual(toAda({}), [true, 'lin Example']);
  assert.deepEqual(toAda({ cursor: { ...cursor, running: null } }), [true, null]);
  assert.deepEqual(toAda({ events: [] }), [false, null]);
  const later = new Map([['ada', [{ ...lost, start: dayOf(2) }]]]);
  assert.deepEqual(toAda({ moves: later }), [false, null]);
});
