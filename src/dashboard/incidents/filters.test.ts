import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTime, filtersOf, queryOfFilters } from './filters.ts';

const id = '665f1f77bcf86cd799439011';

test('what an address narrows a list by is understood, or narrows nothing', () => {
  const all = {
    priority: 'p1',
    service: id,
    responder: id,
    since: '7d',
    verdict: 'none',
    test: 'none',
  };
  assert.deepEqual(filtersOf({ ...all, tab: 1 }), all);
  const wrong = {
    priority: 'p9',
    service: 'x',
    responder: 7,
    since: '8d',
    verdict: 'noise',
    test: 1,
  };
  assert.deepEqual(filtersOf(wrong), {});
});

test('a time is counted from when the list is read', () => {
  const query = queryOfFilters({ service: id, since: '24h', verdict: 'false_alarm', test: 'only' });
  assert.deepEqual(atTime(query, Date.parse('2026-11-23T03:12:00Z')), {
    service_id: id,
    verdict: 'false_alarm',
    test: 'true',
    from: '2026-11-22T03:12:00.000Z',
  });
  assert.deepEqual(atTime({ status: 'open' }, 0), { status: 'open' });
});
