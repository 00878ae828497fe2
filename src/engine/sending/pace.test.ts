import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';

const quickly = { ms: 5, isDelivered: true };
const slowly = { ms: 900, isDelivered: true };

function answers(pace: Pace, recipient: string, times: number, answer = quickly): void {
  for (let n = 0; n < times; n += 1) pace.answered(recipient, answer);
}

function sending(pace: Pace, recipient: string, times: number): void {
  for (let n = 0; n < times; n += 1) pace.begin(recipient);
}

test('a receiver that nothing is known of is given four at a time', () => {
  const pace = new Pace();
  sending(pace, 'ada', 3);
  assert.deepEqual(pace.shares(), { busy: [], perRecipient: 4, shares: new Map() });
  pace.begin('ada');
  assert.deepEqual(pace.shares().busy, ['ada']);
  pace.end('ada');
  assert.deepEqual(pace.shares().busy, []);
});

test('one that has answered quickly again and again is given more', () => {
  const pace = new Pace();
  answers(pace, 'ada', 7);
  assert.deepEqual(pace.shares().shares, new Map());
  answers(pace, 'ada', 1);
  sending(pace, 'ada', 10);
  assert.deepEqual(pace.shares(), {
    busy: [],
    perRecipient: 4,
    shares: new Map([['ada', 22]]),
  });
  sending(pace, 'ada', 22);
  assert.deepEqual(pace.shares().busy, ['ada']);
});

for (const answer of [slowly, { ms: 5, isDelivered: false }])
  test(`one answer ${answer.isDelivered ? 'that is slow' : 'that is none'} takes that away`, () => {
    const pace = new Pace();
    answers(pace, 'ada', 8);
    sending(pace, 'ada', 5);
    pace.answered('ada', answer);
    assert.deepEqual(pace.shares(), { busy: ['ada'], perRecipient: 4, shares: new Map() });
  });

test('what quick receivers have beyond the few is bounded for all of them together', () => {
  const pace = new Pace();
  const names = Array.from({ length: 40 }, (_, n) => `receiver ${n}`);
  for (const name of names) answers(pace, name, 8);
  const granted = [...pace.shares().shares.values()].reduce((sum, one) => sum + one, 0);
  assert.ok(granted <= names.length * 4 + 64, `${granted}`);
});

test('what was given to one that is slow now is not given to others as well', () => {
  const pace = new Pace();
  for (const name of ['ada', 'eve', 'lin']) answers(pace, name, 8);
  for (const name of ['ada', 'eve']) {
    sending(pace, name, 32);
    pace.answered(name, slowly);
  }
  assert.deepEqual(pace.shares().shares, new Map([['lin', 4 + 64 - 2 * 28]]));
});
