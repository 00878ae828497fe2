import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoverRequest } from './queries.ts';
import { allowedOn, recipientsText, requestText } from './requests.ts';

const request: CoverRequest = {
  id: 'r',
  oncall_schedule_id: 's',
  schedule_name: 'Payments',
  user_id: 'ada',
  start: '2026-12-01T09:00:00Z',
  end: '2026-12-01T17:00:00Z',
  requested_by: { id: 'grace' },
  state: 'open',
};
const nameOf = (id: string) => id.toUpperCase();

test('the others on the schedule are named before they are asked', () => {
  const rotation = { length: 1, unit: 'weeks' } as const;
  const schedule = { layers: [{ users: ['ada', 'lin', 'eve', null, 'bob'], rotation }] };
  const members = ['ada', 'lin', 'bob'].map((id) => ({ id, first_name: id, last_name: '' }));
  const eve = { id: 'eve', first_name: 'eve', last_name: '', active: false };
  const text = (...except: string[]) =>
    recipientsText({ schedule, members: [...members, eve], except, nameOf });
  assert.equal(text('ada'), 'LIN and BOB will be asked. The first to accept takes the shift.');
  assert.equal(
    text('ada', 'lin', 'bob'),
    'Nobody else in the layers of this schedule can be asked.',
  );
});

test('a request is taken by another person, and withdrawn by its own and by managers', () => {
  const rows = [
    ['ada', 'responder', false, true],
    ['grace', 'responder', true, true],
    ['lin', 'responder', true, false],
    ['lin', 'manager', true, true],
    ['lin', 'viewer', false, false],
  ] as const;
  for (const [id, role, canTake, canWithdraw] of rows)
    assert.deepEqual(allowedOn(request, { id, role }), { canTake, canWithdraw }, `${id} ${role}`);
});

test('a request says in a sentence whose shift it is, and how it ended', () => {
  const text = (change: Partial<CoverRequest>) =>
    requestText({ ...request, ...change }, { time: 'Tue 09:00 – 17:00', nameOf });
  assert.equal(text({}), 'ADA asks for cover, Tue 09:00 – 17:00');
  assert.equal(
    text({ state: 'accepted', accepted_by: 'lin' }),
    'LIN took the shift of ADA, Tue 09:00 – 17:00',
  );
  assert.equal(text({ state: 'withdrawn' }), 'The request of ADA was withdrawn, Tue 09:00 – 17:00');
  assert.equal(text({ state: 'expired' }), 'The request of ADA has expired, Tue 09:00 – 17:00');
});
