import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskQueue, type TaskQueueLimits } from './task-queue.ts';

const limits: TaskQueueLimits = {
  waitingMax: 100,
  perCallerMax: 10,
  runningPerOrganizationMax: 2,
  waitMsMax: 1_000,
};

const of = (organizationId: string, caller = 'key') => ({ organizationId, caller });

test('organisations take turns, each in the order that its tasks came', () => {
  const line = new TaskQueue<string>(limits);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
    assert.equal(line.enter(of(item.charAt(0)), item, 0), null);
  const served: string[] = [];
  for (let turn = line.next(0); turn; turn = line.next(0)) {
    served.push(turn.item);
    line.done(turn.requester);
  }
  assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an organisation leaves workers to the others', () => {
  const line = new TaskQueue<number>(limits);
  for (const item of [1, 2, 3]) line.enter(of('a'), item, 0);
  assert.deepEqual([line.next(0)?.item, line.next(0)?.item, line.next(0)], [1, 2, null]);
  line.enter(of('b'), 4, 0);
  assert.equal(line.next(0)?.item, 4);
  line.done(of('a'));
  assert.equal(line.next(0)?.item, 3);
  assert.equal(line.waiting, 0);
});

test('a caller has so many under way, running ones too, and others are still taken', () => {
  const line = new TaskQueue<number>({ ...limits, perCallerMax: 2 });
  line.enter(of('a', 'one'), 1, 0);
  const running = line.next(0);
  assert.equal(line.enter(of('a', 'one'), 2, 0), null);
  assert.equal(line.enter(of('a', 'one'), 3, 0), 'caller_busy');
  assert.equal(line.enter(of('a', 'two'), 4, 0), null);
  assert.equal(line.enter(of('b', 'one'), 5, 0), null);
  assert.ok(running);
  line.done(running.requester);
  assert.equal(line.enter(of('a', 'one'), 6, 0), null);
});

test('no more wait than there is room for', () => {
  const line = new TaskQueue<number>({ ...limits, waitingMax: 2 });
  assert.deepEqual(
    ['a', 'b', 'c'].map((organization, item) => line.enter(of(organization), item, 0)),
    [null, null, 'busy'],
  );
  assert.equal(line.next(0)?.item, 0);
  assert.equal(line.enter(of('c'), 3, 0), null);
});

test('who waited too long is not run', () => {
  const line = new TaskQueue<number>(limits);
  line.enter(of('a'), 1, 0);
  line.enter(of('a'), 2, 500);
  const turns = [line.next(1_001), line.next(1_001)];
  assert.deepEqual(
    turns.map((turn) => turn && [turn.item, turn.isLate]),
    [
      [1, true],
      [2, false],
    ],
  );
});
