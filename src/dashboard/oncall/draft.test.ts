import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageOf } from '../../oncall/coverage.ts';
import { editLayers } from '../../oncall/revisions/edits.ts';
import {
  countable,
  type DraftLayer,
  draftOf,
  isComplete,
  isTurned,
  layersBody,
  layersOf,
  newLayer,
  templates,
  workdays,
} from './draft.ts';

const from = Temporal.Instant.from('2026-03-02T00:00:00Z');
const to = Temporal.Instant.from('2027-03-02T00:00:00Z');

test('a schedule from a template has no gap, where the clock changes either', () => {
  for (const template of templates) {
    const layers = layersBody(layersOf(template).map((one) => ({ ...one, users: ['ada', 'lin'] })));
    for (const timezone of ['Etc/UTC', 'Europe/Berlin', 'America/New_York']) {
      const ids = [...'abcdef'].values();
      const edited = editLayers({
        before: null,
        past: [],
        now: from,
        isActive: () => true,
        nextId: () => ids.next().value ?? '',
        after: { timezone, layers: layers as never },
      });
      const schedule = {
        revisions: [{ from, archived: false, timezone, layers: edited }],
        overrides: [],
      };
      assert.deepEqual(coverageOf(schedule, { from, to }, () => null).gaps, [], template);
    }
  }
});

test('a saved schedule becomes a draft and the same again', () => {
  const layers = [
    {
      users: ['ada', null],
      rotation: { length: 2, unit: 'weeks' as const, handoff: '09:00', handoff_day: 'friday' },
      starts_at: '2026-03-02T00:00:00Z',
      name: 'Nights',
    },
    {
      users: ['lin'],
      rotation: {
        length: 1,
        unit: 'days' as const,
        handoff: '08:00',
        since: '2026-03-02',
        counts: 'open' as const,
      },
      restriction: {
        type: 'weekly' as const,
        windows: [{ from_day: 'monday', from_time: '08:00', to_day: 'friday', to_time: '17:00' }],
      },
    },
  ];
  const schedule = { id: 's', name: 'n', timezone: 'Etc/UTC', team_id: 't', version: 1, layers };
  assert.deepEqual(layersBody(draftOf(schedule).layers), layers);
  assert.equal(isComplete(draftOf(schedule)), true);
  assert.equal(isComplete({ ...draftOf(schedule), layers: layersOf('weekly') }), false);
  const hours = draftOf(schedule).layers.map((one) => ({ ...one, windows: [] }));
  assert.equal(isComplete({ ...draftOf(schedule), layers: hours }), false, 'hours without a day');
});

test('days without hours can be left out of daily turns with hours, and only there', () => {
  const [layer] = [{ ...newLayer('1'), users: ['ada'], counts: 'open' as const }];
  const countsOf = (fields: Partial<DraftLayer>) =>
    layersBody([{ ...layer, ...fields }])[0]?.rotation.counts;
  const windows = workdays('08:00', '17:00');
  assert.equal(countsOf({ unit: 'days', windows }), 'open');
  assert.equal(countsOf({ unit: 'days', windows, counts: 'all' }), undefined);
  assert.equal(countsOf({ unit: 'weeks', windows }), undefined);
  assert.equal(countsOf({ unit: 'days', windows: null }), undefined);
  const draft = { name: '', timezone: 'Etc/UTC', team_id: '' };
  const daily = { ...layer, unit: 'days' as const, windows };
  const layers = [layer, { ...daily, counts: 'all' as const }, daily];
  assert.deepEqual(countable({ ...draft, layers }), [1]);
});

test('turns that begin with another person, but follow one another as before, are the same circle', () => {
  const draft = (...users: string[]) => ({
    name: 'n',
    timezone: 'Etc/UTC',
    team_id: '',
    layers: [{ ...newLayer('0'), users }],
  });
  const isOf = (before: string, after: string) => isTurned(draft(...before), draft(...after));
  assert.equal(isOf('ab', 'ba'), true, 'a swap of two');
  assert.equal(isOf('abc', 'cab'), true);
  assert.equal(isOf('abc', 'bac'), false, 'another order');
  assert.equal(isOf('ab', 'ab'), false);
  assert.equal(isOf('ab', 'abc'), false);
});
