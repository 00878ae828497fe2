import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { refuseUnreadable } from './client-error.ts';
import { errorAnswer } from './error-answer.ts';

test('what is not HTTP is answered in the form of every refusal', async () => {
  await using server = createServer();
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, 'id-1'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('what is this\r\n\r\n');
  const heard = Buffer.concat(await socket.toArray()).toString();
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(head, /x-request-id: id-1/);
  assert.deepEqual(JSON.parse(body), {
    error: 'unreadable',
    message: 'The request is not valid HTTP.',
    issues: [],
    request_id: 'id-1',
  });
});

test('a caller that hangs up in the middle is no fault of ours', () => {
  const error = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });
  const { status, isOurs } = errorAnswer(error, 'id-2');
  assert.deepEqual({ status, isOurs }, { status: 400, isOurs: false });
  const lost = Object.assign(new Error('read'), { code: 'ECONNRESET' });
  assert.equal(errorAnswer(lost, 'id-3').status, 503);
});
