import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barOf, channelsOf, type Quota, stateOf } from './quota.ts';

const quota = (more: Partial<Quota>): Quota => ({
  month: '2026-11',
  used: 0,
  resets_at: '2026-12-01T00:00:00Z',
  stops_pages: false,
  by_channel: {},
  ...more,
});

for (const [used, limit, state] of [
  [5, undefined, 'unlimited'],
  [79, 100, 'within'],
  [80, 100, 'near'],
  [99, 100, 'near'],
  [100, 100, 'reached'],
  [0, 0, 'reached'],
] as const)
  test(`${used} of ${limit ?? 'no limit'} is ${state}`, () =>
    assert.equal(stateOf({ used, ...(limit !== undefined && { limit }) }), state));

for (const { title, of, bar } of [
  {
    title: 'ends at the limit',
    of: { used: 100, limit: 400, projected: 200 },
    bar: {
      used: 25,
      projected: 50,
      marks: [
        { share: 80, at: 80 },
        { share: 100, at: 100 },
      ],
    },
  },
  {
    title: 'ends at what is expected, beyond the limit',
    of: { used: 100, limit: 100, projected: 200 },
    bar: {
      used: 50,
      projected: 100,
      marks: [
        { share: 80, at: 40 },
        { share: 100, at: 50 },
      ],
    },
  },
  {
    title: 'shows what is used where nothing is expected yet',
    of: { used: 5, limit: 10 },
    bar: {
      used: 50,
      projected: 50,
      marks: [
        { share: 80, at: 80 },
        { share: 100, at: 100 },
      ],
    },
  },
])
  test(`a bar ${title}`, () => assert.deepEqual(barOf(quota(of)), bar));

test('without a limit there is no bar, and a limit of none has one', () => {
  assert.equal(barOf(quota({ used: 5 })), null);
  assert.equal(barOf(quota({ limit: 0 }))?.used, 0);
});

test('channels are listed from the one that is used most', () =>
  assert.deepEqual(channelsOf(quota({ used: 4, by_channel: { email: 1, sms: 3 } })), [
    { channel: 'sms', count: 3, share: 75 },
    { channel: 'email', count: 1, share: 25 },
  ]));
