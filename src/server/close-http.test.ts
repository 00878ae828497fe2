import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { closeHttpServer } from './close-http.ts';

test('connections that the kernel has taken are answered before the listener closes', async () => {
  const app = Fastify({ return503OnClosing: false });
  app.get('/', async () => 'served');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const [address] = app.addresses();
  const port = typeof address === 'object' ? address.port : assert.fail();
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'));
  const answers = sockets.map(async (socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const chunks = await socket.setEncoding('latin1').toArray();
    return chunks.join('').split('\r\n', 1)[0];
  });
  // All of them are connected, as the last one is, and Node has taken few.
  await once(sockets.at(-1) ?? assert.fail(), 'connect');
  await closeHttpServer(app);
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200 OK']));
});
