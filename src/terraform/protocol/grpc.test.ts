import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { grpcServer, type Routes, routesOf } from './grpc.ts';
import { bytes, string } from './protobuf.ts';

const strange = 'it’s 100 % wrong:\n\tü 🚨';
const arrived = Promise.withResolvers<void>();
const routes: Routes = {
  '/test.Service/Echo': async (request) => request,
  '/test.Service/Fail': () => Promise.reject(Object.assign(new Error(), { stack: strange })),
  '/test.Service/Never': () => {
    arrived.resolve();
    return new Promise(() => undefined);
  },
  '/test.Service/Open': 'held open',
  ...routesOf(
    'test.Greeter',
    { Greet: { request: { name: string(1) }, response: { words: string(1), raw: bytes(2) } } },
    { Greet: ({ name }) => ({ words: `hello ${name}` }) },
  ),
};

const server = grpcServer(() => routes, null);
let address = '';
let client: Client;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The server listens on TCP, so its address is one of TCP.
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new Client(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
  });
});

after(() => {
  client.close();
  server.close();
});

const same = (message: Buffer) => message;

function call(path: string, message: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, same, same, message, (error, reply) =>
      error ? reject(error) : resolve(reply ?? Buffer.alloc(0)),
    );
  });
}

const errorOf = (path: string): Promise<ServiceError> =>
  call(path, Buffer.alloc(0)).then(
    () => assert.fail('it was answered'),
    (error) => error,
  );

test('messages of every size come back whole', async () => {
  for (const size of [0, 1, 16_379, 16_384, 65_536, 30_000_000]) {
    const message = Buffer.alloc(size, 'x');
    assert.ok(message.equals(await call('/test.Service/Echo', message)), `${size} bytes`);
  }
});

test('many calls at once get each its own answer', async () => {
  const messages = Array.from({ length: 200 }, (_, index) => Buffer.from(`message ${index}`));
  const replies = await Promise.all(messages.map((each) => call('/test.Service/Echo', each)));
  assert.deepEqual(replies, messages);
});

test('a handler reads and answers by its tables', async () => {
  const reply = await call('/test.Greeter/Greet', Buffer.from('\n\u0003ada'));
  assert.equal(reply.toString(), '\n\u0009hello ada');
});

test('an unknown method is unimplemented', async () => {
  for (const path of ['/test.Service/Other', '/toString', '/__proto__']) {
    const { code, details } = await errorOf(path);
    assert.deepEqual([code, details], [12, `there is no method ${path}`]);
  }
});

test('what a handler throws arrives as it was said', async () => {
  const { code, details } = await errorOf('/test.Service/Fail');
  assert.deepEqual([code, details], [13, strange]);
});

test('a stream is answered at once and stays open', async () => {
  const stream = client.makeBidiStreamRequest('/test.Service/Open', same, same);
  stream.on('error', () => undefined);
  let isOver = false;
  stream.on('status', () => {
    isOver = true;
  });
  await once(stream, 'metadata');
  stream.write(Buffer.from('anything'));
  await call('/test.Service/Echo', Buffer.from('meanwhile'));
  assert.equal(isOver, false);
  stream.cancel();
});

test('a call that its caller gives up harms no other', async () => {
  const request = client.makeUnaryRequest(
    '/test.Service/Never',
    same,
    same,
    Buffer.alloc(9),
    () => 0,
  );
  await arrived.promise;
  request.cancel();
  assert.equal(String(await call('/test.Service/Echo', Buffer.from('still here'))), 'still here');
});

test('a message may come in any pieces', async () => {
  const reply = await raw(Buffer.from('\0\0\0\0\u0005hello'), 1);
  assert.deepEqual(reply, { status: '0', body: '\0\0\0\0\u0005hello' });
});

test('a compressed, cut or doubled message is refused', async () => {
  for (const sent of ['\u0001\0\0\0\u0001a', '\0\0\0\0\u0005hell', '\0\0\0\0\0\0\0\0\0\0', '\0'])
    assert.equal((await raw(Buffer.from(sent), 100)).status, '13');
});

/** A call by hand, its body sent in pieces. */
async function raw(body: Buffer, pieceBytes: number) {
  const session = connect(`http://${address}`);
  const stream = session.request({ ':method': 'POST', ':path': '/test.Service/Echo' });
  let status: unknown;
  const note = (headers: Readonly<Record<string, unknown>>) => {
    status = headers['grpc-status'] ?? status;
  };
  stream.on('response', note).on('trailers', note);
  for (let at = 0; at < body.length; at += pieceBytes)
    await new Promise((done) => stream.write(body.subarray(at, at + pieceBytes), done));
  stream.end();
  const chunks = await stream.toArray();
  session.close();
  return { status, body: Buffer.concat(chunks).toString() };
}
