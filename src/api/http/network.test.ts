import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { type Proxies, trustOf } from './network.ts';

const client = '203.0.113.9';
const forged = '198.51.100.1';

const rows: { title: string; proxies: Proxies; from: string; forwarded?: string; is: string }[] = [
  {
    title: 'no proxy is trusted unless configured',
    proxies: 0,
    from: client,
    forwarded: forged,
    is: client,
  },
  { title: 'a proxy is', proxies: ['10.0.0.0/8'], from: '10.0.0.1', forwarded: client, is: client },
  {
    title: 'a trusted proxy names its client; what the client claims is ignored',
    proxies: ['10.0.0.0/8'],
    from: '10.0.0.1',
    forwarded: `${forged}, ${client}`,
    is: client,
  },
  {
    title: 'who comes around the proxies is not',
    proxies: ['10.0.0.0/8', '::1'],
    from: client,
    forwarded: forged,
    is: client,
  },
  {
    title: 'a chain of proxies is followed to its end',
    proxies: ['10.0.0.1', '10.0.0.2'],
    from: '10.0.0.1',
    forwarded: `${forged}, ${client}, 10.0.0.2`,
    is: client,
  },
  {
    title: 'one hop is one',
    proxies: 1,
    from: '10.0.0.1',
    forwarded: `${forged}, ${client}`,
    is: client,
  },
  {
    title: 'two hops are two',
    proxies: 2,
    from: '10.0.0.1',
    forwarded: `${forged}, ${client}, 10.0.0.2`,
    is: client,
  },
  {
    title: 'a proxy that sends no header is the sender',
    proxies: 1,
    from: '10.0.0.1',
    is: '10.0.0.1',
  },
];

for (const { title, proxies, from, forwarded, is } of rows)
  test(`the address of a request: ${title}`, async () => {
    await using app = Fastify({ trustProxy: trustOf(proxies) });
    app.get('/', async (request) => request.ip);
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const { body } = await app.inject({ url: '/', remoteAddress: from, headers });
    assert.equal(body, is);
  });
