import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactReachability, surest } from './contact-reachability.ts';

const now = Temporal.Instant.from('2026-11-24T12:00:00Z');
const daysAgo = (days: number) => now.subtract({ hours: 24 * days }).toString();

test('what each contact is, and why', () => {
  const of = (contact: object, problem: string | null = null) => {
    const read = contactReachability({ verified: true, ...contact }, problem, now);
    return [read.reachability, read.reason];
  };
  assert.deepEqual(of({ proved_at: daysAgo(0) }), ['proved', undefined]);
  assert.deepEqual(of({ proved_at: daysAgo(180) }), ['proved', undefined]);
  assert.deepEqual(of({ proved_at: daysAgo(181) }), ['likely', 'Not confirmed since 2026-05-27.']);
  assert.deepEqual(of({}), ['likely', 'Not confirmed yet.']);
  const unproved = ['unproved', 'The contact is not verified.'];
  assert.deepEqual(of({ verified: false }), unproved);
  assert.deepEqual(of({ verified: false, proved_at: daysAgo(1) }, 'No phone.'), unproved);
  assert.deepEqual(of({ proved_at: daysAgo(1) }, 'No phone.'), ['broken', 'No phone.']);
  const lost = { verified: false, state: 'blocked', state_reason: 'The bot is blocked.' };
  assert.deepEqual(of(lost), ['broken', 'The bot is blocked.']);
});

test('of several contacts the surest counts', () => {
  const [broken, likely] = [{ reachability: 'broken' }, { reachability: 'likely' }] as const;
  assert.equal(surest([broken, likely]), likely);
  assert.equal(surest([]), null);
});
