import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instant, layer, made, override, revision, schedule } from '../../../test/schedules.ts';
import type { Inactivity, Layer, Schedule } from '../../oncall/schedule.ts';
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
type Setting = {
  readonly isActive?: boolean;
  readonly from?: Temporal.Instant;
  readonly inactive?: Schedule['inactive'];
  readonly overrides?: Schedule['overrides'];
  readonly past?: Schedule['revisions'];
  readonly uncovered_by_design?: NonNullable<Schedule['uncovered_by_design']>;
};

/** Of two weeks, from that monday morning on or from another instant. */
function gapsOf(
  layers: readonly Layer[],
  { isActive = true, from = made, inactive = [], overrides = [], past = [], ...rest }: Setting = {},
) {
  const { revisions } = schedule(layers);
  const one: Schedule = { revisions: [...past, ...revisions], overrides, inactive, ...rest };
  const [timeline] = timelines({
    schedules: [one],
    now: from,
    interval: { from, to: from.add({ hours: 14 * 24 }) },
    people: new Map(
      ['ada', 'lin', 'eve'].map((id) => [id, { ...ada, id, active: id !== 'ada' || isActive }]),
    ),
  });
  assert.ok(timeline);
  const unplanned = unplannedGaps(one, timeline, from);
  return {
    all: timeline.gap_count,
    unplanned: unplanned.map(({ start, end }) => `${start}/${end}`),
  };
}

test('nights and weekends outside the hours of a schedule are meant', () => {
  assert.deepEqual(gapsOf([byDay()]), { all: 10, unplanned: [] });
});

test('hours by design are not warned of, whoever has a turn in them', () => {
  const weekends = [
    { from_day: 'friday', from_time: '17:00', to_day: 'monday', to_time: '09:00' },
  ] as const;
  const settings = { isActive: false, uncovered_by_design: weekends };
  assert.deepEqual(gapsOf([layer({ users: ['ada'] })], settings).unplanned, [
    '2026-03-02T09:00:00.000Z/2026-03-06T16:00:00.000Z',
    '2026-03-09T08:00:00.000Z/2026-03-13T16:00:00.000Z',
    '2026-03-16T08:00:00.000Z/2026-03-20T16:00:00.000Z',
  ]);
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

const later = instant('2026-03-30T20:00:00Z');
const weekly = byDay({ users: ['ada', 'lin', 'eve'] });
const since = (user_id: string, start: string, end: string | null = null): Inactivity => ({
  user_id,
  start: instant(start),
  end: end === null ? null : instant(end),
});

test('who is inactive is warned of for their own turns only, and not for the past', () => {
  const none = gapsOf([weekly], { from: later }).unplanned;
  assert.deepEqual(none, []);
  const hour = since('lin', '2026-03-30T14:30:00Z', '2026-03-30T15:30:00Z');
  assert.deepEqual(gapsOf([weekly], { from: later, inactive: [hour] }).unplanned, []);
  const before = since('ada', '2026-03-30T14:30:00Z', '2026-03-30T17:00:00Z');
  assert.deepEqual(gapsOf([weekly], { from: later, inactive: [before] }).unplanned, []);
  const { unplanned } = gapsOf([weekly], {
    from: later,
    inactive: [since('eve', '2026-03-25T10:00:00Z')],
  });
  assert.deepEqual(unplanned, ['2026-04-03T15:00:00.000Z/2026-04-13T07:00:00.000Z']);
});

test('layers count by the revisions of the gap, and those that ended before it do not', () => {
  const old = revision([byDay({ users: ['ada', null], id: 'old' })], {
    from: made.subtract({ hours: 24 * 7 }),
  });
  assert.deepEqual(gapsOf([weekly], { from: later, past: [old] }).unplanned, []);
  const over = byDay({ id: 'over', ends_at: '2026-03-20T12:00:00Z' });
  assert.deepEqual(gapsOf([weekly, over], { from: later }).unplanned, []);
  const toCome = byDay({ id: 'come', starts_at: '2026-05-01T00:00:00Z' });
  assert.deepEqual(gapsOf([weekly, toCome], { from: later }).unplanned, []);
});

test('a person who is taken off is warned of where they have hours', () => {
  const off = (start: string, end: string) =>
    override(start, end, { user_id: null, replaces_user_id: 'ada' });
  const night = off('2026-03-31T20:00:00Z', '2026-03-31T22:00:00Z');
  const setting = { from: later };
  assert.deepEqual(gapsOf([byDay()], { ...setting, overrides: [night] }).unplanned, []);
  const day = off('2026-03-31T16:00:00Z', '2026-04-01T22:00:00Z');
  assert.deepEqual(gapsOf([byDay()], { ...setting, overrides: [day] }).unplanned, [
    '2026-03-31T15:00:00.000Z/2026-04-02T07:00:00.000Z',
  ]);
  const leaver = override('2026-03-31T20:00:00Z', '2026-03-31T22:00:00Z', { user_id: 'zoe' });
  const inactive = [since('zoe', '2026-03-25T10:00:00Z')];
  assert.deepEqual(gapsOf([byDay()], { ...setting, overrides: [leaver], inactive }).unplanned, [
    '2026-03-31T15:00:00.000Z/2026-04-01T07:00:00.000Z',
  ]);
});
