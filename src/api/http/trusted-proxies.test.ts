import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { type Proxies, trustOf } from './trusted-proxies.ts';

const client = '203.0.113.9';
const forged = '198.51.100.1';

const rows: { says: string; proxies: Proxies; from: string; forwarded?: string; is: string }[] = [
  {
    says: 'nobody is believed unless told',
    proxies: 0,
    from: client,
    forwarded: forged,
    is: client,
  },
  { says: 'a proxy is', proxies: ['10.0.0.0/8'], from: '10.0.0.1', forwarded: client, is: client },
  {
    says: 'a proxy tells of who came to it, not of what that one claims',
    ...{ proxies: ['10.0.0.0/8'], from: '10.0.0.1', forwarded: `${forged}, ${client}` },
    is: client,
  },
  {
    says: 'who comes around the proxies is not',
    ...{ proxies: ['10.0.0.0/8', '::1'], from: client, forwarded: forged, is: client },
  },
  {
    says: 'a chain of proxies is followed to its end',
    ...{ proxies: ['10.0.0.1', '10.0.0.2'], from: '10.0.0.1' },
    ...{ forwarded: `${forged}, ${client}, 10.0.0.2`, is: client },
  },
  {
    says: 'one hop is one',
    proxies: 1,
    from: '10.0.0.1',
    forwarded: `${forged}, ${client}`,
    is: client,
  },
  {
    says: 'two hops are two',
    ...{ proxies: 2, from: '10.0.0.1', forwarded: `${forged}, ${client}, 10.0.0.2`, is: client },
  },
  {
    says: 'a proxy that tells nothing is the sender',
    proxies: 1,
    from: '10.0.0.1',
    is: '10.0.0.1',
  },
];

for (const { says, proxies, from, forwarded, is } of rows)
  test(`the address of a request: ${says}`, async () => {
    await using app = Fastify({ trustProxy: trustOf(proxies) });
    app.get('/', async (request) => request.ip);
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const { body } = await app.inject({ url: '/', remoteAddress: from, headers });
    assert.equal(body, is);
  });
