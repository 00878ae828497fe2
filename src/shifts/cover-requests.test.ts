import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration, buildPerson } from '../../test/configuration.ts';
import type { PersonalNotifications } from '../resources/shift-notifications.ts';
import { type CoverStory, coverIntents, coverRequestState } from './cover-requests.ts';
import { coverCancellationReason } from './notice-cancellation.ts';

const end = Temporal.Instant.from('2026-03-02T18:00:00Z');
const story: CoverStory = {
  id: 'request',
  schedule: { id: 'rota', name: 'Rota', timezone: 'Europe/Paris' },
  person: 'Ada',
  requester: null,
  start: end.subtract({ hours: 6 }),
  end,
  comment: null,
};

const cases: readonly {
  readonly name: string;
  readonly settings: PersonalNotifications;
  readonly channels: readonly string[];
}[] = [
  { name: 'without settings by e-mail', settings: {}, channels: ['email'] },
  {
    name: 'as of changed shifts',
    settings: { shift_change: ['sms', 'email'], shift_start: [] },
    channels: ['sms', 'email'],
  },
  {
    name: 'as of changed shifts of this schedule',
    settings: {
      shift_change: ['email'],
      schedules: [{ oncall_schedule_id: 'rota', shift_change: ['sms'] }],
    },
    channels: ['sms'],
  },
  { name: 'not at all by an empty list', settings: { shift_change: [] }, channels: [] },
  { name: 'never by phone', settings: { shift_change: ['phone', 'sms'] }, channels: ['sms'] },
  {
    name: 'by e-mail instead of a call alone',
    settings: { shift_change: ['phone'] },
    channels: ['email'],
  },
  {
    name: 'not by a channel that reaches nobody',
    settings: { shift_change: ['telegram'] },
    channels: [],
  },
];
for (const { name, settings, channels } of cases)
  test(`whoever is asked is notified ${name}`, () => {
    const addresses = { email: ['lin@example.test'], sms: ['+491'], phone: ['+491'] };
    const lin = buildPerson('lin', { notifications: settings, addresses });
    const configuration = buildConfiguration({
      people: [lin],
      channels: new Set(['email', 'sms', 'phone', 'telegram']),
    });
    const intents = coverIntents(story, ['lin'], configuration);
    assert.deepEqual(
      intents.map(({ key, channel }) => [key, channel]),
      channels.map((one) => [`cover_request/request/${one}/lin`, one]),
    );
  });

test('an open request expires at its end', () => {
  const before = end.subtract({ seconds: 1 });
  assert.equal(coverRequestState({ state: 'open', end }, before), 'open');
  assert.equal(coverRequestState({ state: 'open', end }, end), 'expired');
  assert.equal(coverRequestState({ state: 'accepted', end }, end), 'accepted');
  assert.equal(coverRequestState({ state: 'withdrawn', end }, end), 'withdrawn');
});

test('only a notice of an open request is sent, until the shift is over', () => {
  const reason = (isOpen: boolean, now: Temporal.Instant) =>
    coverCancellationReason({ isOpen, story }, now);
  assert.equal(reason(true, end.subtract({ seconds: 1 })), null);
  assert.equal(reason(true, end), 'the shift is over');
  assert.equal(reason(false, story.start), 'the cover request is no longer open');
});
