import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asStored, refusesEachCorruption } from '../../../test/as-stored.ts';
import type { DeclaredLayer } from '../../oncall/revisions/edits.ts';
import type { Anchor } from '../records/rows.ts';
import { parseAnchors, parseLayers } from './stored-layers.ts';

const noon = '2026-03-02T12:00:00.000Z';

const layers: readonly DeclaredLayer[] = [
  { users: ['ada', null], rotation: { length: 1, unit: 'days' } },
  {
    users: ['lin'],
    rotation: { length: 2, unit: 'weeks', handoff: '09:00', handoff_day: 'friday' },
    restriction: {
      type: 'weekly',
      windows: [{ from_day: 'monday', from_time: '08:00', to_day: 'tuesday', to_time: '17:30' }],
    },
    starts_at: noon,
    ends_at: '2026-04-02T12:00:00+02:00',
  },
];

const running = {
  began: '2026-02-28T18:30:00',
  planned_end: '2026-03-02T13:00:00',
  length: 2,
  unit: 'days',
} as const;

const anchors: readonly Anchor[] = [
  { id: 'one', at: noon, turn: -3, generated_at: noon },
  { id: 'two', at: noon, turn: 1, running, generated_at: noon },
];

test('what is written of layers is read back equal', () => {
  assert.deepEqual(parseLayers(asStored(layers)), layers);
  assert.deepEqual(parseAnchors(asStored(anchors)), anchors);
});

describe('what cannot be read is named:', () => {
  refusesEachCorruption(parseLayers, { path: 'layers', document: layers });
  refusesEachCorruption(parseAnchors, { path: 'anchors', document: anchors });

  const [, other] = layers;
  const corrupt = {
    'rotation.handoff must be a time of day': {
      rotation: { length: 1, unit: 'days', handoff: '9' },
    },
    'rotation.handoff_day must be a weekday': {
      rotation: { length: 1, unit: 'weeks', handoff_day: 'someday' },
    },
    'rotation.length must be a whole number': { rotation: { length: -1, unit: 'days' } },
    'starts_at must be an instant': { starts_at: 'soon' },
  };
  for (const [problem, change] of Object.entries(corrupt))
    test(problem, () => {
      const message = `layers[0].${problem}`;
      assert.throws(() => parseLayers([{ ...other, ...change }]), { message });
    });

  test('a version that is not known here', () => {
    const message = 'layers.v is not 1, the one version known here';
    assert.throws(() => parseLayers({ v: 2, layers }), { message });
  });
});

test('what a newer server wrote beside it is kept for it', () => {
  const newer = [{ ...layers[0], shadows: 'lin' }];
  assert.deepEqual(parseLayers(newer), newer);
});
