import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { startWebhookServer } from '../../test/webhook-server.ts';
import { silentLog } from '../engine/log.ts';
import { createOutbound, type OutboundOptions } from './outbound.ts';

const now = Temporal.Instant.from('2026-11-21T06:00:00Z');
const local = ['127.0.0.0/8'];
const requester = { organizationId: 'ours', kind: 'webhook' } as const;
const post = { requester, method: 'POST', body: '{"a":1}' } as const;

function outboundTo(change: Partial<OutboundOptions> = {}) {
  return createOutbound({
    log: silentLog,
    allowNetworks: local,
    clock: { now: () => now },
    ...change,
  });
}

test('a request arrives as it was given and a 2xx is a delivery', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end('thanks'));
  const headers = { 'content-type': 'application/json', 'x-team': 'payments' };
  const url = `${webhookServer.url}/hook?x=1`;
  const answer = await outboundTo().request({ ...post, url, headers });
  assert.deepEqual(answer, { outcome: 'delivered', status: 200, answer: 'thanks' });
  const [received] = webhookServer.received;
  assert.equal(received?.method, 'POST');
  assert.equal(received?.path, '/hook?x=1');
  assert.equal(received?.body, '{"a":1}');
  assert.equal(received?.headers['x-team'], 'payments');
  assert.equal(received?.headers['content-length'], '7');
});

test('the wait that a busy receiver asks for is handed on', async () => {
  await using webhookServer = await startWebhookServer((_, response) => {
    response.writeHead(429, { 'retry-after': '7' }).end('busy');
  });
  assert.deepEqual(await outboundTo().request({ ...post, url: webhookServer.url }), {
    outcome: 'no_answer',
    reason: 'answered 429',
    retryAfterSeconds: 7,
    status: 429,
    answer: 'busy',
  });
});

test('a redirect is not followed, wherever it leads', async () => {
  await using elsewhere = await startWebhookServer((_, response) => response.end());
  await using webhookServer = await startWebhookServer((_, response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
  });
  const answer = await outboundTo().request({ ...post, url: webhookServer.url });
  assert.equal(answer.outcome, 'failed');
  assert.match(JSON.stringify(answer), /answered 307: redirects are not followed/);
  assert.equal(elsewhere.received.length, 0);
});

test('a socket is opened only to addresses that may be called', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  const port = Number(new URL(webhookServer.url).port);
  const codeOf = (options: Partial<OutboundOptions>, host = 'mail.example') =>
    outboundTo(options)
      .connect({ requester, host, port })
      .then(
        (socket) => {
          const { remoteAddress } = socket;
          socket.destroy();
          return remoteAddress;
        },
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      );
  const resolve = async () => ['10.0.0.1', '127.0.0.1'];
  assert.equal(await codeOf({ resolve }), '127.0.0.1');
  assert.equal(await codeOf({ resolve, allowNetworks: [] }), 'EADDRESSREFUSED');
  assert.equal(await codeOf({ allowNetworks: [] }, '127.0.0.1'), 'EADDRESSREFUSED');
  const silent = { connectTimeoutMs: 30, resolve: () => new Promise<never>(() => {}) };
  assert.equal(await codeOf(silent), 'EDNS');
});

for (const spelling of ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '017700000001', '0']) {
  test(`the spelling ${spelling} of an own address is refused`, async () => {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    const url = `http://${spelling}:${webhookServer.port}/`;
    const answer = await outboundTo({ allowNetworks: [] }).request({ ...post, url });
    assert.equal(answer.outcome, 'failed');
    assert.match(JSON.stringify(answer), /refused to connect: (127|0)\.0\.0\.[01] is a/);
    assert.equal(webhookServer.received.length, 0);
  });
}

for (const host of ['[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', 'localhost']) {
  test(`${host} is refused`, async () => {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    const url = `http://${host}:${webhookServer.port}/`;
    const answer = await outboundTo({ allowNetworks: [] }).request({ ...post, url });
    assert.equal(answer.outcome, 'failed');
    assert.equal(webhookServer.received.length, 0);
  });
}

test('a name is looked up once and connected to at the address that was checked', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  const lookups: string[] = [];
  const outbound = outboundTo({
    resolve: async (name) => {
      lookups.push(name);
      // Rebinding: a second look would lead to where nothing listens.
      return lookups.length === 1 ? ['127.0.0.1'] : ['127.9.9.9'];
    },
  });
  const url = `http://hooks.example:${webhookServer.port}/`;
  assert.equal((await outbound.request({ ...post, url })).outcome, 'delivered');
  assert.deepEqual(lookups, ['hooks.example']);
  assert.equal(webhookServer.received[0]?.headers['host'], `hooks.example:${webhookServer.port}`);
});

test('a name with private addresses is refused, or reached by its public ones only', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  const url = `http://hooks.example:${webhookServer.port}/`;
  const toAll = (addresses: string[]) =>
    outboundTo({ resolve: async () => addresses }).request({ ...post, url });
  assert.deepEqual(await toAll(['10.0.0.1', '192.168.0.1']), {
    outcome: 'failed',
    reason: 'refused to connect: 10.0.0.1 is a private address',
  });
  assert.equal((await toAll(['10.0.0.1', '127.0.0.1'])).outcome, 'delivered');
  assert.deepEqual(await toAll([]), {
    outcome: 'failed',
    reason: 'refused to connect: hooks.example has no address',
  });
});

test('an address that does not answer gives way to the next of the same name', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  const url = `http://hooks.example:${webhookServer.port}/`;
  // Only 127.0.0.1 listens on this port.
  const outbound = outboundTo({ resolve: async () => ['127.0.0.2', '127.0.0.1'] });
  assert.equal((await outbound.request({ ...post, url })).outcome, 'delivered');
});

test('only http and https addresses are called', async () => {
  for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'gopher://x/', 'nonsense', '']) {
    assert.equal((await outboundTo().request({ ...post, url })).outcome, 'failed');
  }
});

test('a name that cannot be looked up is tried again', async () => {
  const resolve = async () => {
    throw Object.assign(new Error('secret'), { code: 'EAI_AGAIN' });
  };
  const answer = await outboundTo({ resolve }).request({ ...post, url: 'http://hooks.example/' });
  assert.deepEqual(answer, { outcome: 'no_answer', reason: 'the connection failed (EAI_AGAIN)' });
});

test('a lookup that never ends is given up with the time to connect', async () => {
  const outbound = outboundTo({ connectTimeoutMs: 30, resolve: () => new Promise(() => {}) });
  assert.deepEqual(await outbound.request({ ...post, url: 'http://hooks.example/' }), {
    outcome: 'no_answer',
    reason: 'timed out looking up hooks.example',
  });
});

test('nobody listening is tried again', async () => {
  const answer = await outboundTo().request({ ...post, url: 'http://127.0.0.1:1/' });
  assert.deepEqual(answer, {
    outcome: 'no_answer',
    reason: 'the connection failed (ECONNREFUSED)',
  });
});

test('a handshake that stalls runs out of the time to connect', async () => {
  await using server = createServer((socket) => socket.resume().on('error', () => {})).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const outbound = outboundTo({ connectTimeoutMs: 50 });
  assert.deepEqual(await outbound.request({ ...post, url: `https://127.0.0.1:${address.port}` }), {
    outcome: 'no_answer',
    reason: 'timed out connecting',
  });
});

test('no answer, or a drop now and then, ends with the time for all', async () => {
  await using silent = await startWebhookServer(() => {});
  await using dripping = await startWebhookServer((_, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket?.write('x-a: 1\r\n'), 10);
    socket?.once('close', () => clearInterval(drip));
  });
  for (const { url } of [silent, dripping]) {
    assert.deepEqual(await outboundTo({ totalTimeoutMs: 100 }).request({ ...post, url }), {
      outcome: 'no_answer',
      reason: 'timed out waiting for the answer',
    });
  }
});

test('a body that drips or breaks off does not change what the status said', async () => {
  await using dripping = await startWebhookServer((_, response) => {
    response.write('posted');
    const drip = setInterval(() => response.write('.'), 10);
    response.once('close', () => clearInterval(drip));
  });
  await using breaking = await startWebhookServer((_, response) => {
    response.writeHead(503, { 'content-length': 1000 });
    response.write('half', () => response.destroy());
  });
  const outbound = outboundTo({ totalTimeoutMs: 2_000 });
  const dripped = await outbound.request({ ...post, url: dripping.url });
  assert.equal(dripped.outcome, 'delivered');
  assert.match(dripped.answer ?? '', /^posted/);
  const broken = await outbound.request({ ...post, url: breaking.url });
  assert.deepEqual(broken, {
    outcome: 'no_answer',
    reason: 'answered 503',
    status: 503,
    answer: 'half',
  });
});

test('closing without an answer is tried again', async () => {
  await using webhookServer = await startWebhookServer((_, { socket }) => socket?.destroy());
  const answer = await outboundTo().request({ ...post, url: webhookServer.url });
  assert.deepEqual(answer, { outcome: 'no_answer', reason: 'the connection failed (ECONNRESET)' });
});

test('of a huge answer the first 2 KiB are kept and the rest is not read', async () => {
  let sentBytes = 0;
  const closed = Promise.withResolvers<void>();
  await using webhookServer = await startWebhookServer((_, response) => {
    response.once('close', closed.resolve);
    const chunk = Buffer.alloc(16 * 1024, 'é');
    const more = () => {
      while (!response.destroyed && sentBytes < 1e9) {
        sentBytes += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on('drain', more);
    more();
  });
  const { outcome, answer = '' } = await outboundTo().request({ ...post, url: webhookServer.url });
  await closed.promise;
  assert.equal(outcome, 'delivered');
  assert.equal(answer, 'é'.repeat(1024));
  assert.ok(sentBytes < 50e6, `${sentBytes} bytes were sent`);
});

test('of an answer as much is kept as its reader needs', async () => {
  await using webhookServer = await startWebhookServer((_, response) => {
    response.end('a'.repeat(20_000));
  });
  const request = { ...post, url: webhookServer.url };
  for (const answerBytes of [5_000, 16 * 1024]) {
    const { answer } = await outboundTo({ answerBytes }).request(request);
    assert.equal(answer?.length, answerBytes);
  }
});

test('an answer is kept without control characters and without half a character', async () => {
  await using webhookServer = await startWebhookServer((_, response) => {
    response.end(`\0\x1b[31mno\x07${'a'.repeat(2048 - 10)}漢漢`);
  });
  const { answer = '' } = await outboundTo().request({ ...post, url: webhookServer.url });
  assert.match(answer, /^\[31mnoa+$/);
});

test('a header arrives as it was given, with a body and without', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  const headers = { 'x-a': 'café' };
  for (const request of [post, { requester, method: 'GET' }] as const)
    await outboundTo().request({ ...request, url: webhookServer.url, headers });
  assert.deepEqual(
    webhookServer.received.map((each) => each.headers['x-a']),
    ['café', 'café'],
  );
});

test('a header that cannot be sent fails at once', async () => {
  const headers = { 'x-a': 'line\nbreak' };
  const answer = await outboundTo().request({ ...post, url: 'http://127.0.0.1/', headers });
  assert.deepEqual(answer, {
    outcome: 'failed',
    reason: 'the request cannot be sent (ERR_INVALID_CHAR)',
  });
});

test('a refusal is told to the operator without the path, which may be secret', async () => {
  const logged: string[] = [];
  const record = (fields: object, message: string) =>
    logged.push(JSON.stringify([fields, message]));
  const log = { info: record, warn: record, error: record };
  const outbound = outboundTo({ allowNetworks: [], log });
  await outbound.request({ ...post, url: 'http://127.0.0.1/secret-token' });
  assert.equal(logged.length, 1);
  assert.doesNotMatch(logged.join(), /secret/);
});
