// What comes back when edits are taken back, and of layers to come and removed layers what does not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Edits } from '../../../test/schedule-edits.ts';
import type { Rotation } from '../rotation.ts';
import type { DeclaredLayer } from './edits.ts';

const instant = (text: string) => Temporal.Instant.from(text);
const berlin = 'Europe/Berlin';
const monday = instant('2026-03-02T09:00:00Z');
const daily: Rotation = { length: 1, unit: 'days', handoff: '09:00' };
const nights = {
  type: 'weekly',
  windows: [{ from_day: 'friday', from_time: '18:00', to_day: 'monday', to_time: '08:00' }],
} as const;

const layer = (users: string, parts: Partial<DeclaredLayer> = {}): DeclaredLayer => ({
  users: users.split(' '),
  rotation: { length: 1, unit: 'weeks' },
  ...parts,
});

const saved = (timezone: string, ...layers: readonly DeclaredLayer[]) => {
  const edits = new Edits();
  edits.save(monday, timezone, ...layers);
  return edits;
};

describe('an edit that is taken back within the turn', () => {
  const two: Rotation = { length: 2, unit: 'weeks', handoff: '09:00' };
  const [now, back] = [instant('2026-03-10T12:00:00Z'), instant('2026-03-10T13:00:00Z')];
  const both = layer('ada bob', { rotation: two });
  const rows: readonly { claim: string; to: DeclaredLayer; zone?: string }[] = [
    { claim: 'the person who was removed', to: layer('bob', { rotation: two }) },
    { claim: 'another length', to: layer('ada bob', { rotation: daily }) },
    { claim: 'another zone', to: both, zone: 'Asia/Tokyo' },
    { claim: 'a restriction', to: { ...both, restriction: nights } },
  ];
  test('a zone of which the first turn would not have begun', () => {
    const edits = saved(berlin, both);
    const [was] = edits.layers;
    edits.save(monday.add({ minutes: 5 }), 'America/New_York', both);
    const [is] = edits.save(monday.add({ minutes: 10 }), berlin, both);
    assert.deepEqual(is?.anchor, was?.anchor);
  });

  for (const { claim, to, zone = berlin } of rows)
    test(claim, () => {
      const edits = saved(berlin, both);
      const [was] = edits.layers;
      edits.save(now, zone, to);
      const [is] = edits.save(back, berlin, both);
      assert.deepEqual([is?.anchor, is?.id], [was?.anchor, was?.id]);
      assert.equal(`${is?.generated_at}`, `${back}`);
    });

  test('in another turn it is an edit like any other', () => {
    const edits = saved('UTC', layer('ada bob cyd', { rotation: daily }));
    edits.save(instant('2026-03-10T12:00:00Z'), 'UTC', layer('bob cyd', { rotation: daily }));
    const later = instant('2026-03-11T12:00:00Z');
    const on = edits.onCall(`${later}`);
    edits.save(later, 'UTC', layer('ada bob cyd', { rotation: daily }));
    assert.equal(edits.onCall(`${later}`), on);
  });
});

describe('a layer to come', () => {
  const starts = (at: string, parts: Partial<DeclaredLayer> = {}) => ({ starts_at: at, ...parts });

  test('begins with the first active person, whatever it was earlier', () => {
    const later = starts('2026-03-10T00:00:00Z');
    const edits = saved('UTC', layer('ada bob cyd', later));
    edits.save(monday.add({ hours: 24 }), 'UTC', layer('bob cyd', later));
    edits.inactive.add('ada');
    edits.save(monday.add({ hours: 48 }), 'UTC', layer('ada bob cyd', later));
    assert.equal(edits.onCall('2026-03-10T00:00:00Z', '2026-03-16T00:00:00Z'), 'bob cyd');
  });

  test('begins with the first active person when it begins at once after all', () => {
    const edits = saved('UTC', layer('ada bob', starts('2026-03-20T00:00:00Z')));
    edits.inactive.add('ada');
    edits.save(monday.add({ hours: 48 }), 'UTC', layer('ada bob'));
    assert.equal(edits.onCall('2026-03-04T12:00:00Z', '2026-03-09T00:00:00Z'), 'bob ada');
  });

  test('does not get back how it was before its first turn', () => {
    const edits = new Edits();
    edits.save(instant('2026-02-02T00:00:00Z'), 'UTC', layer('ada bob cyd'));
    const four: Rotation = { length: 4, unit: 'weeks' };
    const later = starts('2026-02-20T00:00:00Z', { rotation: four });
    edits.save(instant('2026-02-12T00:00:00Z'), 'UTC', layer('ada bob cyd', later));
    assert.equal(edits.onCall('2026-02-20T00:00:00Z'), 'ada');
    edits.save(instant('2026-02-22T00:00:00Z'), 'UTC', layer('ada bob cyd'));
    assert.equal(edits.onCall('2026-02-22T00:00:00Z', '2026-03-02T00:00:00Z'), 'ada bob');
  });

  test('of release 0.1.0 does not get its count back', () => {
    const later = starts('2026-03-11T00:00:00Z');
    const edits = new Edits('of 0.1.0');
    const both = layer('ada bob', later);
    edits.save(monday, 'UTC', layer('ada bob'));
    edits.save(monday, 'UTC', both);
    assert.equal(edits.onCall('2026-03-11T00:00:00Z'), 'bob');
    edits.upgrade();
    edits.save(monday.add({ hours: 24 }), 'UTC', layer('ada bob cyd', later));
    edits.save(monday.add({ hours: 25 }), 'UTC', both);
    assert.equal(edits.onCall('2026-03-11T00:00:00Z'), 'ada');
  });

  test('gets its running turn back if the start was a mistake', () => {
    const edits = saved('UTC', layer('ada bob cyd'));
    const now = instant('2026-03-10T12:00:00Z');
    edits.save(now, 'UTC', layer('ada bob cyd', starts('2026-03-20T00:00:00Z')));
    edits.save(now.add({ hours: 1 }), 'UTC', layer('ada bob cyd'));
    assert.equal(edits.onCall('2026-03-10T13:00:00Z', '2026-03-16T00:00:00Z'), 'bob cyd');
  });
});

describe('a layer that was removed and is put back', () => {
  const [low, both] = [layer('eve'), layer('ada bob cyd')];
  const removed = instant('2026-03-10T12:00:00Z');
  const backAt = (at: string, back = both, timezone = 'UTC') => {
    const edits = saved('UTC', low, both);
    edits.save(removed, 'UTC', low);
    edits.save(instant(at), timezone, low, back);
    return edits;
  };

  test('within the turn goes on as it was', () => {
    const edits = backAt('2026-03-15T23:59:00Z');
    assert.deepEqual(
      edits.layers.map(({ id }) => id),
      ['layer1', 'layer2'],
    );
    assert.equal(edits.onCall('2026-03-15T23:59:00Z', '2026-03-16T00:00:00Z'), 'bob cyd');
  });

  test('later, with other content or in another zone begins anew', () => {
    const fromThen = (edits: Edits) => [edits.layers[1]?.id, edits.onCall('2026-03-16T00:00:00Z')];
    assert.deepEqual(fromThen(backAt('2026-03-16T00:00:00Z')), ['layer3', 'ada']);
    const other = layer('cyd bob ada');
    assert.deepEqual(fromThen(backAt('2026-03-11T00:00:00Z', other)), ['layer3', 'bob']);
    const inTokyo = backAt('2026-03-11T00:00:00Z', both, 'Asia/Tokyo');
    assert.equal(inTokyo.layers[1]?.id, 'layer3');
  });

  test('of two equal ones each is its own', () => {
    const edits = saved('UTC', low, both, both);
    edits.save(removed, 'UTC', low);
    edits.save(removed.add({ minutes: 5 }), 'UTC', low, both, both, both);
    assert.deepEqual(
      edits.layers.map(({ id }) => id),
      ['layer1', 'layer2', 'layer3', 'layer4'],
    );
  });

  test('goes on through further edits within the turn', () => {
    const edits = backAt('2026-03-11T00:00:00Z');
    edits.save(instant('2026-03-12T00:00:00Z'), 'UTC', low, layer('bob'));
    edits.save(instant('2026-03-13T00:00:00Z'), 'UTC', low, both);
    assert.equal(edits.onCall('2026-03-13T00:00:00Z', '2026-03-16T00:00:00Z'), 'bob cyd');
  });
});
