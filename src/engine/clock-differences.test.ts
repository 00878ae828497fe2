import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { durationText } from '../incidents/duration-text.ts';
import { clockProblems } from './clock-differences.ts';

const server = (host: string, seconds: number) => ({ host, ahead_ms: seconds * 1_000 });
const about = (...servers: ReturnType<typeof server>[]) =>
  clockProblems(servers).map((problem) => problem.about);

describe('of clocks that differ', () => {
  test('up to 5 s nothing is reported', () => {
    assert.deepEqual(about(server('one', 5), server('two', -5)), []);
    assert.deepEqual(about(), []);
  });

  test('those of servers are named while another agrees with the database', () => {
    assert.deepEqual(about(server('one', 0), server('two', 90)), ['two']);
    assert.deepEqual(about(server('one', 4), server('two', 6), server('three', -7_200)), [
      'two',
      'three',
    ]);
  });

  test('that of the database is named when no server agrees with it', () => {
    assert.deepEqual(about(server('one', 90), server('two', 90)), [null]);
    assert.deepEqual(about(server('one', -7_200)), [null]);
  });

  test('two servers on one machine count once', () => {
    assert.deepEqual(about(server('one', 90), server('one', 90), server('two', 0)), ['one']);
  });

  test('the text names who is off, by how much, and what to do', () => {
    const [one] = clockProblems([server('app-1', 0), server('app-2', -7_260)]);
    assert.equal(
      one?.text,
      'The clock of the server app-2 is 2 hours 1 minute behind that of the database. Pager uses the database’s clock. Synchronize the clock of app-2 with NTP.',
    );
    const [database] = clockProblems([server('app-1', 90), server('app-2', 91)]);
    assert.equal(
      database?.text,
      'The clock of the database differs from that of every server: it is 1 minute 30 seconds behind that of app-1 and 1 minute 31 seconds behind that of app-2. Pager uses the database’s clock. Synchronize the clock of the database’s machine with NTP, and check those of the servers.',
    );
    assert.deepEqual(database?.aheadSeconds, { 'app-1': 90, 'app-2': 91 });
  });

  for (const [seconds, text] of [
    [0, '0 seconds'],
    [6, '6 seconds'],
    [60, '1 minute'],
    [90, '1 minute 30 seconds'],
    [7_200, '2 hours'],
    [90_061, '1 day 1 hour'],
  ] as const)
    test(`${seconds} s are written as ${text}`, () =>
      assert.equal(durationText(seconds * 1_000), text));
});
