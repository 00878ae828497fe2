import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Incident } from './incident.ts';
import { pagingCounts, unpagedFirst } from './paging-counts.ts';

const one = (id: string, about: Partial<Incident>): Incident => ({
  id,
  number: 1,
  title: 'Disk full',
  status: 'triggered',
  dedup_key: 'disk',
  service_id: 's',
  alerts_firing: 1,
  suppressed_count: 0,
  repeat_count: 0,
  test: false,
  created_at: '',
  updated_at: '',
  service: undefined,
  next: undefined,
  paging: undefined,
  reached: undefined,
  handled_by: undefined,
  ...about,
});

const incidents = [
  one('a', { paging: 'paged' }),
  one('b', { paging: 'unanswered' }),
  one('c', { paging: 'admins_only' }),
  one('d', { paging: 'waiting' }),
  one('e', { paging: 'unanswered' }),
  one('f', { muted_until: '9999-12-31T23:59:59.999Z' }),
  one('g', { paging: 'nobody_reached' }),
];

test('the heading counts what still pages somebody, the worst first', () => {
  assert.deepEqual(pagingCounts(incidents, true), [
    '2 with nobody paged',
    '2 being paged',
    '2 with nobody left to page',
    '1 muted',
  ]);
});

test('of a list that goes on, no count is the last word', () => {
  assert.deepEqual(pagingCounts(incidents.slice(0, 1), false), ['1+ being paged']);
  assert.deepEqual(pagingCounts([], true), []);
});

test('what paged nobody is first, and the rest keeps its order', () => {
  const ids = unpagedFirst(incidents).map(({ id }) => id);
  assert.deepEqual(ids, ['c', 'g', 'a', 'b', 'd', 'e', 'f']);
});
