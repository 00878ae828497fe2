import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layer, made, revision, schedule } from '../../../test/schedules.ts';
import { layerShiftsIn } from '../shifts.ts';
import { changesPerYear } from './changes.ts';

const daily = { length: 1, unit: 'days' } as const;
const window = { from_day: 'monday', from_time: '09:00', to_day: 'monday', to_time: '17:00' };
const restriction = { type: 'weekly', windows: [window, { ...window, to_day: 'friday' }] } as const;

test('a layer never changes more often in a year than is said of it', () => {
  const year = { from: made, to: made.add({ hours: 365 * 24 }) };
  for (const input of [
    { users: ['ada'] },
    { users: ['ada', 'bob'], rotation: daily },
    { users: ['ada'], rotation: { length: 3, unit: 'days' } },
    { users: ['ada'], restriction },
    { users: ['ada'], rotation: daily, restriction },
  ] as const) {
    const one = schedule([layer(input)]);
    const between = layerShiftsIn(one, year, 0).length - 1;
    assert.ok(between > 0 && between <= changesPerYear(one), JSON.stringify(input));
  }
});

test('the changes of layers add up, and the busiest revision counts', () => {
  const days = layer({ users: ['ada'], rotation: daily });
  const once = changesPerYear(schedule([days]));
  assert.equal(changesPerYear(schedule([days, days])), 2 * once);
  const quiet = revision([layer({ users: ['ada'] })]);
  const busy = revision([days, days]);
  for (const revisions of [
    [quiet, busy],
    [busy, quiet],
  ])
    assert.equal(changesPerYear({ revisions, overrides: [] }), 2 * once);
  assert.equal(changesPerYear({ revisions: [], overrides: [] }), 0);
});
