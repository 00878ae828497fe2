import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { leftOf, spentBy } from './storage-budget.ts';

test('an integration may store as much as it leaves free for the others', () => {
  const cases = [
    { name: 'alone', budget: 100, integration: 0, organization: 0, left: 100 },
    { name: 'half is spent', budget: 100, integration: 50, organization: 50, left: 0 },
    { name: 'others spent much', budget: 100, integration: 0, organization: 60, left: 40 },
    { name: 'as others did', budget: 100, integration: 30, organization: 60, left: 10 },
    { name: 'all is spent', budget: 100, integration: 0, organization: 130, left: 0 },
    { name: 'no limit', budget: null, integration: 9e15, organization: 9e15, left: Infinity },
  ];
  for (const { name, budget, left, ...spent } of cases)
    assert.equal(leftOf(budget, spent), left, name);
});

test('an event that fits is stored whole, and one that does not takes nothing', () => {
  const cases = [
    { name: 'it fits', left: 100, size: 100, spent: 100 },
    { name: 'it does not', left: 99, size: 100, spent: null },
    { name: 'nothing is left', left: 0, size: 1, spent: null },
    { name: 'no limit', left: Infinity, size: 1e12, spent: 1e12 },
  ];
  for (const { name, left, size, spent } of cases) assert.equal(spentBy(size, left), spent, name);
});

test('whoever sends what, no more than the budget is stored whole, and the next finds room', () => {
  const largest = 1_000;
  const sent = fc.record({ from: fc.nat(3), size: fc.nat(largest) });
  fc.assert(
    fc.property(fc.nat(20_000), fc.array(sent, { maxLength: 300 }), (budget, all) => {
      const own = new Map<number, number>();
      let organization = 0;
      for (const { from, size } of all) {
        const integration = own.get(from) ?? 0;
        const spent = spentBy(size, leftOf(budget, { integration, organization }));
        own.set(from, integration + (spent ?? 0));
        organization += spent ?? 0;
      }
      assert.ok(organization <= budget);
      // Each takes at most half of what the others leave, and half of one event.
      let free = budget;
      for (const _ of own) free = (free - largest) / 2;
      assert.ok(leftOf(budget, { integration: 0, organization }) >= free);
    }),
  );
});
