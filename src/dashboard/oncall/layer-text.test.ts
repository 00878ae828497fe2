import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DraftLayer, newLayer, workdays } from './draft.ts';
import { draftLayerText } from './layer-text.ts';

test('two layers that differ in anything are told apart', () => {
  const layer: DraftLayer = { ...newLayer('1'), users: ['ada', null] };
  const changes: Partial<DraftLayer>[] = [
    { users: ['ada'] },
    { length: '2' },
    { unit: 'days' },
    { handoff: '10:00' },
    { handoff_day: 'friday' },
    { name: 'Nights' },
    { since: '2026-11-16' },
    { counts: 'open' },
    { windows: workdays('08:00', '17:00') },
    { starts_at: '2027-01-01T00:00:00Z' },
    { ends_at: '2027-01-01T00:00:00Z' },
  ];
  const shown = { names: new Map([['ada', 'Ada Byron']]), zone: 'Europe/Berlin' };
  const texts = [{}, ...changes].map((change) => draftLayerText({ ...layer, ...change }, shown));
  assert.equal(texts[0]?.replaceAll('\u202f', ' '), 'Ada Byron, Nobody (Weekly Mon 9:00 AM)');
  assert.equal(new Set(texts).size, texts.length);
});
