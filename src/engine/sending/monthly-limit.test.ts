import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import { monthAround, monthOf, projectedUsage, Usage } from './monthly-limit.ts';

const organizations = new Map([
  ['limited', { timezone: 'Etc/UTC', monthly_alert_limit: 10 }],
  ['unlimited', { timezone: 'Europe/Berlin', monthly_alert_limit: null }],
]);
const page = {
  organization_id: 'limited',
  channel: 'sms',
  about: 'incident',
  user_id: 'ada',
  attempt: 1,
} as const;

test('the month is that of the organization’s time zone', () => {
  const at = Temporal.Instant.from('2026-10-31T23:30:00Z');
  assert.equal(monthOf(at, 'Etc/UTC'), '2026-10');
  assert.equal(monthOf(at, 'Europe/Berlin'), '2026-11');
  // A zone that cannot be read would stop the pages of everybody.
  assert.equal(monthOf(at, 'IST'), '2026-11');
});

const counted: Readonly<
  Record<string, { notice: ConstructorParameters<typeof Usage>[0][number]; used: number }>
> = {
  'a page to a person': { notice: page, used: 1 },
  'not a page to a chat channel': { notice: { ...page, user_id: null }, used: 0 },
  'a notice of a shift, also to a chat channel': {
    notice: { ...page, about: 'shift', user_id: null },
    used: 1,
  },
  'not what Pager reports about itself': { notice: { ...page, about: 'undecided' }, used: 0 },
  'not another try': { notice: { ...page, attempt: 2 }, used: 0 },
  'not a first try that was counted before': { notice: { ...page, isCounted: true }, used: 0 },
};

for (const [title, { notice, used }] of Object.entries(counted))
  test(`toward the limit counts: ${title}`, () => {
    const usage = new Usage([notice], organizations, noon);
    usage.count(notice);
    assert.equal(usage.added.length, used);
    assert.equal(usage.limited.length, used);
  });

test('a limit is reached by what was used before and by what this claim adds', () => {
  const usage = new Usage([page], organizations, noon);
  usage.setUsed('limited', 9);
  assert.equal(usage.isReached(page), false);
  usage.count(page);
  assert.equal(usage.isReached(page), true);
  assert.equal(usage.isReached({ ...page, attempt: 2 }), false);
});

test('admins are notified of the highest percentage that is reached', () => {
  const percentsAt = (used: number) => {
    const usage = new Usage([page], organizations, noon);
    usage.setUsed('limited', used);
    return usage.warnings().map((warning) => warning.usage.percent);
  };
  assert.deepEqual([7, 8, 9, 10].map(percentsAt), [[], [80], [80], [100]]);
});

test('an organization without a limit is counted and never limited', () => {
  const notice = { ...page, organization_id: 'unlimited' };
  const usage = new Usage([notice], organizations, noon);
  usage.count(notice);
  assert.deepEqual([usage.limited, usage.warnings(), usage.isReached(notice)], [[], [], false]);
  assert.equal(usage.added[0]?.used, 1);
});

const october = monthAround(Temporal.Instant.from('2026-10-15T12:00:00Z'), 'Europe/Berlin');

test('a month is that of the clock of the organization, with its change of the clocks', () => {
  assert.deepEqual(
    [october.start.toString(), october.end.toString()],
    ['2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
  );
  const atItsEnd = Temporal.Instant.from('2026-10-31T23:00:00Z');
  assert.deepEqual(monthAround(atItsEnd, 'Europe/Berlin').start, october.end);
});

for (const [at, used, projected] of [
  ['2026-10-01T21:59:59Z', 40, undefined],
  ['2026-10-01T22:00:00Z', 40, 1_242],
  ['2026-10-16T10:30:00Z', 500, 1_000],
  ['2026-10-31T22:59:59Z', 999, 999],
  ['2026-10-16T10:30:00Z', 0, 0],
] as const)
  test(`after ${used} by ${at}, ${projected ?? 'nothing yet'} is expected in the month`, () =>
    assert.equal(projectedUsage(used, october, Temporal.Instant.from(at)), projected));
