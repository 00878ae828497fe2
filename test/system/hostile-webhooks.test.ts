// Receivers of webhooks that do what they should not: none holds us, and the log tells what it was.
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { buildShiftIntent } from '../shift-intent.ts';
import { startWebhookCalls, type WebhookCalls } from '../webhook-calls.ts';
import { startWebhookServer } from '../webhook-server.ts';

const server = await anyDatabase();

/** What the log says of the only try. */
async function triedAt(calls: WebhookCalls, url: string) {
  const hook = await calls.webhook({ url });
  await calls.call(await calls.trigger('disk full'), hook);
  await calls.send();
  const [{ state, tries }] = await calls.deliveries(hook);
  const [{ outcome, reason, status, answer }] = tries;
  return { state, outcome, reason, status, answer };
}

type Row = {
  readonly title: string;
  readonly answers: RequestListener;
  readonly totalTimeoutMs?: number;
  readonly logged: Readonly<Record<string, unknown>>;
};
const ok = 'HTTP/1.1 200 OK\r\n';
const unanswered = { state: 'pending', outcome: 'retry', status: undefined, answer: undefined };
const rows: readonly Row[] = [
  {
    title: 'one that redirects is not followed, and has failed for good',
    answers: (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    logged: {
      state: 'failed',
      outcome: 'failed',
      status: 302,
      answer: '',
      reason: 'answered 302: redirects are not followed',
    },
  },
  {
    title: 'one that never answers is tried again',
    answers: () => {},
    totalTimeoutMs: 500,
    logged: { ...unanswered, reason: 'timed out waiting for the answer' },
  },
  {
    title: 'one that answers without end has answered',
    answers(_, response) {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
    logged: {
      state: 'sent',
      outcome: 'delivered',
      status: 200,
      answer: 'x'.repeat(2_048),
      reason: undefined,
    },
  },
  {
    title: 'one that promises more than it sends has answered by its status',
    answers(request, response) {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('short', () => request.socket.destroy());
    },
    logged: {
      state: 'sent',
      outcome: 'delivered',
      status: 200,
      answer: 'short',
      reason: undefined,
    },
  },
  {
    title: 'one that sends more than it promised has answered with what it promised',
    answers: (request) => request.socket.end(`${ok}content-length: 2\r\n\r\nok, and more`),
    logged: {
      state: 'sent',
      outcome: 'delivered',
      status: 200,
      answer: 'ok',
      reason: undefined,
    },
  },
  {
    title: 'one that states its length in two ways is tried again',
    answers: (request) =>
      request.socket.end(`${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\nok`),
    logged: { ...unanswered, reason: 'the connection failed (HPE_INVALID_TRANSFER_ENCODING)' },
  },
  {
    title: 'one whose headers never end is tried again',
    answers: (request) => request.socket.end(`${ok}${'x-more: 1\r\n'.repeat(20_000)}`),
    logged: { ...unanswered, reason: 'the connection failed (HPE_HEADER_OVERFLOW)' },
  },
  {
    title: 'one that changes to another protocol is tried again',
    answers: (request) =>
      request.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      ),
    logged: { ...unanswered, reason: 'the connection failed (ECONNRESET)' },
  },
  {
    title: 'one that hangs up is tried again',
    answers: (request) => request.socket.destroy(),
    logged: { ...unanswered, reason: 'the connection failed (ECONNRESET)' },
  },
  {
    title: 'one that answers what no database can hold is kept as far as it goes',
    answers: (_, response) => response.writeHead(500).end(Buffer.from('a\0b\xffc', 'latin1')),
    logged: {
      state: 'pending',
      outcome: 'retry',
      status: 500,
      answer: 'ab\ufffdc',
      reason: 'answered 500',
    },
  },
];
for (const { title, answers, logged, ...limits } of rows)
  test(title, async () => {
    await using webhookServer = await startWebhookServer(answers);
    await using calls = await startWebhookCalls(server, limits);
    assert.deepEqual(await triedAt(calls, webhookServer.url), logged);
  });

test('one that is no HTTP server is tried again', async () => {
  const sockets = new Set<Socket>();
  const other = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.end('SSH-2.0-OpenSSH\r\n');
  });
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  try {
    await using calls = await startWebhookCalls(server);
    const address = other.address();
    assert.ok(typeof address === 'object' && address);
    const { state, reason } = await triedAt(calls, `http://127.0.0.1:${address.port}/`);
    assert.equal(state, 'pending');
    assert.match(reason, /^the connection failed \(HPE_/);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => other.close(done));
  }
});

test('a name that leads to a private address at the second look is not called there', async () => {
  await using webhookServer = await startWebhookServer((_, response) =>
    response.writeHead(503).end(),
  );
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  await using calls = await startWebhookCalls(server, {
    allowNetworks: ['127.0.0.0/8'],
    resolve: async () => answers.shift() ?? [],
  });
  const hook = await calls.webhook({ url: `http://rebound.test:${webhookServer.port}/` });
  await calls.call(await calls.trigger('disk full'), hook);
  await calls.send();
  calls.at(1);
  await calls.send();
  assert.equal(webhookServer.received.length, 1);
  const [{ state, reason, tries }] = await calls.deliveries(hook);
  assert.deepEqual([state, tries[0].status, tries.length], ['failed', 503, 2]);
  assert.match(reason, /^refused to connect: /);
});

test('one that is slow holds up no other', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  await using slow = await startWebhookServer((_, response) => {
    promise.then(() => response.end());
  });
  await using quick = await startWebhookServer((_, response) => {
    response.end();
    finish();
  });
  await using calls = await startWebhookCalls(server);
  const [slowHook, quickHook] = [
    await calls.webhook({ url: slow.url }),
    await calls.webhook({ url: quick.url }),
  ];
  const incidents = [await calls.trigger('a'), await calls.trigger('b'), await calls.trigger('c')];
  for (const incident of incidents) await calls.call(incident, slowHook);
  await calls.call(await calls.trigger('d'), quickHook);
  await calls.send();
  assert.deepEqual([slow.received.length, quick.received.length], [3, 1]);
});

test('however many are slow, what people are told goes out at once', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  await using slow = await startWebhookServer((_, response) => {
    promise.then(() => response.end());
  });
  await using chat = await startWebhookServer((_, response) => {
    response.end('ok');
    finish();
  });
  await using calls = await startWebhookCalls(server, { inFlightMax: 8 });
  const hooks = [await calls.webhook({ url: slow.url }), await calls.webhook({ url: slow.url })];
  for (const title of ['a', 'b', 'c', 'd']) {
    const incident = await calls.trigger(title);
    for (const hook of hooks) await calls.call(incident, hook);
  }
  await calls.insertShiftNotice(
    buildShiftIntent('shift_end', { channel: 'slack', address: chat.url }),
  );
  await calls.send();
  assert.equal(chat.received.length, 1);
  for (const hook of hooks)
    for (const { tries } of await calls.deliveries(hook))
      assert.deepEqual([tries.length, tries[0].outcome], [1, 'delivered']);
});
