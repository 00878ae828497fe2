import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgendaEntry, agendaOf } from './agenda.ts';
import { entryText } from './agenda-text.ts';
import { axisOf, dayNumber } from './axis.ts';
import type { Bar } from './bar.ts';

const zone = 'Europe/Berlin';
const at = (text: string) =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
const bar = (full: string, from: string, to: string | null): Bar => {
  const [start, end] = [at(from), to === null ? null : at(to)];
  const whole = { start, end };
  const span = { start, end: end ?? Number.POSITIVE_INFINITY };
  return { ...span, whole, key: full, kind: 'shift', full, short: full, initials: full };
};
/** From Friday on, over the day in which the clock moves. */
const { days } = axisOf(dayNumber('2026-10-23') ?? 0, 'week', zone);
const read = (bars: readonly Bar[]) =>
  agendaOf(days.slice(0, 3), bars).map(({ entries }) =>
    entries.map((one: AgendaEntry) =>
      `${one.bar.full} ${entryText(one, zone)}`.replaceAll('\u202f', ' '),
    ),
  );

test('each day has who is on call in it, and from when to when', () =>
  assert.deepEqual(
    read([
      bar('Ada', '2026-10-19T09:00', '2026-10-24T00:00'),
      bar('Lin', '2026-10-24T00:00', '2026-10-25T22:00'),
      bar('Nobody', '2026-10-25T22:00', null),
    ]),
    [['Ada all day'], ['Lin all day'], ['Lin until 10:00 PM', 'Nobody from 10:00 PM']],
  ));

test('a shift within a day has both its times, and a day without shifts has none', () =>
  assert.deepEqual(read([bar('Ada', '2026-10-24T08:00', '2026-10-24T17:00')]), [
    [],
    ['Ada 8:00 AM – 5:00 PM'],
    [],
  ]));

test('times of another zone are shown on the clock of the reader, too, with their day', () => {
  const [from, to] = [at('2026-10-23T22:00'), at('2026-10-24T06:00')];
  const textOf = (entry: { from: number | null; to: number | null }, own: string | null) =>
    entryText(entry, zone, own).replaceAll('\u202f', ' ');
  const tokyo = '10:00 PM – 6:00 AM Berlin · Sat 5:00 AM – 1:00 PM your time';
  assert.equal(textOf({ from, to }, 'Asia/Tokyo'), tokyo);
  assert.equal(textOf({ from, to: null }, 'Europe/Vienna'), 'from 10:00 PM');
  assert.equal(textOf({ from: null, to: null }, 'Asia/Tokyo'), 'all day');
});
