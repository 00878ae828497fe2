import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { silentLog } from '../engine/log.ts';
import { unpacked } from './clone.ts';
import { type Finished, Pool, type PoolOptions } from './pool.ts';
import { RpcServer } from './rpc.ts';

type AnyTasks = typeof import('./any-tasks.ts');

const anybody = { organizationId: 'a', caller: 'key' };
const somebody = { organizationId: 'b', caller: 'key' };

function open(options: Partial<PoolOptions> = {}) {
  const finished: Finished[] = [];
  const pool = new Pool<AnyTasks>({
    name: 'any',
    file: new URL('./any-tasks.ts', import.meta.url),
    threads: 1,
    cpuMsMax: 60_000,
    taskMsMax: 60_000,
    heapMegabytesMax: 64,
    waitingMax: 100,
    perCallerMax: 10,
    runningPerOrganizationMax: 1,
    waitMsMax: 60_000,
    log: silentLog,
    finished: (task) => finished.push(task),
    ...options,
  });
  const outcomes = () => finished.map(({ outcome }) => outcome);
  return { pool, finished, outcomes, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() };
}

test('a task runs in a thread and answers, or throws what it threw', async () => {
  await using opened = open();
  const { pool, outcomes } = opened;
  assert.deepEqual(await pool.run(anybody, 'double', 21), { value: 42 });
  await assert.rejects(pool.run(anybody, 'fail', 'no'), new TypeError('no'));
  assert.deepEqual(await pool.run(anybody, 'environment', null), { value: [] });
  assert.deepEqual(outcomes(), ['done', 'failed', 'done']);
});

test('a thread has a lower priority once it is loaded, and only that thread', async () => {
  const own = getPriority();
  await using opened = open();
  const low = process.platform === 'linux' ? Math.max(own, 10) : own;
  assert.deepEqual(await opened.pool.run(anybody, 'priorities', null), { value: [own, low] });
  assert.equal(getPriority(), own);
});

test('the threads of the server lower theirs', () => {
  const server = readFileSync(new URL('../server/workers.ts', import.meta.url), 'utf8');
  const files = [...server.matchAll(/new URL\('(.*?)', import\.meta\.url\)/g)].map(
    ([, path = '']) => path,
  );
  assert.equal(files.length, 3);
  for (const path of files) {
    const tasks = readFileSync(new URL(`../server/${path}`, import.meta.url), 'utf8');
    assert.match(tasks, /^lowerPriority\(\);$/m, path);
  }
});

test('a task without end is killed, and the next has a worker', async () => {
  await using opened = open({ cpuMsMax: 2_000 });
  const { pool, finished } = opened;
  const spinning = pool.run(anybody, 'spin', null);
  const turns = { waited: 0 };
  const turning = setInterval(() => {
    turns.waited += 1;
  }, 1);
  const next = pool.run(somebody, 'double', 1);
  assert.deepEqual([pool.running, pool.waiting], [1, 1]);
  assert.deepEqual(await spinning, { refused: 'too_slow' });
  clearInterval(turning);
  assert.ok(turns.waited > 10, `this thread had ${turns.waited} turns meanwhile`);
  assert.deepEqual(await next, { value: 2 });
  assert.deepEqual([pool.running, pool.waiting], [0, 0]);
  assert.ok((finished[0]?.seconds ?? 0) > 0);
});

test('only the processor time of a task counts, unless it never ends', async () => {
  await using patient = open({ cpuMsMax: 2_000 });
  assert.deepEqual(await patient.pool.run(anybody, 'sleep', 2_500), { value: 'timed-out' });
  await using late = open({ taskMsMax: 10 });
  assert.deepEqual(await late.pool.run(anybody, 'sleep', 600_000), { refused: 'too_slow' });
});

test('a task that takes too much memory ends with its worker, not with the process', async () => {
  await using opened = open({ heapMegabytesMax: 16 });
  const { pool } = opened;
  assert.deepEqual(await pool.run(anybody, 'fill', null), { refused: 'too_large' });
  assert.deepEqual(await pool.run(anybody, 'double', 4), { value: 8 });
});

test('who has too much under way is refused at once, others are not', async () => {
  await using opened = open({ perCallerMax: 2 });
  const { pool, outcomes } = opened;
  const first = [pool.run(anybody, 'double', 1), pool.run(anybody, 'double', 2)];
  assert.deepEqual(await pool.run(anybody, 'double', 3), { refused: 'caller_busy' });
  assert.equal(pool.refuseEarly(anybody, 'double'), 'caller_busy');
  assert.equal(pool.refuseEarly(somebody, 'double'), null);
  assert.deepEqual(await pool.run(somebody, 'double', 4), { value: 8 });
  assert.deepEqual(await Promise.all(first), [{ value: 2 }, { value: 4 }]);
  assert.deepEqual(outcomes(), ['caller_busy', 'caller_busy', 'done', 'done', 'done']);
});

test('what runs and waits when it ends is refused', async () => {
  const { pool } = open();
  const waiting = [pool.run(anybody, 'spin', null), pool.run(somebody, 'spin', null)];
  await pool[Symbol.asyncDispose]();
  assert.deepEqual(await Promise.all(waiting), [{ refused: 'busy' }, { refused: 'busy' }]);
  assert.deepEqual(await pool.run(anybody, 'double', 1), { refused: 'busy' });
});

test('a task that nobody waits for any more ends, whether it runs or waits', async () => {
  await using opened = open();
  const { pool, outcomes } = opened;
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = pool.run({ ...anybody, signal: running.signal }, 'spin', null);
  const second = pool.run({ ...anybody, signal: waiting.signal }, 'spin', null);
  waiting.abort();
  running.abort();
  assert.deepEqual(await Promise.all([first, second]), [{ refused: 'gone' }, { refused: 'gone' }]);
  assert.deepEqual(await pool.run(anybody, 'double', 1), { value: 2 });
  assert.deepEqual(outcomes(), ['gone', 'gone', 'done']);
});

test('that a listener leaves after the answer ends no other task', async () => {
  await using opened = open();
  const { pool, outcomes } = opened;
  const listening = new AbortController();
  await pool.run({ ...anybody, signal: listening.signal }, 'double', 1);
  const next = pool.run(anybody, 'double', 2);
  listening.abort();
  assert.deepEqual(await next, { value: 4 });
  assert.deepEqual(outcomes(), ['done', 'done']);
});

test('a task asks while it runs, and fails with what kept the answer from it', async () => {
  await using opened = open();
  const { pool } = opened;
  const at = (nth: number) => Temporal.Instant.fromEpochMilliseconds(nth);
  using three = new RpcServer({ next: async (nth: number) => (nth < 3 ? at(nth) : null) });
  const ran = await three.during(pool.run(anybody, 'callAll', three.withPort({})));
  assert.deepEqual(unpacked(ran), { value: [3, at(2)] });
  const failure = new RangeError('no more');
  using none = new RpcServer({ next: () => Promise.reject(failure) });
  const failing = none.during(pool.run(anybody, 'callAll', none.withPort({})));
  await assert.rejects(failing, (error) => error === failure);
});

test('a task that waits for an answer can be ended', async () => {
  await using opened = open();
  const { pool } = opened;
  const listening = new AbortController();
  const called = Promise.withResolvers<void>();
  using silent = new RpcServer({
    next() {
      called.resolve();
      return new Promise(() => {});
    },
  });
  const requester = { ...anybody, signal: listening.signal };
  const waiting = pool.run(requester, 'callAll', silent.withPort({}));
  await called.promise;
  listening.abort();
  assert.deepEqual(await waiting, { refused: 'gone' });
  assert.deepEqual(await pool.run(anybody, 'double', 1), { value: 2 });
});
