import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hueOf, huesOf, initialsOf } from './person.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `person-${index * 10}`);

test('ten people side by side have ten hues, whatever their order', () => {
  const ten = ids(10);
  const hues = huesOf(ten);
  assert.equal(new Set(hues.values()).size, 10);
  assert.deepEqual(huesOf(ten.toReversed()), hues);
  assert.equal(huesOf(['a']).get('a'), hueOf('a'));
  assert.equal(huesOf(ids(30)).size, 30);
});

test('initials are of the first and the last name', () => {
  assert.deepEqual(['Ada Byron', 'Lin', 'Ana de la Cruz', ''].map(initialsOf), [
    'AB',
    'L',
    'AC',
    '',
  ]);
});
