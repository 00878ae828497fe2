import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readObject } from './declaration/validate.ts';
import {
  type OrganizationNotifications,
  organizationNotifications,
  type PersonalNotifications,
  personalNotifications,
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

test('a channel or a webhook twice is a mistake at its path', () => {
  const one = 'a'.repeat(24);
  const other = 'b'.repeat(24);
  const personal = {
    shift_end: ['sms', 'sms'],
    schedules: [{ oncall_schedule_id: one, shift_start: ['email', 'email'] }],
  };
  const ofTeam = { outbound_webhook_ids: [one, other, one] };
  for (const [schema, settings, paths] of [
    [personalNotifications, personal, ['shift_end[1]', 'schedules[0].shift_start[1]']],
    [organizationNotifications, ofTeam, ['outbound_webhook_ids[2]']],
  ] as const) {
    const read = readObject(schema, settings);
    assert.deepEqual(read.ok ? [] : pathsOf(read.problems), paths);
  }
});
