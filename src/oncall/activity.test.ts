// Who is inactive is on call nowhere; and overrides that take somebody off with nobody instead.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  countStretches,
  everyOtherHour,
  instant,
  layer,
  made,
  override,
  schedule,
} from '../../test/schedules.ts';
import { coverageOf } from './coverage.ts';
import { onCallAt } from './on-call.ts';
import { scheduleAsOf } from './revisions/history.ts';
import { movesIn } from './revisions/moves.ts';
import type { Inactivity, Layer, Override, Schedule } from './schedule.ts';
import { lanesIn, layerShiftsIn, nextBoundary, nextShift, shiftAt, shiftsIn } from './shifts.ts';

const [monday, sunday] = ['2026-03-09T00:00:00Z', '2026-03-15T00:00:00Z'];
const week = { from: instant(monday), to: instant(sunday) };
const noon = instant('2026-03-12T12:00:00Z');
const daily = { length: 1, unit: 'days' } as const;

const away = (user_id: string, start = monday, end: string | null = null): Inactivity => ({
  user_id,
  start: instant(start),
  end: end === null ? null : instant(end),
});

/** From monday to sunday. */
const cover = (user_id: string | null, replaces_user_id?: string): Override =>
  override(monday, sunday, {
    id: `${user_id} for ${replaces_user_id}`,
    user_id,
    ...(replaces_user_id !== undefined && { replaces_user_id }),
  });

type Case = {
  readonly layers: readonly Layer[];
  readonly overrides?: readonly Override[];
  readonly inactive?: readonly string[];
};

const scheduleOf = ({ layers, overrides = [], inactive = [] }: Case): Schedule => ({
  ...schedule(layers, overrides),
  inactive: inactive.map((user) => away(user)),
});

/** Who is on call at noon: `ada by 0`, or `nobody: reason`. */
function onCall(input: Case): string {
  const subject = scheduleOf(input);
  const holder = onCallAt(subject, noon);
  if (holder) return `${holder.user_id} by ${holder.layer}`;
  const [gap] = coverageOf(subject, { from: noon, to: noon.add({ hours: 1 }) }, () => null).gaps;
  const { type, ...rest } = gap?.reason ?? { type: 'covered' };
  return `nobody by ${gap?.layer}: ${type} ${'user_id' in rest ? rest.user_id : ''}`.trim();
}

const [ada, lin, eve] = ['ada', 'lin', 'eve'].map((user) => layer({ users: [user] })) as [
  Layer,
  Layer,
  Layer,
];
const both = layer({ users: ['ada', 'lin'] });
const chain = [cover('bob', 'ada'), cover('kim', 'bob')];

describe('who is on call when somebody is inactive', () => {
  const cases: readonly (Case & { readonly name: string; readonly want: string })[] = [
    {
      name: 'the layer below shows through',
      layers: [lin, ada],
      inactive: ['ada'],
      want: 'lin by 0',
    },
    {
      name: 'through two layers',
      layers: [eve, lin, ada],
      inactive: ['ada', 'lin'],
      want: 'eve by 0',
    },
    {
      name: 'where nobody shows through, the highest is named',
      layers: [lin, ada],
      inactive: ['ada', 'lin'],
      want: 'nobody by 1: missing ada',
    },
    {
      name: 'everybody of a layer',
      layers: [eve, both],
      inactive: ['ada', 'lin'],
      want: 'eve by 0',
    },
    {
      name: 'everybody of the only layer',
      layers: [both],
      inactive: ['ada', 'lin'],
      want: 'nobody by 0: missing lin',
    },
    {
      name: 'a cover of a leaver stays',
      layers: [lin, ada],
      overrides: [cover('bob', 'ada')],
      inactive: ['ada'],
      want: 'bob by override',
    },
    {
      name: 'a cover by a leaver puts nobody on call: whom it replaced stays',
      layers: [lin, ada],
      overrides: [cover('bob', 'ada')],
      inactive: ['bob'],
      want: 'ada by 1',
    },
    {
      name: 'a cover of a leaver by a leaver',
      layers: [lin, ada],
      overrides: [cover('bob', 'ada')],
      inactive: ['ada', 'bob'],
      want: 'lin by 0',
    },
    {
      name: 'an override for everyone by a leaver',
      layers: [ada],
      overrides: [cover('bob')],
      inactive: ['bob'],
      want: 'ada by 0',
    },
    {
      name: 'an override for everyone by a leaver where the layers have nobody',
      layers: [layer({ users: [null] })],
      overrides: [cover('bob')],
      inactive: ['bob'],
      want: 'nobody by override: missing bob',
    },
    {
      name: 'of two covers, nobody',
      layers: [lin, ada],
      overrides: chain,
      want: 'kim by override',
    },
    {
      name: 'of two covers, the turn’s person',
      layers: [lin, ada],
      overrides: chain,
      inactive: ['ada'],
      want: 'kim by override',
    },
    {
      name: 'of two covers, the first',
      layers: [lin, ada],
      overrides: chain,
      inactive: ['bob'],
      want: 'kim by override',
    },
    {
      name: 'of two covers, the second',
      layers: [lin, ada],
      overrides: chain,
      inactive: ['kim'],
      want: 'bob by override',
    },
    {
      name: 'of two covers, both',
      layers: [lin, ada],
      overrides: chain,
      inactive: ['bob', 'kim'],
      want: 'ada by 1',
    },
    {
      name: 'of two covers, all three',
      layers: [lin, ada],
      overrides: chain,
      inactive: ['ada', 'bob', 'kim'],
      want: 'lin by 0',
    },
    {
      name: 'a later cover of whoever shows through behind a leaver’s cover',
      layers: [ada],
      overrides: [cover('bob', 'ada'), cover('eve', 'ada')],
      inactive: ['bob'],
      want: 'eve by override',
    },
    {
      name: 'a later cover of somebody whom the layer below has',
      layers: [lin, ada],
      overrides: [cover('eve', 'lin')],
      inactive: ['ada'],
      want: 'eve by override',
    },
  ];
  for (const { name, want, ...input } of cases)
    test(name, () => {
      assert.equal(onCall(input), want);
    });
});

describe('who is on call when somebody is taken off', () => {
  const off = cover(null, 'ada');
  const cases: readonly (Case & { readonly name: string; readonly want: string })[] = [
    {
      name: 'the layer below shows through',
      layers: [lin, ada],
      overrides: [off],
      want: 'lin by 0',
    },
    {
      name: 'where nobody shows through it is a gap',
      layers: [ada],
      overrides: [off],
      want: 'nobody by 0: taken_off ada',
    },
    {
      name: 'in every layer that has them',
      layers: [eve, ada, ada],
      overrides: [off],
      want: 'eve by 0',
    },
    { name: 'nobody else is', layers: [lin], overrides: [off], want: 'lin by 0' },
    {
      name: 'the person who covered somebody',
      layers: [lin, ada],
      overrides: [cover('bob', 'ada'), cover(null, 'bob')],
      want: 'lin by 0',
    },
    {
      name: 'a later cover of them applies: the newest override wins',
      layers: [lin, ada],
      overrides: [off, cover('bob', 'ada')],
      want: 'bob by override',
    },
    {
      name: 'a later cover of them by a leaver puts nobody on call',
      layers: [lin, ada],
      overrides: [off, cover('bob', 'ada')],
      inactive: ['bob'],
      want: 'lin by 0',
    },
    {
      name: 'after a cover by a leaver, another cover of them applies',
      layers: [lin, ada],
      overrides: [off, cover('bob', 'ada'), cover('kim', 'ada')],
      inactive: ['bob'],
      want: 'kim by override',
    },
    {
      name: 'only a cover of the person who was taken off, not of whom they covered',
      layers: [lin, ada],
      overrides: [cover('bob', 'ada'), cover(null, 'bob'), cover('kim', 'ada')],
      want: 'lin by 0',
    },
    {
      name: 'a leaver who was to cover: also the person who is on call in their place',
      layers: [lin, ada],
      overrides: [cover('bob', 'ada'), cover(null, 'bob')],
      inactive: ['bob'],
      want: 'lin by 0',
    },
    {
      name: 'a leaver for everyone: also everybody who is on call in their place',
      layers: [lin, ada],
      overrides: [cover('bob'), cover(null, 'bob')],
      inactive: ['bob'],
      want: 'nobody by 1: taken_off bob',
    },
    {
      name: 'a cover, where the turns of nobody have somebody through a leaver for everyone',
      layers: [ada],
      overrides: [cover('bob'), cover('eve', 'ada'), cover('kim', 'bob'), cover(null, 'eve')],
      inactive: ['bob'],
      want: 'nobody by 0: taken_off eve',
    },
    {
      name: 'twice',
      layers: [lin, ada],
      overrides: [off, off, cover('bob', 'ada')],
      want: 'bob by override',
    },
    {
      name: 'an override for everyone that was made later puts somebody on call',
      layers: [lin, ada],
      overrides: [off, cover('bob')],
      want: 'bob by override',
    },
    {
      name: 'an override for everyone that was made before does not',
      layers: [lin, ada],
      overrides: [cover('bob'), cover(null, 'bob')],
      want: 'nobody by 1: taken_off bob',
    },
    {
      name: 'a leaver who was covered before stays covered',
      layers: [lin, ada],
      overrides: [cover('bob', 'ada'), off],
      inactive: ['ada'],
      want: 'bob by override',
    },
    {
      name: 'whoever shows through behind a leaver’s cover',
      layers: [lin, ada],
      overrides: [cover('bob', 'ada'), off],
      inactive: ['bob'],
      want: 'lin by 0',
    },
    {
      name: 'a leaver for everyone came after it: they are missing',
      layers: [ada],
      overrides: [off, cover('bob')],
      inactive: ['bob'],
      want: 'nobody by override: missing bob',
    },
  ];
  for (const { name, want, ...input } of cases)
    test(name, () => {
      assert.equal(onCall(input), want);
    });
});

const rowsOf = (shifts: ReturnType<typeof shiftsIn>) =>
  shifts.map(
    ({ user_id, layer: by, start, end }) =>
      `${user_id} by ${by}: ${start.toString().slice(5, 13)}/${end.toString().slice(5, 13)}`,
  );

test('a turn ends when its person becomes inactive, and goes on when they become active again', () => {
  const subject: Schedule = {
    ...schedule([lin, ada]),
    inactive: [away('ada', '2026-03-10T12:00:00Z', '2026-03-12T12:00:00Z')],
  };
  assert.deepEqual(rowsOf(shiftsIn(subject, week)), [
    'ada by 1: 03-09T00/03-10T12',
    'lin by 0: 03-10T12/03-12T12',
    'ada by 1: 03-12T12/03-15T00',
  ]);
  assert.deepEqual(rowsOf(layerShiftsIn(subject, week, 1)), [
    'ada by 1: 03-09T00/03-10T12',
    'ada by 1: 03-12T12/03-15T00',
  ]);
  assert.deepEqual(
    lanesIn(subject, week).map(({ shifts }) => shifts.length),
    [1, 2],
  );
  const inside = { from: instant('2026-03-11T00:00:00Z'), to: week.to };
  assert.equal(`${nextBoundary(subject, inside)}`, '2026-03-12T12:00:00Z');
  assert.equal(nextShift(subject, inside)?.user_id, 'ada');
});

test('a schedule of people who are all inactive has no shift, and its search ends', () => {
  const subject: Schedule = {
    ...schedule([layer({ users: ['ada', 'lin', 'eve'], rotation: daily })]),
    inactive: ['ada', 'lin', 'eve'].map((user) => away(user)),
  };
  const decade = { from: week.from, to: instant('2036-03-09T00:00:00Z') };
  assert.equal(nextShift(subject, decade), null);
  assert.equal(nextBoundary(subject, decade), null);
  const { gaps, idle } = coverageOf(subject, decade, () => null);
  assert.equal(gaps.length, 1);
  assert.deepEqual(idle, []);
});

test('a turn of 1,000 weeks is found whole below 99 layers whose people are all inactive', () => {
  const long = layer({ users: ['ada'], rotation: { length: 1_000, unit: 'weeks' } });
  const above = layer({ users: ['lin', 'eve'], rotation: daily });
  const subject: Schedule = {
    ...schedule([long, ...Array.from({ length: 99 }, () => above)]),
    inactive: [away('lin'), away('eve')],
  };
  const shift = shiftAt(subject, noon);
  assert.equal(
    `${shift?.user_id} ${shift?.start}/${shift?.end}`,
    `ada ${monday}/2045-05-07T22:00:00Z`,
  );
});

describe('a long turn is found whole in few steps below the windows of people who are', () => {
  const long = layer({ users: ['ada'], rotation: { length: 1_000, unit: 'weeks' } });
  const above = Array.from({ length: 10 }, () =>
    layer({ users: ['lin'], restriction: everyOtherHour(0) }),
  );
  const decade = (user_id: string | null, replaces_user_id?: string) =>
    override('2026-03-02T09:00:00Z', '2036-03-02T09:00:00Z', {
      id: `${user_id}`,
      user_id,
      ...(replaces_user_id !== undefined && { replaces_user_id }),
    });
  const [atEnd, atDecade] = ['2045-05-07T22:00:00Z', '2036-03-02T09:00:00Z'];
  const cases: readonly {
    readonly name: string;
    readonly overrides: readonly Override[];
    readonly inactive: readonly string[];
    readonly end: string;
  }[] = [
    { name: 'inactive', overrides: [], inactive: ['lin'], end: atEnd },
    {
      name: 'inactive, next to an override of somebody else',
      overrides: [decade('zoe', 'yan')],
      inactive: ['lin'],
      end: atEnd,
    },
    { name: 'taken off', overrides: [decade(null, 'lin')], inactive: [], end: atDecade },
    {
      name: 'covered by somebody who is taken off',
      overrides: [decade('bob', 'lin'), decade(null, 'bob')],
      inactive: [],
      end: atDecade,
    },
    {
      name: 'inactive, and so is their cover',
      overrides: [decade('bob', 'lin')],
      inactive: ['lin', 'bob'],
      end: atEnd,
    },
  ];
  for (const { name, overrides, inactive, end } of cases)
    test(name, () => {
      const subject: Schedule = {
        ...schedule([long, ...above], overrides),
        inactive: inactive.map((user) => away(user)),
      };
      const steps = countStretches(subject);
      const shift = shiftAt(subject, noon);
      assert.deepEqual([shift?.user_id, `${shift?.end}`], ['ada', end]);
      assert.ok(steps.count <= 10, `${steps.count} stretches were asked`);
    });
});

test('only people whose hours change are moved by somebody who becomes inactive', () => {
  const before = schedule([lin, layer({ users: ['ada', 'eve'], rotation: daily })]);
  const after: Schedule = { ...before, inactive: [away('ada', noon.toString())] };
  const moves = movesIn(before, after, { from: week.from, to: instant('2026-03-13T23:00:00Z') });
  const render = [...moves].map(([user, all]) => [user, all.map(({ type }) => type).join(' ')]);
  assert.deepEqual(render, [
    ['ada', 'lost'],
    ['lin', 'gained'],
  ]);
});

test('before the edit that made somebody inactive, and before the one that ended it, they are as they were', () => {
  const { revisions } = schedule([ada]);
  const history = {
    revisions: revisions.map((revision) => ({ ...revision, edit: 1 })),
    overrides: [],
    inactive: [{ ...away('ada', monday, sunday), edit: 2, ended_edit: 3 }],
  };
  const ends = [1, 2, 3].map((edit) =>
    scheduleAsOf(history, edit).inactive?.map(({ end }) => `${end}`),
  );
  assert.deepEqual(ends, [undefined, ['null'], [sunday]]);
  assert.equal(onCallAt(scheduleAsOf(history, 1), noon)?.user_id, 'ada');
  assert.equal(onCallAt(scheduleAsOf(history), noon), null);
  assert.equal(onCallAt(scheduleAsOf(history), made)?.user_id, 'ada');
});

test('a gap by an override says why and by whom', () => {
  const subject = schedule(
    [ada],
    [{ ...cover(null, 'ada'), comment: 'Office closed', author: 'Grace Hopper' }],
  );
  const [gap] = coverageOf(subject, week, () => null).gaps;
  assert.deepEqual(gap?.reason, {
    type: 'taken_off',
    user_id: 'ada',
    override_id: 'null for ada',
    comment: 'Office closed',
    author: 'Grace Hopper',
  });
});

test('a cover for some hours of a day on which somebody was taken off is on call in these hours', () => {
  const subject = schedule(
    [ada],
    [
      override('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z', {
        id: 'off',
        user_id: null,
        replaces_user_id: 'ada',
      }),
      override('2026-03-10T08:00:00Z', '2026-03-10T12:00:00Z', {
        id: 'cover',
        user_id: 'bob',
        replaces_user_id: 'ada',
      }),
    ],
  );
  assert.deepEqual(rowsOf(shiftsIn(subject, week)), [
    'ada by 0: 03-09T00/03-10T00',
    'bob by override: 03-10T08/03-10T12',
    'ada by 0: 03-11T00/03-15T00',
  ]);
});
