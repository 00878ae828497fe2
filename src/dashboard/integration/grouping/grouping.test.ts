import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sendsGroups } from '../../../resources/grouping-types.ts';
import {
  byOfWay,
  groupingText,
  nextValue,
  pickedOf,
  picksFor,
  valueOfPath,
  valuesOf,
  wayOf,
  ways,
  waysFor,
} from './grouping.ts';

const anyBy = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom('group', 'service', 'title', 'severity', 'priority'),
    fc.string({ minLength: 1, maxLength: 20 }).map((path) => `details.${path}`),
  ),
  { maxLength: 8 },
);

test('every value is shown in its row, and saved as it was', () =>
  fc.assert(
    fc.property(anyBy, fc.constantFrom('alertmanager', 'webhook'), (by, slug) => {
      assert.deepEqual(valuesOf({ by }), by);
      assert.ok(waysFor(slug, by).includes(wayOf(by)));
      const offered = { hasGroups: sendsGroups(slug), by };
      by.forEach((value, index) => {
        const { pick, path } = pickedOf(value);
        assert.equal(path === null ? pick : valueOfPath(path), value);
        const shown = picksFor(offered, index).find((one) => one.value === pick);
        assert.equal(shown?.isDisabled, false);
      });
      assert.ok(!by.includes(nextValue(offered)));
    }),
  ));

test('the groups of a tool are offered only where it sends them, or where they are chosen', () => {
  assert.deepEqual(waysFor('grafana', []), ways);
  assert.deepEqual(waysFor('webhook', []), ['none', 'values']);
  assert.deepEqual(waysFor('webhook', ['group']), ways);
  const picks = (hasGroups: boolean) =>
    picksFor({ hasGroups, by: ['title'] }, 0).map(({ value }) => value);
  assert.ok(picks(true).includes('group'));
  assert.ok(!picks(false).includes('group'));
});

test('a way that is chosen is the way of what it sets', () => {
  for (const way of ways) assert.equal(wayOf(byOfWay[way]), way);
});

test('a value is chosen once, but for paths', () => {
  const picks = picksFor({ hasGroups: false, by: ['title', 'details.a', 'severity'] }, 0);
  assert.deepEqual(
    picks.filter(({ isDisabled }) => isDisabled).map(({ value }) => value),
    ['severity'],
  );
});

test('grouping is read as a sentence', () => {
  const window = { after: 1, unit: 'hours' };
  const cases = [
    [undefined, 'No. Every alert opens its own incident.'],
    [{ by: [], window }, 'No. Every alert opens its own incident.'],
    [{ by: ['group'] }, 'Alerts of one group of the tool join one incident.'],
    [
      { by: ['title', 'details.labels.cluster'], window },
      'Alerts with the same title and labels.cluster join one incident, for up to 1 hour after the last one joined.',
    ],
  ] as const;
  for (const [grouping, text] of cases) assert.equal(groupingText(grouping, false), text);
  assert.equal(
    groupingText({ by: [] }, true),
    'No, because incident suppression is disabled. Every alert opens its own incident.',
  );
});
