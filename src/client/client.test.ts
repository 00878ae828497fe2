import assert from 'node:assert/strict';
import dns from 'node:dns';
import type { RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { startWebhookServer } from '../../test/webhook-server.ts';
import { failureText } from './answer.ts';
import type { Client, Request } from './client.ts';
import { createNodeClient, type NodeClientOptions } from './node.ts';

const apiKey = 'pgr_0123456789';
const read: Request = { method: 'GET', path: '/services' };
const make: Request = { method: 'POST', path: '/services', body: { name: 'a' } };

/** A server, and a client of it that does not wait but notes how long it would have. */
async function startServer(answer: RequestListener, options: Partial<NodeClientOptions> = {}) {
  const server = await startWebhookServer(answer);
  const waits: number[] = [];
  const client = clientOf(`${server.url}/api/v1`, {
    wait: async (ms) => {
      waits.push(ms);
    },
    ...options,
  });
  return {
    client,
    waits,
    received: server.received,
    url: server.url,
    async [Symbol.asyncDispose]() {
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const clientOf = (baseUrl: string, options: Partial<NodeClientOptions> = {}): Client =>
  createNodeClient({ baseUrl, apiKey, userAgent: 'test', random: () => 0, ...options });

/** Answers each request in turn; the last one for ever. */
function inTurn(...answers: readonly RequestListener[]): RequestListener {
  let next = 0;
  return (request, response) => {
    answers[Math.min(next, answers.length - 1)]?.(request, response);
    next += 1;
  };
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const fine = json(200, { id: '1' });
const refusal = (error: string, message = 'No.') => ({ error, message, issues: [] });
const breakingOff: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"id":', () => response.destroy());
};
const page =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>');
const silent: RequestListener = () => {};

async function failureOf(client: Client, request = read) {
  const answer = await client.send(request);
  assert.ok(!answer.ok);
  return answer.failure;
}

test('a request says who asks, in JSON, below the base URL', async () => {
  const managedBy = { tool: 'terraform', workspace: 'prod' } as const;
  await using at = await startServer(json(201, { id: '1' }), { managedBy });
  const query = { name: 'a&b' };
  const request = { ...make, query, version: 3, idempotencyKey: 'k', teamId: 't' };
  assert.deepEqual(await at.client.send(request), { ok: true, status: 201, body: { id: '1' } });
  const [sent] = at.received;
  assert.deepEqual([sent?.method, sent?.path], ['POST', '/api/v1/services?name=a%26b']);
  assert.equal(sent?.body, '{"name":"a"}');
  const { headers = {} } = sent ?? {};
  assert.deepEqual(
    ['x-api-key', 'user-agent', 'if-match', 'idempotency-key', 'x-team-id', 'x-managed-by'].map(
      (name) => headers[name],
    ),
    [apiKey, 'test', '3', 'k', 't', 'terraform/prod'],
  );
});

test('one connection serves request after request', async () => {
  const ports = new Set<number | undefined>();
  await using at = await startServer((request, response) => {
    ports.add(request.socket.remotePort);
    fine(request, response);
  });
  for (let count = 0; count < 5; count += 1) await at.client.send(read);
  assert.equal(ports.size, 1);
});

test('a thousand requests at once share at most 32 connections', async () => {
  const ports = new Set<number | undefined>();
  await using at = await startServer((request, response) => {
    ports.add(request.socket.remotePort);
    fine(request, response);
  });
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => at.client.send(read)));
  assert.ok(answers.every(({ ok }) => ok));
  assert.ok(ports.size <= 32, String(ports.size));
});

test('a refusal comes with its code, its issues and the number of the request', async () => {
  const issues = [{ path: 'steps[0]', message: 'is required' }];
  const body = { error: 'validation_failed', message: 'Mistakes.', issues, request_id: 'r1' };
  await using at = await startServer(json(422, body));
  const failure = await failureOf(at.client);
  assert.deepEqual(failure, {
    type: 'refused',
    status: 422,
    code: 'validation_failed',
    message: 'Mistakes.',
    issues,
    requestId: 'r1',
  });
  assert.equal(failureText(failure), 'Mistakes. (request r1)');
});

test('a route that is unknown is not a record that is missing', async () => {
  const unknown = {
    ...refusal('unknown_route', 'Unknown route: GET /services'),
    request_id: 'r1',
  };
  await using at = await startServer(inTurn(json(404, unknown), json(404, refusal('not_found'))));
  const failure = await failureOf(at.client);
  assert.equal(failure.type, 'unknown_route');
  assert.match(
    failureText(failure),
    /^Unknown route: GET \/services \(request r1\)\. The server at .* is too old to support this/,
  );
  const missing = await failureOf(at.client);
  assert.equal(missing.type === 'refused' && missing.code, 'not_found');
});

test('told to come later, it waits as long as that, five times at most', async () => {
  const busy = json(429, refusal('rate_limited'), { 'retry-after': '7' });
  await using at = await startServer(inTurn(busy, busy, fine));
  assert.equal((await at.client.send(read)).ok, true);
  assert.deepEqual(at.waits, [7_125, 7_250]);
  await using never = await startServer(
    json(429, refusal('rate_limited'), { 'retry-after': '86400' }),
  );
  const failure = await failureOf(never.client);
  assert.equal(failure.type === 'refused' && failure.status, 429);
  assert.equal(never.received.length, 5);
  assert.ok(Math.max(...never.waits) < 63_000);
});

for (const [name, trouble] of Object.entries({
  'no database': json(503, refusal('unavailable')),
  'a proxy with nothing behind it': json(502, {}),
  'a proxy that waited in vain': page(524),
  'a proxy that had no request in time': page(408),
  'a fault of the API': json(500, refusal('internal')),
  'an answer that breaks off': breakingOff,
  'a connection that breaks off': (_request: unknown, response: { destroy(): void }) =>
    response.destroy(),
  'a first try that is still at work': json(409, refusal('idempotency_running')),
})) {
  test(`${name} is tried again where that does nothing twice`, async () => {
    await using at = await startServer(inTurn(trouble as RequestListener, fine));
    for (const request of [
      read,
      { ...make, method: 'PATCH' } as const,
      { method: 'DELETE', path: '/services/1' } as const,
      { ...make, idempotencyKey: 'k' },
      { ...make, isRead: true },
    ]) {
      await using again = await startServer(inTurn(trouble as RequestListener, fine));
      assert.equal((await again.client.send(request)).ok, true, request.method);
      const [first, second] = again.received;
      assert.deepEqual(first, second);
      assert.deepEqual(again.waits, [125]);
    }
    assert.equal((await at.client.send(make)).ok, false);
    assert.equal(at.received.length, 1);
  });
}

const broken: RequestListener = (_request, response) => response.destroy();
const running = json(409, refusal('idempotency_running'));
const outcomes: readonly (readonly [string, RequestListener, boolean])[] = [
  ['lost each time', breakingOff, true],
  ['lost by a proxy', json(504, {}), true],
  ['lost, and an earlier try is at work still', running, true],
  ['lost, and then refused', inTurn(broken, json(401, refusal('unauthorized'))), true],
  ['failed on, perhaps in its commit', json(503, refusal('unavailable')), true],
  ...[524, 500, 403, 408, 200].map(
    (status) => [`answered by something else with ${status}`, page(status), true] as const,
  ),
  ['refused', json(422, refusal('validation_failed')), false],
  ['put off', json(503, refusal('restoring')), false],
];

for (const [name, answer, mayBeDone] of outcomes) {
  test(`a write that is ${name} ${mayBeDone ? 'may be done' : 'is not done'}`, async () => {
    await using at = await startServer(answer);
    const ended = await at.client.send({ ...make, idempotencyKey: 'k' });
    assert.equal(!ended.ok && (ended.mayBeDone ?? false), mayBeDone);
  });
}

test('a write that waits for its answer too long may be done; a read is never', async () => {
  await using at = await startServer(silent, { limits: { totalMs: 20 } });
  const write = await at.client.send(make);
  const reading = await at.client.send(read);
  assert.deepEqual(
    [write, reading].map((one) => !one.ok && one.mayBeDone),
    [true, undefined],
  );
});

test('a refusal is not tried again', async () => {
  for (const status of [400, 401, 403, 409, 422]) {
    await using at = await startServer(json(status, refusal('any')));
    await failureOf(at.client);
    assert.equal(at.received.length, 1, String(status));
  }
});

test('each wait is twice the one before, and half of it is luck', async () => {
  const trouble = json(503, refusal('unavailable'));
  await using unlucky = await startServer(trouble, { random: () => 1 });
  await failureOf(unlucky.client);
  assert.deepEqual(unlucky.waits, [250, 500, 1_000, 2_000]);
});

/** Time that passes only while the client waits. */
function waitingTime() {
  let ms = 0;
  const wait = async (more: number) => {
    ms += more;
  };
  return { now: () => ms, wait };
}

const forAMinute =
  (now: () => number): RequestListener =>
  (request, response) =>
    (now() < 60_000 ? page(502) : fine)(request, response);

test('a server that is away for a minute is waited for, whatever luck has the waits be', async () => {
  for (const random of [() => 0, () => 1]) {
    const time = waitingTime();
    const budget = { retriesMax: 20, totalMs: 120_000 };
    await using at = await startServer(forAMinute(time.now), { ...time, budget, random });
    for (const request of [read, { ...make, idempotencyKey: 'k' }])
      assert.equal((await at.client.send(request)).ok, true);
    assert.equal(new Set(at.received.map(({ headers }) => headers['idempotency-key'])).size, 2);
  }
});

test('no request is tried for longer than its budget, nor more often', async () => {
  const time = waitingTime();
  const byTime = { retriesMax: 1_000, totalMs: 60_000 };
  await using late = await startServer(page(502), { ...time, budget: byTime });
  await failureOf(late.client);
  assert.ok(time.now() > 50_000 && time.now() < 60_000, String(time.now()));
  const byNumber = { retriesMax: 2, totalMs: 60_000 };
  await using often = await startServer(page(502), { ...waitingTime(), budget: byNumber });
  await failureOf(often.client);
  assert.equal(often.received.length, 3);
  const short = { retriesMax: 20, totalMs: 20 };
  await using hung = await startServer(silent, { budget: short });
  assert.match(
    failureText(await failureOf(hung.client)),
    /no complete response within 0\.02 seconds/,
  );
  assert.equal(hung.received.length, 1);
});

test('where nobody listens is said without what may not be seen', async () => {
  const client = clientOf('http://ada:secret@127.0.0.1:1/api/v1/?token=t#f', {
    wait: async () => {},
  });
  const failure = await failureOf(client);
  assert.equal(
    failureText(failure),
    'Pager cannot be reached at http://127.0.0.1:1/api/v1: the connection was refused.',
  );
});

test('a name that is not found for a moment is looked up again, once the API has answered', async (context) => {
  await using at = await startServer(json(200, { id: '1' }, { connection: 'close' }));
  const { port } = new URL(at.url);
  const waits: number[] = [];
  const client = clientOf(`http://pager.test:${port}/api/v1`, {
    wait: async (ms) => void waits.push(ms),
  });
  const codes = ['EAI_AGAIN', '', 'ENOTFOUND', 'EAI_AGAIN', ''];
  // The resolver of the machine cannot be told what to answer.
  context.mock.method(dns, 'lookup', (_name: string, _options: unknown, resolved: Resolved) => {
    const code = codes.shift();
    if (code === '') resolved(null, [{ address: '127.0.0.1', family: 4 }]);
    else resolved(Object.assign(new Error('no'), { code: code ?? 'ENOTFOUND' }));
  });
  assert.equal((await client.send(read)).ok, true);
  assert.equal(waits.length, 1);
  assert.equal((await client.send(read)).ok, true);
  assert.equal(waits.length, 3);
  assert.match(failureText(await failureOf(client)), /its host name cannot be looked up now/);
  assert.equal(waits.length, 7);
  client.close();
});

type Resolved = (error: Error | null, addresses?: readonly object[]) => void;

test('a name that does not exist is not looked up again and again', async () => {
  let waits = 0;
  const client = clientOf('http://pager.invalid/api/v1', {
    wait: async () => {
      waits += 1;
    },
  });
  const failure = await failureOf(client);
  // Without a way to any name server the machine says so instead.
  const isOffline = failure.type === 'unreachable' && failure.why.includes('looked up');
  if (!isOffline) assert.equal(waits, 0, failureText(failure));
  client.close();
});

const strangers: readonly [string, RequestListener, RegExp][] = [
  [
    'the page of a proxy',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${apiKey}</h1>`);
    },
    /it answered 200 with text\/html\. Check the base URL\.$/,
  ],
  ['JSON of another service', json(404, { detail: 'x' }), /it answered 404 with application\/json/],
  ['nothing at all', (_request, response) => response.end(), /it answered 200 without a body/],
  ['a list instead of an object', json(200, []), /it answered 200 with application\/json/],
  [
    'a redirect',
    (_request, response) => {
      response.writeHead(302, { location: 'https://ada:pw@sso.example/login?ticket=t' }).end();
    },
    /it redirects \(302\) to https:\/\/sso\.example\/login\. Check/,
  ],
];

for (const [name, answer, message] of strangers) {
  test(`${name} is not taken for the API`, async () => {
    await using at = await startServer(answer);
    const failure = await failureOf(at.client);
    assert.equal(failure.type, 'not_pager');
    assert.match(failureText(failure), message);
  });
}

test('a proxy that does not hear from the API is no other API', async () => {
  await using at = await startServer(page(504));
  const failure = await failureOf(at.client);
  assert.equal(failure.type, 'unreachable');
  assert.match(failureText(failure), /: a proxy answered 504\.$/);
});

test('what does not speak HTTP is not taken for the API', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.end('SSH-2.0-OpenSSH\r\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const failure = await failureOf(clientOf(`http://127.0.0.1:${port}`));
  assert.match(failureText(failure), /it does not use HTTP/);
  server.close();
});

test('an answer without end is not read to its end', async () => {
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
  await using at = await startServer(endless, { limits: { answerBytes: 1_000_000 } });
  assert.match(failureText(await failureOf(at.client)), /its answer does not end/);
  assert.equal(at.received.length, 1);
});

test('no try lasts longer than its time, whether nothing comes or the answer stops midway', async () => {
  const midway: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  };
  for (const answer of [silent, midway]) {
    await using at = await startServer(answer, { limits: { totalMs: 50 } });
    const text = failureText(await failureOf(at.client));
    assert.match(text, /no complete response within 0\.05 seconds\.$/);
    assert.equal(at.waits.length, 4);
  }
});

test('stopped, reads end at once, and nothing is sent any more', async () => {
  const stop = new AbortController();
  let arrived = () => {};
  const someArrived = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  await using at = await startServer(arrived, { signal: stop.signal });
  const sent = Array.from({ length: 40 }, () => at.client.send(read));
  await someArrived;
  stop.abort();
  for (const answer of await Promise.all(sent))
    assert.deepEqual(answer, { ok: false, failure: { type: 'aborted' } });
  const before = at.received.length;
  assert.equal((await failureOf(at.client)).type, 'aborted');
  assert.equal(at.received.length, before);
});

test('closed while a record is made, it still knows of it, and makes no other', async () => {
  const closing: RequestListener = (request, response) => {
    at.client.close();
    setImmediate(() => json(201, { id: '1' })(request, response));
  };
  await using at = await startServer(closing);
  const all = await Promise.all(Array.from({ length: 40 }, () => at.client.send(make)));
  assert.equal(all.filter(({ ok }) => ok).length, at.received.length);
  assert.ok(at.received.length < 40);
});

test('closed while a record is refused, it tells why', async () => {
  const closing: RequestListener = (request, response) => {
    at.client.close();
    json(429, refusal('rate_limited'))(request, response);
  };
  await using at = await startServer(closing);
  const failure = await failureOf(at.client, { ...make, idempotencyKey: 'k' });
  assert.deepEqual([failure.type, at.received.length], ['refused', 1]);
});

test('stopped while it waits for the next try, it does not wait', async () => {
  const stop = new AbortController();
  const busy: RequestListener = (request, response) => {
    json(429, refusal('rate_limited'), { 'retry-after': '60' })(request, response);
    response.on('finish', () => setImmediate(() => stop.abort()));
  };
  await using server = await startWebhookServer(busy);
  const client = createNodeClient({
    baseUrl: server.url,
    apiKey,
    userAgent: 'test',
    signal: stop.signal,
  });
  assert.equal((await failureOf(client)).type, 'aborted');
});

test('the API key is in no message, whatever echoes it', async () => {
  const echo: RequestListener = (request, response) =>
    json(401, {
      error: 'unauthorized',
      message: `Who is ${request.headers['x-api-key']}?`,
      issues: [{ path: 'key', message: apiKey }],
      request_id: apiKey,
    })(request, response);
  await using at = await startServer(echo);
  assert.doesNotMatch(JSON.stringify(await failureOf(at.client)), new RegExp(apiKey));
  const broken = await failureOf(clientOf(at.url, { apiKey: `${apiKey}\n` }));
  assert.match(failureText(broken), /the API key contains characters that cannot be sent/);
  assert.doesNotMatch(JSON.stringify(broken), new RegExp(apiKey));
});
