import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../../../test/system/eventually.ts';
import { silentLog } from '../../engine/log.ts';
import { limitConnections } from './connections.ts';
import type { Proxies } from './network.ts';

async function open(proxies: Proxies = 0) {
  await using stack = new AsyncDisposableStack();
  const server = createServer((_request, response) => response.end('ok'));
  const warnings = { refused: 0 };
  const refused = () => {
    warnings.refused += 1;
  };
  limitConnections(server, { log: silentLog, proxies, refused, max: 4 });
  stack.defer(async () => {
    server.close().closeAllConnections();
    await once(server, 'close');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const all = stack.move();
  return {
    warnings,
    /** Resolves with the connection once it was answered, or with null once it was closed. */
    async come(localAddress = '127.0.0.1'): Promise<Socket | null> {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
      all.defer(() => void socket.destroy());
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      const answered = once(socket, 'data').then(() => socket);
      return Promise.race([answered, once(socket, 'close').then(() => null)]);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('a network has no more connections than it leaves for the others', async () => {
  await using opened = await open();
  const { come, warnings } = opened;
  assert.ok(await come());
  assert.ok(await come());
  assert.equal(await come(), null);
  assert.equal(warnings.refused, 1);
  assert.ok(await come('127.0.0.2'));
});

test('a connection that ends makes room for another of its network', async () => {
  await using opened = await open();
  const { come } = opened;
  const first = await come();
  assert.ok(await come());
  assert.equal(await come(), null);
  first?.destroy();
  await eventually('its place is given back', () => come());
});

test('what comes through a proxy is of many networks', async () => {
  for (const proxies of [1, ['127.0.0.0/8'], ['127.0.0.1']]) {
    await using opened = await open(proxies);
    const { come } = opened;
    for (let count = 0; count < 4; count += 1) assert.ok(await come(), String(proxies));
    assert.equal(await come(), null, String(proxies));
  }
});
