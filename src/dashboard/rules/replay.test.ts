import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsOf, changesOf, type Outcome, proposedRules, spanOf } from './replay.ts';

const saved = (id: string, counter: number, position?: number) => ({
  id,
  counter,
  team_id: 't',
  version: 1,
  name: id,
  updated_at: 'now',
  ...(position !== undefined && { position }),
});
const rules = [saved('a', 1), saved('b', 2, 5), saved('c', 3)];
const names = ['name', 'position'];
const proposed = (of: { id?: string; rule: object | null }) =>
  proposedRules(rules, { id: undefined, ...of, rule: of.rule as never }, names);

test('a new rule is proposed behind the saved ones, which keep their ids and order', () => {
  assert.deepEqual(proposed({ rule: { name: 'new' } }), [
    { id: 'b', name: 'b', position: 5 },
    { id: 'a', name: 'a' },
    { id: 'c', name: 'c' },
    { name: 'new' },
  ]);
});

test('an edited rule is proposed in its place', () => {
  const [, second] = proposed({ id: 'a', rule: { name: 'edited' } });
  assert.deepEqual(second, { name: 'edited', id: 'a' });
});

test('a rule can be left out', () => {
  assert.deepEqual(
    proposed({ id: 'a', rule: null }).map(({ id }) => id),
    ['b', 'c'],
  );
});

test('bars are as long as what they stand for, and none is endless', () => {
  assert.deepEqual(barsOf({ saved: 10, proposed: 4 }), { saved: 100, proposed: 40 });
  assert.deepEqual(barsOf({ saved: 0, proposed: 0 }), { saved: 0, proposed: 0 });
});

test('of an incident, what differs is shown', () => {
  const before: Outcome = {
    title: 'Disk full',
    status: 'triggered',
    priority: null,
    severity: null,
    escalation_policy: { name: 'Day' },
  };
  const after = { ...before, priority: 'p4', escalation_policy: null };
  assert.deepEqual(changesOf(before, after), [
    ['', 'p4'],
    ['Day', ''],
  ]);
  assert.deepEqual(changesOf(before, before), []);
});

test('the period of a replay has the day of its end', () => {
  const to = '2026-11-30T15:44:00Z';
  const daysOf = (from: string) =>
    [...spanOf({ from, to }, Date.parse(to), 'Etc/UTC').matchAll(/\b(2[39]|30)\b/g)].map(
      ([day]) => day,
    );
  assert.deepEqual(daysOf('2026-11-23T15:44:00Z'), ['23', '30']);
  assert.match(spanOf({ from: '2026-11-29T15:44:00Z', to }, Date.parse(to), 'Etc/UTC'), /29.*Mon/);
});
