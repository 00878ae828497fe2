import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, noHistory, saved } from '../../test/schedule-history.ts';
import { instant } from '../../test/schedules.ts';
import type { Override } from '../oncall/schedule.ts';
import type { ShiftCursor } from '../shifts/advance.ts';
import { effectsOfOverrides } from './override-preview.ts';

const made = instant('2026-03-09T00:00:00Z');
const at = instant('2026-03-10T12:00:00Z');
/** Ada on the 9th and the 11th, Lin on the 10th. */
const history = saved(noHistory, { edit: 1, at: made }, { layers: [daily('ada', 'lin')] });
const cursor: ShiftCursor = { advanced_to: made, running: null, edits: 1, seen_edits: 0 };

const override = (fields: Partial<Override>): Override => ({
  id: 'preview',
  user_id: 'eve',
  start: instant('2026-03-10T12:00:00Z'),
  end: instant('2026-03-11T06:00:00Z'),
  ...fields,
});

const effectsFor = (fields: Partial<Override>) =>
  effectsOfOverrides({ cursor, history, at, overrides: [override(fields)] });

const changesOf = (fields: Partial<Override>) =>
  effectsFor(fields).changes.map(({ start, before, after }) => `${start} ${before} ${after}`);

test('an override puts somebody else on call, shift by shift', () => {
  assert.deepEqual(changesOf({}), ['2026-03-10T12:00:00Z lin eve', '2026-03-11T00:00:00Z ada eve']);
});

test('an override of one person changes the shifts of that person alone', () => {
  assert.deepEqual(changesOf({ replaces_user_id: 'ada' }), ['2026-03-11T00:00:00Z ada eve']);
});

test('an override for whoever is on call changes nothing', () => {
  assert.deepEqual(changesOf({ user_id: 'lin', end: instant('2026-03-10T18:00:00Z') }), []);
});

test('what begins and ends at once is announced, and only what the override did', () => {
  const { advance } = effectsFor({});
  assert.deepEqual(
    advance.events.map(({ type, shift }) => `${type} ${shift.user_id}`),
    ['end lin', 'start eve'],
  );
});

test('a changed override gives back what it no longer covers, and a removed one all of it', () => {
  const replaces = override({ id: 'own', start: at, end: instant('2026-03-12T00:00:00Z') });
  const version = { ...replaces, edit: 2, in_force_from: made, ended: null };
  const held = { ...history, overrides: [version] };
  const changes = (next: Override | null) =>
    effectsOfOverrides({
      cursor: { ...cursor, edits: 2 },
      history: held,
      at,
      overrides: next === null ? [] : [next],
      replaces,
    }).changes.map(({ start, before, after }) => `${start} ${before} ${after}`);
  assert.deepEqual(changes(override({ end: instant('2026-03-11T00:00:00Z') })), [
    '2026-03-11T00:00:00Z eve ada',
  ]);
  assert.deepEqual(changes(null), ['2026-03-10T12:00:00Z eve lin', '2026-03-11T00:00:00Z eve ada']);
  assert.deepEqual(changes(replaces), []);
});
