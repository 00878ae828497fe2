import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instant, layer, revision } from '../../../test/schedules.ts';
import { coverageOf } from '../../oncall/coverage.ts';
import type { Layer, Schedule } from '../../oncall/schedule.ts';
import { weekdays } from './hours.ts';
import { hoursText } from './hours-text.ts';
import type { Window } from './queries.ts';
import { comparedFrom, recurringGaps } from './recurring-gaps.ts';

const zone = 'Europe/Berlin';
// A Wednesday; the clock goes forward on the 29th.
const start = instant('2026-03-11T10:17:30Z');

const scheduleOf = (layers: readonly Layer[], fields: Partial<Schedule> = {}): Schedule => ({
  revisions: [revision(layers, { from: instant('2026-03-01T00:00:00Z') })],
  overrides: [],
  ...fields,
});

function gapsOf(schedule: Schedule) {
  const { end } = comparedFrom(start.epochMilliseconds);
  const to = Temporal.Instant.fromEpochMilliseconds(end);
  return coverageOf(schedule, { from: start, to }, () => null).gaps.map((gap) => ({
    start: gap.start.toString(),
    end: gap.end.equals(to) ? null : gap.end.toString(),
    layer: 0,
    reason: gap.reason.type,
    message: '',
  }));
}

const proposedFor = (schedule: Schedule): readonly Window[] =>
  recurringGaps(gapsOf(schedule), { start: start.epochMilliseconds, zone });

const windows = (text: string): readonly Window[] => {
  const [from = '', to = ''] = text.split(' - ');
  const [[from_day = '', from_time = ''], [to_day = '', to_time = '']] = [
    from.split(' '),
    to.split(' '),
  ];
  return [{ from_day, from_time, to_day, to_time }];
};
/** As it is read: times have a space of their own. */
const shown = (schedule: Schedule) => hoursText(proposedFor(schedule)).replaceAll('\u202f', ' ');

const eachDay = (from_time: string, to_time: string, days: readonly string[] = weekdays) =>
  days.map((from_day) => {
    const next = weekdays[(weekdays.indexOf(from_day as 'monday') + 1) % 7] ?? '';
    return { from_day, from_time, to_day: to_time > from_time ? from_day : next, to_time };
  });
const during = (open: readonly Window[], fields: Partial<Layer> = {}) =>
  layer({ users: ['ada'], restriction: { type: 'weekly', windows: open }, ...fields });

const cases: readonly [string, Schedule, string][] = [
  ['nights only', scheduleOf([during(eachDay('22:00', '08:00'))]), '8:00 AM–10:00 PM'],
  [
    'office hours',
    scheduleOf([during(eachDay('09:00', '17:00', weekdays.slice(0, 5)))]),
    'Mon–Thu 5:00 PM–9:00 AM, Fri 5:00 PM – Mon 9:00 AM',
  ],
  [
    'one long week',
    scheduleOf([during(windows('monday 09:00 - friday 17:00'))]),
    'Fri 5:00 PM – Mon 9:00 AM',
  ],
  ['always somebody', scheduleOf([layer({ users: ['ada'] })]), ''],
  ['never anybody', scheduleOf([layer({ users: [null] })]), ''],
  [
    'turns with nobody every other week',
    scheduleOf([during(eachDay('22:00', '08:00'), { users: ['ada', null] })]),
    '8:00 AM–10:00 PM',
  ],
  [
    'a gap that somebody covers once',
    scheduleOf([during(windows('monday 09:00 - sunday 17:00'))], {
      overrides: [
        {
          id: '1',
          user_id: 'lin',
          start: instant('2026-03-22T17:00:00Z'),
          end: instant('2026-03-22T23:00:00Z'),
        },
      ],
    }),
    'Sun 5:00 PM–6:00 PM, Mon 12:00 AM–9:00 AM',
  ],
];

for (const [title, schedule, expected] of cases)
  test(`the gaps of every week: ${title}`, () => assert.equal(shown(schedule), expected));

test('what is declared already is not proposed again', () => {
  const night = scheduleOf([during(eachDay('22:00', '08:00'))]);
  const uncovered_by_design = eachDay('09:00', '22:00');
  assert.equal(shown({ ...night, uncovered_by_design }), '8:00 AM–9:00 AM');
});

// Not while the clock moves, where one week differs from the others.
const time = fc.constantFrom('00:00', '05:10', '08:00', '12:34', '17:00', '22:00', '23:59');
const day = fc.constantFrom(...weekdays);
const window = fc.record({ from_day: day, from_time: time, to_day: day, to_time: time });

test('once the proposed hours are declared, no gap of weekly hours is left', () => {
  fc.assert(
    fc.property(fc.array(window, { minLength: 1, maxLength: 4 }), (open) => {
      const schedule = scheduleOf([during(open)]);
      const uncovered_by_design = proposedFor(schedule);
      assert.deepEqual(gapsOf({ ...schedule, uncovered_by_design }), []);
    }),
  );
});
