import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import { type ListedSms, listedSince, nextPoll, numberOf, unread } from './sms-poll.ts';

const ago = (duration: Temporal.DurationLike) => noon.subtract(duration);
const sms = (sid: string, createdAt: Temporal.Instant): ListedSms => ({ sid, createdAt });
const secondOf = (at: Temporal.Instant) => at.epochMilliseconds / 1_000;

test('the first poll is at once, each further one ten seconds after the last', () => {
  assert.deepEqual(nextPoll(undefined, noon), noon);
  assert.deepEqual(nextPoll(ago({ seconds: 3 }), noon), noon.add({ seconds: 7 }));
});

for (const [name, from, since] of [
  ['never yet', 0, ago({ hours: 24 })],
  ['a minute ago', secondOf(ago({ minutes: 1 })), ago({ minutes: 6 })],
  ['three days ago', secondOf(ago({ hours: 72 })), ago({ hours: 24 })],
] as const)
  test(`SMS are listed for a day at most, and some anew: the last was read ${name}`, () =>
    assert.deepEqual(listedSince(from, noon), since));

test('what is new is read once, oldest first; of one second, in the order of the list', () => {
  const listed = [
    ...[sms('d', noon), sms('c', ago({ seconds: 1 })), sms('b', ago({ seconds: 1 }))],
    ...[
      sms('b', ago({ seconds: 1 })),
      sms('a', ago({ seconds: 2 })),
      sms('old', ago({ hours: 1 })),
    ],
  ];
  const sidsOf = (read: readonly string[]) =>
    unread(listed, ago({ minutes: 5 }), new Set(read)).map(({ sid }) => sid);
  assert.deepEqual(sidsOf([]), ['a', 'b', 'c', 'd']);
  assert.deepEqual(sidsOf(['b', 'd']), ['a', 'c']);
});

test('an SMS that is listed late does not have later ones listed for longer', () => {
  const from = secondOf(noon);
  assert.equal(numberOf(sms('a', ago({ minutes: 4 })), from), from - 1);
  assert.equal(numberOf(sms('b', noon.add({ milliseconds: 2_400 })), from), from + 2);
});
