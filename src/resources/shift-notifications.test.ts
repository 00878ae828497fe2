import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type OrganizationNotifications,
  type PersonalNotifications,
  personalProblems,
  teamProblems,
} from './shift-notifications.ts';

type Case<Settings> = {
  readonly title: string;
  readonly settings: Settings;
  /** Paths. */
  readonly wrong: readonly string[];
};

const pathsOf = (problems: readonly { readonly path: string }[]) =>
  problems.map(({ path }) => path);

const schedule = (letter: string) => ({ oncall_schedule_id: letter.repeat(24) });
const url = 'https://hooks.test/1';

const people: readonly Case<PersonalNotifications>[] = [
  { title: 'nothing at all', settings: {}, wrong: [] },
  {
    title: 'the same channel for several events',
    settings: { shift_start: ['sms', 'email'], shift_end: ['email'], shift_change: ['sms'] },
    wrong: [],
  },
  { title: 'a channel twice', settings: { shift_end: ['sms', 'sms'] }, wrong: ['shift_end[1]'] },
  {
    title: 'a channel twice for one schedule',
    settings: { schedules: [schedule('a'), { ...schedule('b'), shift_start: ['email', 'email'] }] },
    wrong: ['schedules[1].shift_start[1]'],
  },
  {
    title: 'a schedule twice',
    settings: { schedules: [schedule('a'), schedule('b'), schedule('a')] },
    wrong: ['schedules[2].oncall_schedule_id'],
  },
];

for (const { title, settings, wrong } of people)
  test(`of a person, ${title}: ${wrong.length === 0 ? 'right' : 'wrong'}`, () => {
    assert.deepEqual(pathsOf(personalProblems(settings)), wrong);
  });

const teams: readonly Case<OrganizationNotifications>[] = [
  { title: 'nothing at all', settings: {}, wrong: [] },
  {
    title: 'one address each',
    settings: {
      slack: [{ channel_id: 'C1' }, { webhook_url: url }],
      discord: [{ channel_id: 'C1' }],
    },
    wrong: [],
  },
  {
    title: 'no address',
    settings: { slack: [{}, {}] },
    wrong: ['[0].channel_id', '[1].channel_id'],
  },
  {
    title: 'two addresses',
    settings: { slack: [{ channel_id: 'C1', webhook_url: url }] },
    wrong: ['[0].webhook_url'],
  },
  {
    title: 'an address twice',
    settings: { slack: [{ webhook_url: url }, { webhook_url: url, mention: '@here' }] },
    wrong: ['[1]'],
  },
];

for (const { title, settings, wrong } of teams)
  test(`of a team, ${title}: ${wrong.length === 0 ? 'right' : 'wrong'}`, () => {
    assert.deepEqual(
      pathsOf(teamProblems(settings)),
      wrong.map((path) => `slack${path}`),
    );
  });

test('a webhook twice is a mistake at its path below the settings', () => {
  const problems = teamProblems({ outbound_webhook_ids: ['a', 'b', 'a'] }, 'shift_notifications.');
  assert.deepEqual(pathsOf(problems), ['shift_notifications.outbound_webhook_ids[2]']);
});
