import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type NameAnswer, startNameServer } from '../../test/name-server.ts';
import { startWebhookServer } from '../../test/webhook-server.ts';
import { silentLog } from '../engine/log.ts';
import { sampleNotice } from '../notices/kinds/incident.ts';
import { createChatWebhook } from './chat-webhook.ts';
import type { Requester } from './lookup-slots.ts';
import { createResolve, type NamesOptions } from './names.ts';
import { createOutbound } from './outbound.ts';

const never = new AbortController().signal;
const page: Requester = { organizationId: 'ours', kind: 'page' };

async function startNames(names: Readonly<Record<string, NameAnswer>>, more: NamesOptions = {}) {
  const server = await startNameServer(names);
  const resolve = createResolve({ servers: [server.address], ...more });
  return {
    server,
    resolve: (name: string, requester = page) => resolve(name, requester, never),
    resolveRaw: resolve,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const code = (wanted: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === wanted;

test('a name has the addresses of both families', async () => {
  const addresses = ['192.0.2.1', '2001:db8::1'];
  await using names = await startNames({ 'both.test': { addresses } });
  assert.deepEqual((await names.resolve('Both.test')).toSorted(), addresses);
  assert.deepEqual(names.server.questions.toSorted(), ['A both.test', 'AAAA both.test']);
});

test('one family is enough when nothing is heard of the other', async () => {
  await using names = await startNames({
    'half.test': { addresses: ['192.0.2.1'], isHalfSilent: true },
    'four.test': { addresses: ['192.0.2.2'] },
    'six.test': { addresses: ['2001:db8::2'] },
  });
  assert.deepEqual(await names.resolve('half.test'), ['192.0.2.1']);
  assert.deepEqual(await names.resolve('four.test'), ['192.0.2.2']);
  assert.deepEqual(await names.resolve('six.test'), ['2001:db8::2']);
});

test('an answer that does not fit is asked for by TCP', async () => {
  await using names = await startNames({
    'large.test': { addresses: ['192.0.2.1'], isLarge: true },
  });
  assert.deepEqual(await names.resolve('large.test'), ['192.0.2.1']);
});

test('names that do not exist, that fail and that are silent are told apart', async () => {
  await using names = await startNames({
    'failing.test': { failure: 'SERVFAIL' },
    'silent.test': { isSilent: true },
    'empty.test': {},
  });
  await assert.rejects(names.resolve('unknown.test'), code('ENOTFOUND'));
  await assert.rejects(names.resolve('empty.test'), code('ENODATA'));
  await assert.rejects(names.resolve('failing.test'), code('ESERVFAIL'));
  await assert.rejects(names.resolve('silent.test'), code('ETIMEOUT'));
});

test('those who ask for one name at once share a look-up, and for a moment what came of it', async () => {
  await using names = await startNames({ 'known.test': { addresses: ['192.0.2.1'] } });
  const questions = ['known.test', 'known.test', 'unknown.test', 'unknown.test'];
  await Promise.allSettled(questions.map((name) => names.resolve(name)));
  assert.equal(names.server.questions.length, 4);
  await names.resolve('known.test');
  await assert.rejects(names.resolve('unknown.test'), code('ENOTFOUND'));
  assert.equal(names.server.questions.length, 4);
});

test('the hosts file comes first, and localhost needs none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pager-names-'));
  try {
    const files = { hosts: join(folder, 'hosts'), resolver: join(folder, 'resolv.conf') };
    await writeFile(
      files.hosts,
      '# ours\n192.0.2.7 Hook hook.corp # here\n2001:db8::7\thook\nx y\n',
    );
    await writeFile(
      files.resolver,
      'domain old.test\nsearch a.test b.test\nnameserver 192.0.2.9\n',
    );
    await using names = await startNames(
      {
        'wiki.b.test': { addresses: ['192.0.2.1'] },
        'x.y': { addresses: ['192.0.2.2'] },
        'mail.k8s.a.test': { addresses: ['192.0.2.3'] },
      },
      { files },
    );
    assert.deepEqual(await names.resolve('hook'), ['192.0.2.7', '2001:db8::7']);
    assert.deepEqual(await names.resolve('HOOK.corp.'), ['192.0.2.7']);
    assert.deepEqual(await names.resolve('web.localhost'), ['127.0.0.1', '::1']);
    assert.deepEqual(names.server.questions, []);
    assert.deepEqual(await names.resolve('wiki'), ['192.0.2.1']);
    assert.deepEqual(await names.resolve('x.y'), ['192.0.2.2']);
    assert.deepEqual(await names.resolve('mail.k8s'), ['192.0.2.3']);
    await assert.rejects(names.resolve('wiki.'), code('ENOTFOUND'));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a page arrives although webhooks of others wait for silent names', async () => {
  const silent = Array.from({ length: 100 }, (_, index) => `silent-${index}.test`);
  const dead = silent.map((name) => [name, { isSilent: true }] as const);
  const slack = { addresses: ['127.0.0.1'] };
  await using names = await startNames({ ...Object.fromEntries(dead), 'slack.test': slack });
  await using webhookServer = await startWebhookServer((_, response) => response.end('ok'));
  const outbound = createOutbound({
    log: silentLog,
    allowNetworks: ['127.0.0.0/8'],
    resolve: names.resolveRaw,
  });
  const waiting = silent.map((name, index) => {
    const kind = index < 30 ? ('page' as const) : ('webhook' as const);
    const requester = { organizationId: `org-${kind === 'page' ? 0 : index % 20}`, kind };
    return outbound.request({ requester, method: 'GET', url: `http://${name}/` });
  });
  const notice = sampleNotice();
  const sent = await createChatWebhook('slack', outbound).send(
    notice,
    `http://slack.test:${webhookServer.port}/x`,
  );
  assert.equal(sent.outcome, 'delivered');
  for (const answer of await Promise.all(waiting)) assert.equal(answer.outcome, 'no_answer');
});
