// Every method on every path: what the document lists is taken, all else gets 405 or 404.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations } from './document.ts';
import { startTarget, type Target } from './server.ts';

let target: Target;
before(async () => {
  target = await startTarget();
});
after(() => target[Symbol.asyncDispose]());

const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const formOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** The methods that the document lists for a path; where it names two, for both. */
function listedFor(path: string): readonly string[] {
  const methods = operations
    .filter((one) => formOf(one.path).test(path))
    .map(({ method }) => method);
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].sort();
}

const send = (method: string, path: string) => target.raw({ method, path, headers: {} });

test('a method that the document does not list gets 405 and those that it lists', async () => {
  const paths = [...new Set(operations.map(({ path }) => path.replaceAll(/\{\w+\}/g, '1')))];
  for (const path of paths) {
    const listed = listedFor(path);
    for (const method of all.filter((one) => !listed.includes(one))) {
      const { status, headers, text } = await send(method, `/api/v1${path}`);
      const allow = headers.allow?.split(', ').sort();
      assert.deepEqual([status, allow], [405, listed], `${method} ${path}`);
      if (method !== 'HEAD') assert.equal(JSON.parse(text).error, 'method_not_allowed');
    }
    // Who asks is not known: that it is taken shows.
    for (const method of listed)
      assert.equal((await send(method, `/api/v1${path}`)).status, 401, `${method} ${path}`);
  }
});

test('outside of the API, too, a path says which methods it takes, and an unknown one is 404', async () => {
  const token = '0'.repeat(40);
  for (const [line, status, allow] of [
    ['DELETE /healthz', 405, 'GET, HEAD'],
    ['TRACE /sign-in', 405, 'GET, HEAD'],
    ['GET /auth/sign-in', 405, 'POST'],
    ['POST /openapi.json', 405, 'GET, HEAD'],
    [`DELETE /hooks/${token}/push-events`, 405, 'POST, PUT'],
    [`TRACE /hooks/${token}/push-events`, 405, 'POST, PUT'],
    [`GET /hooks/${token}/push-events`, 405, 'POST, PUT'],
    ['GET /v2/enqueue', 405, 'POST'],
    ['TRACE /nowhere', 404, undefined],
    ['PROPFIND /api/v1/nowhere', 404, undefined],
    [`DELETE /hooks/${token}`, 404, undefined],
    ['OPTIONS /api/v1/services/1/2', 404, undefined],
  ] as const) {
    const [method = '', path = ''] = line.split(' ');
    const answer = await send(method, path);
    assert.deepEqual([answer.status, answer.headers.allow], [status, allow], line);
  }
});
