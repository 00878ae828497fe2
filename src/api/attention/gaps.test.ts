import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layer, made, schedule } from '../../../test/schedules.ts';
import type { Layer } from '../../oncall/schedule.ts';
import { timelines } from '../oncall/timeline-task.ts';
import { unplannedGaps } from './gaps.ts';

const windows = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({
  from_day: day,
  from_time: '09:00',
  to_day: day,
  to_time: '17:00',
}));
const byDay = (fields: Partial<Layer> = {}) =>
  layer({ users: ['ada'], restriction: { type: 'weekly', windows }, ...fields });

const ada = { id: 'ada', first_name: 'Ada', last_name: '', active: true };
/** Of the two weeks from that monday morning on. */
function gapsOf(layers: readonly Layer[], { isActive = true } = {}) {
  const [one] = [schedule(layers)];
  const [timeline] = timelines({
    schedules: [one],
    now: made,
    interval: { from: made, to: made.add({ hours: 14 * 24 }) },
    people: new Map([['ada', { ...ada, active: isActive }]]),
  });
  assert.ok(timeline);
  const unplanned = unplannedGaps(one, timeline);
  return {
    all: timeline.gap_count,
    unplanned: unplanned.map(({ start, end }) => `${start}/${end}`),
  };
}

test('nights and weekends outside the hours of a schedule are meant', () => {
  assert.deepEqual(gapsOf([byDay()]), { all: 10, unplanned: [] });
});

test('a gap that begins outside the hours and goes on in them is told', () => {
  const friday = '2026-03-13T16:00:00.000Z';
  const turns = gapsOf([byDay({ users: ['ada', null] })]);
  assert.ok(turns.unplanned.includes('2026-03-06T16:00:00.000Z/2026-03-16T08:00:00.000Z'));
  const ended = gapsOf([byDay({ ends_at: '2026-03-14T00:00:00Z' })]);
  assert.deepEqual(ended.unplanned, [`${friday}/null`]);
  const gone = gapsOf([byDay()], { isActive: false });
  assert.deepEqual(gone, { all: 1, unplanned: ['2026-03-02T09:00:00.000Z/null'] });
  const later = byDay({ restriction: { type: 'weekly', windows: windows.slice(1) } });
  const absent = gapsOf([later], { isActive: false });
  assert.deepEqual(absent.unplanned, ['2026-03-02T09:00:00.000Z/null']);
});
