import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromAndTo, notifiedOf, replacedIn, takenOffIn } from './covering.ts';

const now = Date.parse('2026-11-23T10:07:00Z');
const texts = (cover: string, end?: string) => {
  const span = fromAndTo(cover, { now, end });
  return [span.start, span.end].map((at) => new Date(at).toISOString().slice(0, 16));
};

test('what is not said is from now on, to the end of the running shift', () => {
  const [from, to] = ['2026-11-24T08:00:00Z', '2026-11-24T16:00:00Z'];
  assert.deepEqual(texts(`${from}/${to}`), ['2026-11-24T08:00', '2026-11-24T16:00']);
  assert.deepEqual(texts('', to), ['2026-11-23T10:15', '2026-11-24T16:00']);
  assert.deepEqual(texts(''), ['2026-11-23T10:15', '2026-11-23T18:15']);
  assert.deepEqual(texts('nonsense/else', to), ['2026-11-23T10:15', '2026-11-24T16:00']);
  assert.deepEqual(texts(`2026-11-20T08:00:00Z/${to}`), ['2026-11-23T10:15', '2026-11-24T16:00']);
});

test('whom somebody replaces is on call then, or nobody in particular', () => {
  assert.equal(replacedIn(['ada', 'lin'], 'lin'), 'lin');
  assert.equal(replacedIn(['ada', 'lin'], 'grace'), '');
  assert.equal(replacedIn(['ada'], 'grace'), 'ada');
  assert.equal(replacedIn(['ada'], ''), '');
  assert.equal(replacedIn(['ada'], null), 'ada');
  assert.equal(replacedIn([], 'ada'), '');
});

test('one person is taken off, never whoever is on call', () => {
  assert.equal(takenOffIn(['ada', 'lin'], null), 'ada');
  assert.equal(takenOffIn(['ada', 'lin'], ''), 'ada');
  assert.equal(takenOffIn(['ada', 'lin'], 'lin'), 'lin');
  assert.equal(takenOffIn([], null), '');
});

test('a gap without an end is covered for eight hours at first', () => {
  assert.deepEqual(texts('2026-11-24T08:00:00Z/'), ['2026-11-24T08:00', '2026-11-24T16:00']);
});

test('who is notified is named, and who cannot be has the reason', () => {
  const notice = (user_id: string, reason?: string) => ({
    user_id,
    channel: 'email',
    ...(reason !== undefined && { reason }),
  });
  const lines = (changes_count: number, ...notices: ReturnType<typeof notice>[]) =>
    notifiedOf({ changes_count, notices, names: {} }, (id) => id.toUpperCase());
  assert.deepEqual(lines(1, notice('lin'), notice('ada')), ['LIN and ADA will be notified.']);
  assert.deepEqual(lines(1, notice('lin'), notice('ada', 'no contact'), notice('lin', 'x')), [
    'LIN will be notified.',
    'ADA cannot be notified: no contact.',
  ]);
  assert.match(lines(1)[0] ?? '', /^Nobody gets a notification/);
  assert.match(lines(0)[0] ?? '', /^No change: /);
});
