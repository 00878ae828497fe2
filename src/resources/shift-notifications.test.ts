import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type OrganizationNotifications,
  type PersonalNotifications,
  personalProblems,
  teamProblems,
} from './shift-notifications.ts';

type Case<Settings> = {
  readonly says: string;
  readonly given: Settings;
  /** Paths. */
  readonly wrong: readonly string[];
};

const pathsOf = (problems: readonly { readonly path: string }[]) =>
  problems.map(({ path }) => path);

const schedule = (letter: string) => ({ oncall_schedule_id: letter.repeat(24) });
const url = 'https://hooks.test/1';

const people: readonly Case<PersonalNotifications>[] = [
  { says: 'nothing at all', given: {}, wrong: [] },
  {
    says: 'the same channel for several events',
    given: { shift_start: ['sms', 'email'], shift_end: ['email'], shift_change: ['sms'] },
    wrong: [],
  },
  { says: 'a channel twice', given: { shift_end: ['sms', 'sms'] }, wrong: ['shift_end[1]'] },
  {
    says: 'a channel twice for one schedule',
    given: { schedules: [schedule('a'), { ...schedule('b'), shift_start: ['email', 'email'] }] },
    wrong: ['schedules[1].shift_start[1]'],
  },
  {
    says: 'a schedule twice',
    given: { schedules: [schedule('a'), schedule('b'), schedule('a')] },
    wrong: ['schedules[2].oncall_schedule_id'],
  },
];

for (const { says, given, wrong } of people)
  test(`of a person, ${says}: ${wrong.length === 0 ? 'right' : 'wrong'}`, () => {
    assert.deepEqual(pathsOf(personalProblems(given)), wrong);
  });

const teams: readonly Case<OrganizationNotifications>[] = [
  { says: 'nothing at all', given: {}, wrong: [] },
  {
    says: 'one address each',
    given: { slack: [{ channel_id: 'C1' }, { webhook_url: url }], discord: [{ channel_id: 'C1' }] },
    wrong: [],
  },
  { says: 'no address', given: { slack: [{}, {}] }, wrong: ['[0].channel_id', '[1].channel_id'] },
  {
    says: 'two addresses',
    given: { slack: [{ channel_id: 'C1', webhook_url: url }] },
    wrong: ['[0].webhook_url'],
  },
  {
    says: 'an address twice',
    given: { slack: [{ webhook_url: url }, { webhook_url: url, mention: '@here' }] },
    wrong: ['[1]'],
  },
];

for (const { says, given, wrong } of teams)
  test(`of a team, ${says}: ${wrong.length === 0 ? 'right' : 'wrong'}`, () => {
    assert.deepEqual(
      pathsOf(teamProblems(given)),
      wrong.map((path) => `slack${path}`),
    );
  });

test('a webhook twice is told below the place that the settings stand at', () => {
  const problems = teamProblems({ outbound_webhook_ids: ['a', 'b', 'a'] }, 'shift_notifications.');
  assert.deepEqual(pathsOf(problems), ['shift_notifications.outbound_webhook_ids[2]']);
});
