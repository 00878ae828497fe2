import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { createNodeClient } from '../../client/node.ts';
import { httpLimits } from '../../limits/http.ts';

const MEBIBYTE = 1024 * 1024;

async function setting() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  const { app, send } = stack.use(await testApi({ sql }));
  const world = await seedOrganization(sql);
  const viewer = world.caller({ role: 'viewer' });
  await send(viewer, 'GET /services');
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(base).port);
  return { base, port, viewer, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const headOf = (key: string, bytes: number) =>
  [
    'POST /api/v1/escalation-policies HTTP/1.1',
    ...['host: a', 'content-type: application/json', `x-api-key: ${key}`],
    `content-length: ${bytes}`,
  ].join('\r\n');

test('who reads no answer before all is sent hears why it was refused', async () => {
  await using at = await setting();
  const bytes = 12 * MEBIBYTE;
  for (const [key, status] of [
    ['nobody', 401],
    [at.viewer.id, 403],
  ] as const) {
    const socket = connect(at.port, '127.0.0.1').pause();
    socket.write(`${headOf(key, bytes)}\r\n\r\n`);
    await new Promise((resolve) => socket.write(Buffer.alloc(bytes, ' '), resolve));
    const reply = (await socket.resume().setEncoding('latin1').toArray()).join('');
    assert.match(reply, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(reply, /\r\nconnection: close\r\n/i);
    assert.match(reply, /"request_id":"[^"]+"\}$/);
  }
});

test('who sends on without end is cut off', async () => {
  await using at = await setting();
  const socket = connect(at.port, '127.0.0.1').on('error', () => {});
  const piece = Buffer.alloc(MEBIBYTE, ' ');
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && socket.write(piece)) sent += piece.length;
  };
  socket
    .resume()
    .on('drain', send)
    .write(`${headOf('nobody', 2 ** 40)}\r\n\r\n`, send);
  await once(socket, 'close');
  assert.ok(sent > 0 && sent < 1_000 * httpLimits.refusedBytes, String(sent));
});

test('clients of HTTP have the answer, and come again', async () => {
  await using at = await setting();
  const url = `${at.base}/api/v1/escalation-policies`;
  const headers = { 'content-type': 'application/json', 'x-api-key': at.viewer.id };
  const body = JSON.stringify({ name: ' '.repeat(12 * MEBIBYTE) });
  for (let time = 0; time < 3; time += 1) {
    const fetched = await fetch(url, { method: 'POST', headers, body });
    assert.deepEqual([fetched.status, fetched.headers.get('connection')], [403, 'close']);
    assert.match(await fetched.text(), /"error":"forbidden"/);
    const sent = request(url, { method: 'POST', headers }).on('error', () => {});
    sent.end(body);
    const [answer] = await once(sent, 'response');
    assert.equal(answer.statusCode, 403);
    answer.resume();
  }
  const baseUrl = `${at.base}/api/v1`;
  const client = createNodeClient({ baseUrl, apiKey: at.viewer.id, userAgent: 'test' });
  const path = '/escalation-policies';
  const refused = await client.send({ method: 'POST', path, body: JSON.parse(body) });
  client.close();
  assert.match(JSON.stringify(refused), /You need the role manager or above/);
});

test('a connection goes on where little is left of a refused body', async () => {
  await using at = await setting();
  const socket = connect(at.port, '127.0.0.1').setEncoding('latin1');
  for (const key of ['nobody', at.viewer.id]) {
    socket.write(`${headOf(key, 2)}\r\n\r\n{}`);
    const [reply] = await once(socket, 'data');
    assert.match(reply, /\r\nconnection: keep-alive\r\n/i);
  }
  socket.destroy();
});
