// An apply in trouble: the state is true, the next apply finishes, and nothing is doubled.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Passing } from './proxy.ts';
import { type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const count = 40;
/** Of them, before the trouble. */
const goneThrough = 15;
/** Terraform’s own limit: when so many wait, nothing else is under way. */
const atOnce = 10;

describe('an apply in trouble', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  let existing: number;
  let requests: number;
  let allAreLate: PromiseWithResolvers<void>;
  before(async () => {
    at = await startTerraform();
    existing = await services();
  });
  after(() => at[Symbol.asyncDispose]());
  beforeEach(async () => {
    await configure();
    await at.succeeds('destroy', '-auto-approve');
    requests = 0;
    allAreLate = Promise.withResolvers();
  });

  const configure = (pager = {}) =>
    at.configure({
      provider: { pager },
      resource: { pager_service: { all: { count, name: 's${count.index}' } } },
    });
  const services = async () => (await at.server.api.list('services')).length;
  const start = () => at.workspace.startApart('apply', '-auto-approve', '-input=false');

  /** Whether a record is to be created, when some are. */
  function isLate({ method }: Passing): boolean {
    if (method === 'POST') requests += 1;
    if (requests === goneThrough + atOnce) allAreLate.resolve();
    return method === 'POST' && requests > goneThrough;
  }

  /** When the trouble is over. */
  async function finishes(): Promise<void> {
    at.proxy.instead = () => undefined;
    at.proxy.done = async () => undefined;
    const known = (await at.state()).size;
    assert.ok(known >= goneThrough && known < count, `${known} are known`);
    await at.apply();
    await isWhole();
  }
  async function isWhole(): Promise<void> {
    assert.deepEqual(await at.changes(), []);
    assert.equal((await services()) - existing, count);
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`${signal} to all processes while the API is at work loses nothing that it does`, async () => {
      const working = Promise.withResolvers<undefined>();
      at.proxy.done = async (passing) => (isLate(passing) ? working.promise : undefined);
      const { pid, printed, ended } = start();
      await Promise.race([allAreLate.promise, ended]);
      process.kill(-pid, signal);
      await printed('Gracefully shutting down');
      working.resolve(undefined);
      const { code } = await ended;
      assert.equal(code, 1);
      assert.equal((await at.state()).size, goneThrough + atOnce);
      await finishes();
    });

  test('Ctrl-C ends writes that hang within two seconds, and the state keeps them as unconfirmed', async () => {
    const never = new Promise<undefined>(() => {});
    at.proxy.done = async (passing) => (isLate(passing) ? never : undefined);
    const { pid, printed, ended } = start();
    await Promise.race([allAreLate.promise, ended]);
    let left = 0;
    at.proxy.instead = () => {
      left += 1;
      return undefined;
    };
    process.kill(-pid, 'SIGINT');
    await printed('Gracefully shutting down');
    const stopped = performance.now();
    const { code, errors } = await ended;
    const seconds = (performance.now() - stopped) / 1_000;
    assert.equal(code, 1);
    assert.equal(left, 0, 'nothing is sent after it');
    // Of Terraform's own end, on a machine that is busy, too.
    assert.ok(seconds < 6, `it took ${seconds} seconds`);
    const text = errors.replace(/[\s│╷╵]+/g, ' ');
    assert.match(text, /The request was stopped before the server responded\./);
    assert.match(text, /It may have been created anyway\. Apply again within 24 hours/);
    const unconfirmed = [...(await at.state()).values()].filter(({ id }) =>
      String(id).startsWith('unconfirmed:'),
    );
    assert.equal(unconfirmed.length, atOnce);
    await finishes();
  });

  test('the death of the provider leaves what it had made', async () => {
    const dead = Promise.withResolvers<undefined>();
    at.proxy.instead = (passing) => {
      if (!isLate(passing)) return undefined;
      const body = { error: 'internal', message: 'Nobody is there.', issues: [], request_id: '' };
      return dead.promise.then(() => ({ status: 500, body }));
    };
    const { pid, ended } = start();
    await Promise.race([allAreLate.promise, ended]);
    const { stdout } = await promisify(execFile)('pgrep', ['-P', `${pid}`]);
    for (const child of stdout.trim().split('\n')) process.kill(Number(child), 'SIGKILL');
    const { code } = await ended;
    assert.equal(code, 1);
    dead.resolve(undefined);
    await finishes();
  });

  test('a key that is revoked leaves what it had made', async () => {
    const fields = { name: 'terraform', role: 'manager' };
    const { id, key } = await at.server.api.create('api-keys', fields);
    await configure({ api_key: key });
    const othersAreMade = Promise.withResolvers<void>();
    let made = 0;
    at.proxy.done = async ({ method }) => {
      if (method === 'POST') made += 1;
      if (made === goneThrough) othersAreMade.resolve();
      return undefined;
    };
    at.proxy.instead = async (passing) => {
      if (!isLate(passing)) return undefined;
      await othersAreMade.promise;
      await at.server.api.send(`DELETE /api-keys/${id}`);
      return undefined;
    };
    const { code, errors } = await start().ended;
    assert.equal(code, 1);
    assert.match(errors, /This API key was revoked at \d{4}-/);
    assert.match(errors, /Set api_key \(or PAGER_API_KEY\) to a valid API key/);
    await configure();
    await finishes();
  });

  test('answers that are lost are asked for again', async () => {
    const lost = new Set<string>();
    at.proxy.done = async ({ method, headers }) => {
      const key = String(headers['idempotency-key']);
      if (method !== 'POST' || lost.has(key)) return undefined;
      lost.add(key);
      return 'lost';
    };
    await at.apply();
    assert.equal(lost.size, count);
    await isWhole();
  });

  test('a create that something else answers, though it is done, is not made twice', async () => {
    await configure({ max_retries: 1 });
    const html = { type: 'text/html', text: '<h1>Sorry</h1>' };
    const pages = [
      ...[524, 500, 408, 403, 200].map((status) => ({ status, ...html })),
      { status: 201, type: 'application/json', text: '{}' },
    ];
    const answered = new Map<string, (typeof pages)[number] | undefined>();
    at.proxy.done = async (passing) => {
      if (passing.method !== 'POST') return undefined;
      const key = String(passing.headers['idempotency-key']);
      if (!answered.has(key))
        answered.set(key, isLate(passing) ? pages[requests % pages.length] : undefined);
      return answered.get(key);
    };
    const { code, errors } = await start().ended;
    assert.equal(code, 1);
    assert.match(errors, /Apply again within 24\s+hours/);
    const made = (await services()) - existing;
    assert.ok(made >= goneThrough + pages.length, `${made} are made`);
    await finishes();
  });

  test('a create whose answers are all lost is not made twice', async () => {
    await configure({ max_retries: 1 });
    at.proxy.done = async (passing) => (isLate(passing) ? 'lost' : undefined);
    const { code, errors } = await start().ended;
    assert.equal(code, 1);
    assert.match(errors, /Apply again within 24\s+hours/);
    const made = (await services()) - existing;
    assert.ok(made > goneThrough, `${made} are made`);
    await finishes();
  });
});
