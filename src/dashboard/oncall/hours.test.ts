import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Hours,
  hoursOf,
  presets,
  weekdays,
  wholeWeekend,
  windowsOf,
  withDay,
} from './hours.ts';
import { hoursText } from './hours-text.ts';
import type { Window } from './queries.ts';

const day = fc.constantFrom(...weekdays);
const time = fc.constantFrom('00:00', '06:00', '08:00', '17:00', '22:00', '23:59');
const plain = { noNullPrototype: true };
const anyWindow = fc.record({ from_day: day, from_time: time, to_day: day, to_time: time }, plain);
const days = fc.subarray([...weekdays], { minLength: 1 });
const anyRow = fc.record({ from: time, to: time, days }, plain);
const isSpan = (window: Window) => hoursOf([window]).some((one) => 'window' in one);
const anySpan = anyWindow.filter(isSpan).map((window) => ({ window }));
/** Of the same times there is one row. */
const anyHours = fc
  .tuple(
    fc.uniqueArray(anyRow, { selector: ({ from, to }) => `${from} ${to}`, maxLength: 5 }),
    fc.array(anySpan, { maxLength: 3 }),
  )
  .chain(([rows, spans]) =>
    fc.shuffledSubarray<Hours>([...rows, ...spans], { minLength: rows.length + spans.length }),
  );
const texts = (windows: readonly Window[]) => windows.map((one) => JSON.stringify(one)).sort();

test('rows become windows and the same rows again', () =>
  fc.assert(fc.property(anyHours, (hours) => assert.deepEqual(hoursOf(windowsOf(hours)), hours))));

test('windows become rows and the same windows again, also those that are no row', () =>
  fc.assert(
    fc.property(fc.array(anyWindow, { maxLength: 12 }), (windows) => {
      const hours = hoursOf(windows);
      assert.deepEqual(texts(windowsOf(hours)), texts(windows));
      assert.deepEqual(hoursOf(windowsOf(hours)), hours);
      assert.equal(windowsOf(hours, windows), windows, 'in the order in which they are stored');
      const spans = (all: readonly Window[]) => all.filter(isSpan);
      assert.deepEqual(spans(windowsOf(hours)), spans(windows));
    }),
  ));

test('a day that is taken out and put back leaves the windows as they were stored', () => {
  const stored = [...windowsOf([presets.office])].reverse();
  const [row] = hoursOf(stored);
  assert.ok(row !== undefined && 'days' in row);
  const without = withDay(row, 'friday', false);
  assert.equal(windowsOf([without], stored).length, 4);
  assert.equal(windowsOf([withDay(without, 'friday', true)], stored), stored);
});

const written: readonly [string, readonly Window[]][] = [
  ['Mon–Fri 8:00 AM–5:00 PM', windowsOf([presets.office])],
  ['10:00 PM–6:00 AM', windowsOf([presets.nights])],
  ['Sat, Sun', windowsOf([presets.weekend])],
  ['every day', windowsOf([{ from: '00:00', to: '00:00', days: weekdays }])],
  ['Fri 6:00 PM – Mon 8:00 AM', [wholeWeekend]],
  [
    'Mon, Wed–Fri, Sun 9:00 AM–9:00 AM',
    windowsOf([
      { from: '09:00', to: '09:00', days: ['monday', 'wednesday', 'thursday', 'friday', 'sunday'] },
    ]),
  ],
  [
    'Mon–Fri 5:00 PM–8:00 AM, Sat, Sun',
    windowsOf([{ from: '17:00', to: '08:00', days: weekdays.slice(0, 5) }, presets.weekend]),
  ],
  [
    'Mon 8:00 AM – Mon 7:00 AM',
    [{ from_day: 'monday', from_time: '08:00', to_day: 'monday', to_time: '07:00' }],
  ],
];

for (const [text, windows] of written)
  test(`hours are written as ${text}`, () =>
    assert.equal(hoursText(windows).replaceAll('\u202f', ' '), text));
