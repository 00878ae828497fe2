import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Facts, linesOf, type Timeline } from './attention.ts';

const at = (hour: number) => `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`;
const timeline = (name: string, fields: Partial<Timeline> = {}): Timeline => ({
  oncall_schedule_id: name,
  name,
  ...{ shifts: [], gaps: [], gap_count: 0 },
  ...fields,
});
const facts = (fields: Partial<Facts>): Facts => ({
  ...{ me: 'ada', isManager: true, timelines: [], unreachable: new Map(), mail: null },
  now: at(9),
  ...fields,
});
const kinds = (fields: Partial<Facts>) => linesOf(facts(fields)).map(({ kind }) => kind);

const mine = { user_id: 'ada', start: at(8), end: at(10) };
const lins = { user_id: 'lin', start: at(9), end: at(11) };
const reason = 'The person has no contact.';

test('a shift that runs is told with its end, and one to come is not', () => {
  const timelines = [
    timeline('Payments', { shifts: [mine, { ...mine, start: at(12), end: at(13) }] }),
    timeline('Shop', { shifts: [{ ...mine, start: at(7), end: at(9) }, lins] }),
  ];
  assert.deepEqual(linesOf(facts({ timelines })), [
    { kind: 'shift', schedule: { id: 'Payments', name: 'Payments' }, end: at(10) },
  ]);
});

test('who cannot be reached is told of that first; of others managers are, while they are on call', () => {
  const unreachable = new Map(['ada', 'lin', 'eve'].map((name) => [name, { name, reason }]));
  const timelines = [timeline('Payments', { shifts: [mine, lins] })];
  assert.deepEqual(kinds({ timelines, unreachable }), ['unreachable', 'shift', 'person']);
  assert.deepEqual(kinds({ timelines, unreachable, isManager: false }), ['unreachable', 'shift']);
});

test('the first gap of each schedule is told to managers, and no more than five lines', () => {
  const gap = { start: at(10), end: at(11) };
  const timelines = Array.from({ length: 7 }, (_, index) =>
    timeline(`${index}`, { gaps: [gap, gap], gap_count: 3 }),
  );
  const lines = linesOf(facts({ timelines, mail: 'No mail server is set.' }));
  assert.deepEqual(lines.slice(0, 2), [
    { kind: 'mail', reason: 'No mail server is set.' },
    { kind: 'gap', schedule: { id: '0', name: '0' }, gap, more: 2 },
  ]);
  assert.equal(lines.length, 5);
  assert.deepEqual(kinds({ timelines, isManager: false }), []);
});
