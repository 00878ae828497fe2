import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import {
  type Ended,
  failuresAfter,
  type Listened,
  Listener,
  type Poll,
  waitAfter,
} from './listen.ts';

const one: Listened = { organization_id: 'org', id: 'bot', vendor: 'telegram', version: 1 };

type Queued = () => void | Promise<void>;

/** A vendor that answers what is queued, else waits until the poll is aborted. */
function vendor(listed: Listened[] = [one]) {
  const queued: Queued[] = [];
  const log: string[] = [];
  let isHeld = false;
  let next = 0;
  const poll = async (listened: Listened, from: number, signal: AbortSignal): Promise<Poll> => {
    log.push(`poll ${listened.id}/${listened.version} from ${from}`);
    while (queued.length <= from) {
      if (signal.aborted) return { ok: true, updates: [] };
      await turn();
    }
    const updates = queued.slice(from).map((handle, index) => ({
      number: from + index,
      handle: async () => handle(),
      giveUp: async () => void log.push(`give up ${from + index}`),
    }));
    return { ok: true, updates };
  };
  const listener = new Listener({
    clock: systemClock,
    list: async () => listed,
    claim: async () => (isHeld ? null : next),
    wayTo: () => ({ kind: 'poll', poll }),
    async advance(_listened, to) {
      next = to;
      log.push(`advance to ${to}`);
      return !isHeld;
    },
    failed: (_listened, error) => log.push(String(error)),
    pauseMs: 1,
  });
  const until = async (entry: string) => {
    while (!log.includes(entry)) await turn();
  };
  return { listener, queued, log, listed, until, hold: () => (isHeld = true) };
}

test('what was received is handled in order, and each is done before the next', async () => {
  const { listener, queued, log, until } = vendor();
  for (const name of ['a', 'b']) queued.push(() => void log.push(name));
  await listener.refresh();
  await until('poll bot/1 from 2');
  await listener[Symbol.asyncDispose]();
  assert.deepEqual(log, [
    ...['poll bot/1 from 0', 'a', 'advance to 1', 'b', 'advance to 2', 'poll bot/1 from 2'],
  ]);
});

test('one that another server has is not polled', async () => {
  const { listener, log, hold } = vendor();
  hold();
  await listener.refresh();
  await listener[Symbol.asyncDispose]();
  assert.deepEqual(log, []);
});

test('a connection that changes is polled anew, and one that is gone is not', async () => {
  const { listener, log, listed, until } = vendor();
  await listener.refresh();
  await until('poll bot/1 from 0');
  listed.splice(0, 1, { ...one, version: 2 });
  while (!log.includes('poll bot/2 from 0')) {
    await listener.refresh();
    await turn();
  }
  listed.length = 0;
  await listener.refresh();
  await listener[Symbol.asyncDispose]();
  assert.deepEqual(log, ['poll bot/1 from 0', 'poll bot/2 from 0']);
});

test('what is being handled when it stops is done, and what waits is left', async () => {
  const { listener, queued, log, until } = vendor();
  const finish = Promise.withResolvers<void>();
  queued.push(async () => {
    log.push('begun');
    await finish.promise;
  });
  queued.push(() => void log.push('never'));
  await listener.refresh();
  await until('begun');
  const stopped = listener[Symbol.asyncDispose]();
  finish.resolve();
  await stopped;
  assert.deepEqual(log, ['poll bot/1 from 0', 'begun', 'advance to 1']);
});

const failing = (log: string[], name: string, times: number): Queued => {
  let left = times;
  return () => {
    log.push(name);
    left -= 1;
    if (left >= 0) throw new Error('no');
  };
};

test('what cannot be handled is tried three times, then given up, and the rest goes on', async () => {
  const { listener, queued, log, until } = vendor();
  queued.push(failing(log, 'a', 2), failing(log, 'b', 9), () => void log.push('c'));
  await listener.refresh();
  await until('advance to 3');
  await listener[Symbol.asyncDispose]();
  const tried = (name: string) => log.filter((entry) => entry === name).length;
  assert.deepEqual([tried('a'), tried('b'), tried('c')], [3, 3, 1]);
  assert.deepEqual(
    log.filter((entry) => entry.startsWith('give up')),
    ['give up 1'],
  );
});

test('once another server has the connection, nothing more of it is handled', async () => {
  const { listener, queued, log, hold } = vendor();
  queued.push(
    () => {
      log.push('a');
      hold();
    },
    () => void log.push('never'),
  );
  await listener.refresh();
  while (!log.includes('advance to 1')) await turn();
  await listener[Symbol.asyncDispose]();
  assert.deepEqual(log, ['poll bot/1 from 0', 'a', 'advance to 1']);
});

test('an older version of a connection is ended before the newer begins', async () => {
  const { listener, queued, log, listed, until } = vendor();
  const finish = Promise.withResolvers<void>();
  queued.push(async () => {
    log.push('begun');
    await finish.promise;
  });
  await listener.refresh();
  await until('begun');
  listed.splice(0, 1, { ...one, version: 2 });
  await listener.refresh();
  assert.ok(!log.some((entry) => entry.startsWith('poll bot/2')));
  finish.resolve();
  await until('advance to 1');
  while (!log.includes('poll bot/2 from 1')) {
    await listener.refresh();
    await turn();
  }
  await listener[Symbol.asyncDispose]();
});

/** A vendor with a socket, which stays open until it is ended. */
function socketVendor() {
  const log: string[] = [];
  let isHeld = false;
  let end: (ended: Ended) => void = () => {};
  const listener = new Listener({
    clock: systemClock,
    list: async () => [one],
    async claim() {
      log.push('claim');
      return isHeld ? null : 0;
    },
    wayTo: () => ({
      kind: 'socket',
      async hold(_listened, signal) {
        log.push('open');
        const ended = Promise.withResolvers<Ended>();
        end = ended.resolve;
        signal.addEventListener('abort', () => ended.resolve({ ok: true }));
        const how = await ended.promise;
        log.push('closed');
        return how;
      },
    }),
    advance: async () => true,
    failed: (_listened, error) => log.push(String(error)),
    pauseMs: 1,
    renewMs: 1,
  });
  const times = (entry: string) => log.filter((one) => one === entry).length;
  const until = async (entry: string, count: number) => {
    while (times(entry) < count) await turn();
  };
  return {
    listener,
    until,
    times,
    lose: () => (isHeld = true),
    end: (ended: Ended) => end(ended),
  };
}

test('a socket is opened anew when it ends, by itself or after a failure', async () => {
  const { listener, until, end } = socketVendor();
  await listener.refresh();
  await until('open', 1);
  end({ ok: true });
  await until('open', 2);
  end({ ok: false, reason: 'broken' });
  await until('open', 3);
  await listener[Symbol.asyncDispose]();
});

const wanted: Ended = { ok: true };
const refused: Ended = { ok: false, reason: 'refused' };
const broken: Ended = { ...refused, wasOpen: true };
const slow: Ended = { ...refused, retryAfterSeconds: 30 };
for (const [title, ends, pauses] of [
  [
    'a socket that stayed open is opened anew soon, however often it has broken',
    [...Array(3).fill([broken, 60_000]), [wanted, 60_000], [broken, 60_000]],
    [2_000, 2_000, 2_000, 0, 2_000],
  ],
  [
    'a socket that breaks again and again as soon as it is open is opened ever later',
    [...Array(6).fill([broken, 59_999]), [broken, 60_000]],
    [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 2_000],
  ],
  [
    'a socket that the vendor ends again and again as soon as it is open is opened ever later',
    [...Array(4).fill([wanted, 0]), [wanted, 60_000]],
    [0, 2_000, 4_000, 8_000, 0],
  ],
  [
    'a socket that the vendor refuses is opened ever later, however long that takes',
    [...Array(3).fill([refused, 90_000]), [slow, 0], [broken, 60_000]],
    [2_000, 4_000, 8_000, 30_000, 2_000],
  ],
] as const satisfies readonly [string, readonly [Ended, number][], readonly number[]][])
  test(title, () => {
    let failures = 0;
    const waits = ends.map(([ended, heldMs]) => {
      failures = failuresAfter(failures, ended, heldMs);
      return waitAfter(failures, ended);
    });
    assert.deepEqual(waits, pauses);
    assert.equal(waitAfter(99, refused), 60_000);
  });

test('the lease of an open socket is renewed, and without it the socket is closed', async () => {
  const { listener, until, times, lose } = socketVendor();
  await listener.refresh();
  await until('claim', 3);
  assert.equal(times('open'), 1);
  lose();
  await until('closed', 1);
  await listener[Symbol.asyncDispose]();
  assert.equal(times('open'), 1);
});
