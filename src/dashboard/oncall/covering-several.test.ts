import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bar } from './bar.ts';
import { NOBODY } from './covering.ts';
import {
  coversOf,
  holdersIn,
  issuesAt,
  nameOf,
  overrideOf,
  type Picks,
  rowsOf,
  STAYS,
  stretchOf,
  withAllOf,
  withPick,
} from './covering-several.ts';

const HOUR = 3_600_000;
const day = (number: number, hours = 0) => Date.UTC(2026, 10, number, hours);
const texts = { full: '', short: '', initials: '' };
const bar = (
  userId: string | null,
  start: number,
  end: number,
  fields: Partial<Bar> = {},
): Bar => ({
  key: '',
  ...texts,
  kind: userId === null ? 'gap' : 'shift',
  ...(userId !== null && { userId }),
  start,
  end,
  whole: { start, end },
  ...fields,
});
/** Ada on two days, nobody on the third, Lin on the fourth, nobody by design on the fifth. */
const bars = [
  bar('ada', day(23), day(24)),
  bar('ada', day(24), day(25)),
  bar(null, day(25), day(26)),
  bar('lin', day(26), day(27)),
  bar(null, day(27), day(28), { kind: 'by design' }),
];
const week = { start: day(20), end: day(30) };
const rows = rowsOf(bars, week, day(20));
const keys = rows.map(({ key }) => key);
const picksOf = (...picked: (string | null)[]): Picks =>
  new Map(
    picked.flatMap((one, index) => (one === null ? [] : [[keys[index] ?? '', one] as const])),
  );
const shown = (picks: Picks) =>
  coversOf(rows, picks).map(
    ({ start, end, userId, replaces }) =>
      `${new Date(start).getUTCDate()}–${new Date(end).getUTCDate()} ${userId} for ${replaces}`,
  );

test('a stretch is a week by the clock of the zone, unless the address says otherwise', () => {
  const timezone = 'Europe/Berlin';
  const stretch = (covers: string, now: number) => {
    const { start, end } = stretchOf(covers, { now, timezone });
    return [new Date(start).toISOString(), new Date(end).toISOString()];
  };
  // On the 25th, its clocks go back by an hour.
  const before = Date.parse('2026-10-22T08:05:00Z');
  assert.deepEqual(stretch('', before), ['2026-10-22T08:15:00.000Z', '2026-10-29T09:15:00.000Z']);
  const dates = ['2026-11-01T00:00:00.000Z', '2026-11-03T00:00:00.000Z'];
  assert.deepEqual(stretch(dates.join('/'), before), dates);
  assert.deepEqual(stretch(`${dates[0]}/nonsense`, before), [dates[0], '2026-11-08T00:00:00.000Z']);
});

test('rows are what the stretch has of shifts and gaps, without what is over', () => {
  const stretch = { start: day(23, 12), end: day(27, 6) };
  const cut = rowsOf(bars, stretch, day(24));
  assert.deepEqual(
    cut.map(({ userId, start, end }) => [userId, (end - start) / HOUR]),
    [
      ['ada', 24],
      [null, 24],
      ['lin', 24],
      [null, 6],
    ],
  );
  const running = rowsOf(bars, stretch, day(23, 18))[0];
  assert.deepEqual([running?.start, running?.end], [day(23, 12), day(24)]);
  assert.equal(running?.key, keys[0], 'a row keeps its key however it is cut');
});

test('a gap without an end goes to the end of the stretch', () => {
  const endless = bar(null, day(25), Number.POSITIVE_INFINITY, {
    whole: { start: day(25), end: null },
  });
  assert.equal(rowsOf([endless], week, day(20))[0]?.end, week.end);
});

test('neighbours with the same two people are one override, others are not', () => {
  assert.deepEqual(shown(picksOf()), []);
  assert.deepEqual(shown(picksOf('grace', 'grace')), ['23–25 grace for ada']);
  assert.deepEqual(shown(picksOf('grace', 'lin')), ['23–24 grace for ada', '24–25 lin for ada']);
  assert.deepEqual(shown(picksOf(null, 'grace', 'grace', 'grace')), [
    '24–25 grace for ada',
    '25–26 grace for null',
    '26–27 grace for lin',
  ]);
  const apart = [bar('ada', day(23), day(24)), bar('ada', day(25), day(26))];
  const both = rowsOf(apart, week, day(20));
  const all = withAllOf(new Map(), both, { of: 'ada', to: 'grace' });
  assert.equal(coversOf(both, all).length, 2, 'somebody else is on call between them');
});

test('an override replaces whoever is on call, takes off with nobody, and fills a gap', () => {
  const [takenOff, filled] = coversOf(rows, picksOf(NOBODY, null, 'grace')).map(overrideOf);
  const at = (number: number) => new Date(day(number)).toISOString();
  const off = { user_id: null, replaces_user_id: 'ada', start: at(23), end: at(24) };
  assert.deepEqual(takenOff, off);
  assert.deepEqual(filled, { user_id: 'grace', start: at(25), end: at(26) });
});

test('all shifts of a person, or all gaps, are set at once and put back', () => {
  assert.deepEqual(holdersIn(rows), ['ada', NOBODY, 'lin']);
  const set = withAllOf(picksOf(null, 'lin'), rows, { of: 'ada', to: 'grace' });
  assert.deepEqual(set, picksOf('grace', 'grace'));
  const filled = withAllOf(set, rows, { of: NOBODY, to: 'lin' });
  assert.deepEqual(filled, picksOf('grace', 'grace', 'lin'));
  assert.deepEqual(withAllOf(filled, rows, { of: 'ada', to: STAYS }), picksOf(null, null, 'lin'));
  assert.deepEqual(withAllOf(set, rows, { of: 'ada', to: 'ada' }), set);
  assert.deepEqual(withPick(set, keys[0] ?? '', STAYS), picksOf(null, 'grace'));
});

test('a problem is at the row that it is about, until another is picked there', () => {
  const picks = picksOf('grace', 'grace', null, 'eve');
  const sent = coversOf(rows, picks);
  const names = rows.map((row) => nameOf(row, sent));
  assert.equal(names[0], 'overrides[0].user_id');
  assert.equal(names[3], 'overrides[1].user_id');
  assert.match(names[1] ?? '', /^shift /);
  const message = 'is wrong';
  const issues = ['overrides[1].user_id', 'overrides[0].end', 'overrides[1].comment', 'other'];
  const shownAt = (now: Picks) =>
    issuesAt(
      issues.map((path) => ({ path, message })),
      { sent, picks: now },
    ).map(({ path }) => path);
  const all = ['overrides[1].user_id', 'overrides[0].user_id', 'comment', 'other'];
  assert.deepEqual(shownAt(picks), all);
  assert.deepEqual(shownAt(picksOf('grace', 'grace', null, 'lin')), all.slice(1));
  assert.deepEqual(shownAt(picksOf(null, 'grace', null, 'eve')), [all[0], ...all.slice(2)]);
});
