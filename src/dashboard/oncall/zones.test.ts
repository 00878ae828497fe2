import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UTC } from '../ui/zones.ts';
import { isZone, zoneChoices } from './zones.ts';

const words = { mine: 'me' };
const ada = { name: 'Ada', timezone: 'Asia/Tokyo' };

test('each zone is offered once, with whose it is; the schedule’s stands first', () => {
  const known = { schedule: 'Europe/Berlin', own: 'Asia/Tokyo', shown: 'Europe/Berlin' };
  const people = [ada, { name: 'Lin' }, { name: 'Eve', timezone: 'Europe/Berlin' }];
  assert.deepEqual(zoneChoices({ ...known, people }, words), [
    { zone: 'Europe/Berlin', of: ['Eve'] },
    { zone: 'Asia/Tokyo', of: ['me', 'Ada'] },
    { zone: UTC, of: [] },
  ]);
});

test('a zone that only the address names can be left again', () => {
  const known = { schedule: UTC, own: UTC, shown: 'Asia/Kathmandu', people: [] };
  assert.deepEqual(
    zoneChoices(known, words).map(({ zone }) => zone),
    [UTC, 'Asia/Kathmandu'],
  );
});

test('what an address names is a zone, or is passed over', () => {
  assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Base', '', undefined].map(isZone), [
    ...[true, true, false, false, false],
  ]);
});
