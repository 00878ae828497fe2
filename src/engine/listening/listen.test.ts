import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { Listener, type Poll, type Polled } from './listen.ts';

const one: Polled = { organization_id: 'org', id: 'bot', version: 1 };

/** A vendor that answers what is queued, else waits until the poll is aborted. */
function vendor(listed: Polled[] = [one]) {
  const queued: (() => void | Promise<void>)[] = [];
  const log: string[] = [];
  let isHeld = false;
  let next = 0;
  const listener = new Listener({
    clock: systemClock,
    list: async () => listed,
    claim: async () => (isHeld ? null : next),
    async poll(polled, from, signal): Promise<Poll> {
      log.push(`poll ${polled.id}/${polled.version} from ${from}`);
      while (queued.length <= from) {
        if (signal.aborted) return { ok: true, updates: [] };
        await turn();
      }
      const updates = queued.slice(from).map((handle, index) => ({
        number: from + index,
        handle: async () => handle(),
      }));
      return { ok: true, updates };
    },
    async advance(_polled, to) {
      next = to;
      log.push(`advance to ${to}`);
    },
    failed: (_polled, error) => log.push(String(error)),
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
  await listener.refresh();
  await until('poll bot/2 from 0');
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
