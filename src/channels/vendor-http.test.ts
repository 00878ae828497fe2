import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { startWebhookServer } from '../../test/webhook-server.ts';
import { sendingLimits } from '../limits/sending.ts';
import { createVendorHttp, type VendorAnswer } from './vendor-http.ts';

const http = createVendorHttp();

test('an answer is its status and its whole body', async () => {
  const body = 'ä'.repeat(100_000);
  await using server = await startWebhookServer((_, response) => {
    response.statusCode = 404;
    response.end(body);
  });
  const answer = await http.request({
    url: `${server.url}/x?y=1`,
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '🔥',
  });
  assert.deepEqual(answer, { answered: true, status: 404, body });
  const [received] = server.received;
  assert.equal(received?.path, '/x?y=1');
  assert.equal(received?.body, '🔥');
  assert.equal(received?.headers['content-length'], '4');
});

test('a redirect is an answer', async () => {
  await using server = await startWebhookServer((_, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const answer = await http.request({ url: server.url, method: 'GET' });
  assert.deepEqual(answer, { answered: true, status: 302, body: '' });
  assert.equal(server.received.length, 1);
});

const short = createVendorHttp({ totalTimeoutMs: 500 });
const troubles: readonly {
  readonly what: string;
  readonly answer: RequestListener;
  readonly reason: string;
}[] = [
  { what: 'no answer in time', answer: () => {}, reason: 'timed out waiting for the answer' },
  {
    what: 'an answer that does not end in time',
    answer: (_, response) => response.write('{'),
    reason: 'timed out waiting for the answer',
  },
  {
    what: 'an answer that is longer than the limit',
    answer: (_, response) => response.end('x'.repeat(sendingLimits.vendorAnswerRead + 1)),
    reason: 'the answer is too long',
  },
  {
    what: 'a connection that is reset',
    answer: (_, response) => response.socket?.resetAndDestroy(),
    reason: 'the connection failed (ECONNRESET)',
  },
  {
    what: 'an answer that breaks off',
    answer: (_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('{', () => response.socket?.destroy());
    },
    reason: 'the connection failed (ECONNRESET)',
  },
];
for (const { what, answer, reason } of troubles) {
  test(`after ${what} the request may have been executed`, async () => {
    await using server = await startWebhookServer(answer);
    const { request } = what.includes('in time') ? short : http;
    assert.deepEqual(await request({ url: server.url, method: 'POST' }), {
      answered: false,
      reason,
      maybeExecuted: true,
    });
  });
}

test('what could not connect was not executed', async () => {
  const server = await startWebhookServer(() => {});
  await server[Symbol.asyncDispose]();
  const expected: VendorAnswer = {
    answered: false,
    reason: 'the connection failed (ECONNREFUSED)',
    maybeExecuted: false,
  };
  assert.deepEqual(await http.request({ url: server.url, method: 'GET' }), expected);
});

test('an address that is none is a failure that does not repeat it', async () => {
  assert.deepEqual(await http.request({ url: 'http://[secret', method: 'GET' }), {
    answered: false,
    reason: 'the connection failed (ERR_INVALID_URL)',
    maybeExecuted: false,
  });
});

test('a vendor that was requested to wait has that time besides', async () => {
  const open: (() => void)[] = [];
  await using server = await startWebhookServer((_, response) => {
    open.push(() => response.end('late'));
  });
  const patient = short.request({ url: server.url, method: 'GET', waitMs: 60_000 });
  const other = await short.request({ url: server.url, method: 'GET' });
  assert.equal(other.answered, false);
  for (const answer of open) answer();
  assert.deepEqual(await patient, { answered: true, status: 200, body: 'late' });
});

test('a request that is aborted is a failure', async () => {
  const controller = new AbortController();
  await using server = await startWebhookServer(() => controller.abort());
  const { signal } = controller;
  assert.deepEqual(await http.request({ url: server.url, method: 'GET', signal }), {
    answered: false,
    reason: 'the connection failed (ABORT_ERR)',
    maybeExecuted: true,
  });
});
