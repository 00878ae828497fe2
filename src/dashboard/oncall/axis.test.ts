import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  axisOf,
  dateText,
  dayNumber,
  dayOf,
  firstDay,
  instantOfText,
  localText,
  placeOf,
  snapped,
  steppedDay,
  weeksOf,
} from './axis.ts';
import { periods } from './periods.ts';

const HOUR = 3_600_000;
const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Etc/UTC'],
  ...['America/Santiago', 'Africa/Cairo', 'Pacific/Apia', 'Asia/Beirut', 'Atlantic/Azores'],
];
const day = (text: string) => dayNumber(text) ?? assert.fail(text);
const hoursOf = (first: string, zone: string) =>
  axisOf(day(first), 'week', zone).days.map(({ start, end }) => (end - start) / HOUR);

test('days begin when the zone says so, whatever its clock does', () => {
  for (const zone of zones)
    for (const month of ['2026-03-01', '2026-04-01', '2026-09-01', '2026-10-01', '2026-11-01']) {
      const axis = axisOf(day(month), 'month', zone);
      const starts = axis.days.map(
        (_, index) =>
          Temporal.PlainDate.from(month).add({ days: index }).toZonedDateTime(zone).startOfDay()
            .epochMilliseconds,
      );
      assert.deepEqual(
        axis.days.map(({ start }) => start),
        starts,
        `${zone} ${month}`,
      );
      assert.equal(axis.days.at(-1)?.end, axis.end);
    }
});

test('a day is as wide as it is long', () => {
  assert.deepEqual(hoursOf('2026-03-23', 'Europe/Berlin'), [24, 24, 24, 24, 24, 24, 23]);
  assert.deepEqual(hoursOf('2026-10-19', 'Europe/Berlin'), [24, 24, 24, 24, 24, 24, 25]);
  assert.deepEqual(hoursOf('2026-03-30', 'Australia/Lord_Howe').at(-1), 24.5);
  const axis = axisOf(day('2026-10-19'), 'week', 'Europe/Berlin');
  const sunday = axis.days[6] ?? assert.fail();
  assert.equal(sunday.clockMoves, -60);
  assert.equal(placeOf(axis, sunday)?.size.toFixed(6), (25 / 169).toFixed(6));
});

test('a period begins on its day, and steps stay there', () => {
  const today = day('2026-11-21');
  const begins = periods.map((period) => firstDay(today, period));
  assert.deepEqual(begins.map(dateText), ['2026-11-16', '2026-11-21', '2026-11-01', '2026-11-21']);
  const stepped = periods.map((period, index) => steppedDay(begins[index] ?? 0, period, -1));
  assert.deepEqual(stepped.map(dateText), ['2026-11-09', '2026-11-07', '2026-10-01', '2026-11-14']);
  assert.equal(dateText(steppedDay(day('2026-12-01'), 'month', 1)), '2027-01-01');
  assert.deepEqual(axisOf(day('2026-02-01'), 'month', 'Etc/UTC').days.length, 28);
  assert.equal(dayOf('Asia/Tokyo', Date.parse('2026-11-20T15:00:00Z')), today);
  assert.equal(dayNumber('2026-13-01'), null);
});

test('the weekend is that of the same week, from Monday to Sunday', () => {
  const saturdays = ['2026-11-16', '2026-11-21', '2026-11-22', '2026-11-23'].map((text) =>
    dateText(firstDay(day(text), 'weekend')),
  );
  assert.deepEqual(saturdays, ['2026-11-21', '2026-11-21', '2026-11-21', '2026-11-28']);
  const { days } = axisOf(day('2026-11-21'), 'weekend', 'Etc/UTC');
  assert.deepEqual(
    days.map(({ isWeekend }) => isWeekend),
    [true, true],
  );
});

test('two weeks that begin today have yesterday before them', () => {
  const axis = axisOf(day('2026-10-26'), 'fortnight', 'Europe/Berlin', 1);
  assert.equal(axis.days.length, 15);
  assert.equal(new Date(axis.start).toISOString(), '2026-10-24T22:00:00.000Z');
  assert.equal(new Date(axis.end).toISOString(), '2026-11-08T23:00:00.000Z');
});

test('a month is in whole weeks, which join, and whose other days are outside of it', () => {
  for (const zone of zones)
    for (const first of ['2026-02-01', '2026-03-01', '2026-11-01', '2027-02-01']) {
      const month = axisOf(day(first), 'month', zone);
      const weeks = weeksOf(month);
      assert.ok(weeks.every(({ days }) => days.length === 7 && days[6]?.isWeekend));
      assert.deepEqual(
        weeks.slice(1).map(({ start }) => start),
        weeks.slice(0, -1).map(({ end }) => end),
      );
      const inside = weeks.flatMap(({ days }) => days).filter(({ isOutside }) => !isOutside);
      assert.deepEqual(inside, month.days, `${zone} ${first}`);
    }
});

test('a span is cut to the axis, and is nowhere outside of it', () => {
  const axis = { start: 100, end: 200 };
  assert.deepEqual(placeOf(axis, { start: 50, end: 150 }), { offset: 0, size: 0.5 });
  assert.deepEqual(placeOf(axis, { start: 150, end: 900 }), { offset: 0.5, size: 0.5 });
  assert.equal(placeOf(axis, { start: 0, end: 100 }), null);
});

test('a drag ends on a handoff that is near, or else on a quarter of an hour', () => {
  const nine = Date.parse('2026-11-21T09:00:00Z');
  const at = (minutes: number) => nine + minutes * 60_000;
  assert.equal(snapped(at(20), [nine, at(600)], 30 * 60_000), nine);
  assert.equal(snapped(at(50), [nine], 30 * 60_000), at(45));
  assert.equal(snapped(at(53), [], 0), at(60));
});

test('a field for a time is on the clock of the zone, as src/oncall has it', () => {
  for (const zone of zones)
    for (
      let at = Date.parse('2026-10-24T00:00Z');
      at < Date.parse('2026-10-27T00:00Z');
      at += HOUR
    ) {
      const text = localText(zone, at);
      const wall = Temporal.PlainDateTime.from(text);
      assert.equal(instantOfText(zone, text), wall.toZonedDateTime(zone).epochMilliseconds, zone);
    }
  const skipped = instantOfText('Europe/Berlin', '2026-03-29T02:30');
  assert.equal(new Date(skipped ?? 0).toISOString(), '2026-03-29T01:00:00.000Z');
  assert.equal(instantOfText('Europe/Berlin', ''), null);
});
