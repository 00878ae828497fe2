import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTime, filtersOf, queryOfFilters } from './filters.ts';

const id = '665f1f77bcf86cd799439011';

test('what an address narrows a list by is understood, or narrows nothing', () => {
  assert.deepEqual(filtersOf({ priority: 'p1', service: id, responder: id, since: '7d', tab: 1 }), {
    priority: 'p1',
    service: id,
    responder: id,
    since: '7d',
  });
  assert.deepEqual(filtersOf({ priority: 'p9', service: 'x', responder: 7, since: '8d' }), {});
});

test('a time is counted from when the list is read', () => {
  const query = queryOfFilters({ service: id, since: '24h' });
  assert.deepEqual(atTime(query, Date.parse('2026-11-23T03:12:00Z')), {
    service_id: id,
    from: '2026-11-22T03:12:00.000Z',
  });
  assert.deepEqual(atTime({ status: 'open' }, 0), { status: 'open' });
});
