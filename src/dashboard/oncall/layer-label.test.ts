import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presets, windowsOf } from './hours.ts';
import { layerLabel } from './layer-label.ts';

const names: Readonly<Record<string, string>> = {
  ada: 'Ada Byron',
  lin: 'Lin Okafor',
  other: 'Ada Lovelace',
  bo: 'Bo Chen',
  eve: 'Eve',
};
const nights = { windows: windowsOf([presets.nights]) };
type Labelled = Parameters<typeof layerLabel>[0];
const cases: readonly [string, Labelled][] = [
  ['Always · Ada, Lin', { users: ['ada', 'lin'] }],
  ['10:00 PM–6:00 AM · Ada, Lin', { users: ['ada', 'lin', 'ada'], restriction: nights }],
  ['Always · Ada Byron, Ada Lovelace, Lin', { users: ['ada', 'other', 'lin'] }],
  ['Always · Ada, Nobody', { users: ['ada', null] }],
  ['Always · Ada, Lin, Bo, Eve', { users: ['ada', 'lin', 'bo', 'eve'] }],
  ['Always · Ada, Lin, Bo +2', { users: ['ada', 'lin', 'bo', 'eve', null] }],
  ['Nights', { users: ['ada'], restriction: nights, name: 'Nights' }],
];

for (const [label, layer] of cases)
  test(`a layer is called ${label}`, () =>
    assert.equal(layerLabel(layer, (id) => names[id] ?? id).replaceAll('\u202f', ' '), label));
