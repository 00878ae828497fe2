import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped, isByDesignAt, type Row } from './schedules.ts';

const now = Date.parse('2026-11-23T00:00:00Z');
const row = (name: string, team_id: string, ...gaps: [string, string][]): Row => ({
  oncall_schedule_id: name,
  name,
  team_id,
  timezone: 'Etc/UTC',
  shifts: [],
  now: undefined,
  gap_count: gaps.length,
  gaps: gaps.map(([start, end]) => ({ start, end, layer: 0, reason: 'ended', message: '' })),
});

test('schedules with a gap ahead come first, the soonest before all, and so do their teams', () => {
  const groups = grouped(
    [
      row('b', 'ops'),
      row('a', 'ops'),
      row('over', 'ops', ['2026-11-20T00:00:00Z', '2026-11-22T00:00:00Z']),
      row('later', 'web', ['2026-11-28T00:00:00Z', '2026-11-29T00:00:00Z']),
      row('soon', 'web', ['2026-11-22T00:00:00Z', '2026-11-24T00:00:00Z']),
    ],
    now,
  );
  assert.deepEqual(
    groups.map(({ team, rows }) => [team, rows.map(({ name }) => name)]),
    [
      ['web', ['soon', 'later']],
      ['ops', ['a', 'b', 'over']],
    ],
  );
});

test('a gap by design is nothing to look at first, and is known while it lasts', () => {
  const soon: [string, string] = ['2026-11-22T00:00:00Z', '2026-11-24T00:00:00Z'];
  const declared = row('declared', 'web', soon);
  const gaps = declared.gaps.map((gap) => ({ ...gap, by_design: true as const }));
  const groups = grouped([{ ...declared, gaps }, row('b', 'ops', soon)], now);
  assert.deepEqual(
    groups.map(({ team }) => team),
    ['ops', 'web'],
  );
  assert.deepEqual(
    [isByDesignAt({ gaps }, now), isByDesignAt({ gaps }, Date.parse(soon[1]))],
    [true, false],
  );
  assert.equal(isByDesignAt(declared, now), false);
});
