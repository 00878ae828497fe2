import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, failed } from '../client/answer.ts';
import type { Client, Request } from '../client/client.ts';
import { giveUpTogether, readBeforeWriting } from './outage.ts';

const unreachable = failed({ type: 'unreachable', address: 'http://a', why: 'it sleeps' });
const lost = { ...unreachable, mayBeDone: true };
const well: Answer = { ok: true, status: 200, body: {} };
const request = { method: 'GET', path: '/services' } as const;

test('after one request was in vain no other is tried, for a while', async () => {
  let [sent, now] = [0, 0];
  let answer: Answer = lost;
  const client: Client = {
    address: 'http://a',
    async send() {
      sent += 1;
      return answer;
    },
    close() {},
  };
  const together = giveUpTogether(client, () => now);
  assert.deepEqual(await together.send(request), lost);
  // What is not sent is not lost.
  for (const _time of [1, 2]) assert.deepEqual(await together.send(request), unreachable);
  assert.equal(sent, 1);
  now = 30_000;
  answer = well;
  for (const _time of [1, 2]) assert.equal(await together.send(request), well);
  assert.equal(sent, 3);
});

test('nothing is written to what does not read as the API; what does is read once', async () => {
  const stranger = failed({ type: 'not_pager', address: 'http://a', why: 'it is a shop' });
  const sent: string[] = [];
  let list: Answer = { ok: true, status: 200, body: { welcome: 'to our shop' } };
  const client: Client = {
    address: 'http://a',
    async send({ method }: Request) {
      sent.push(method);
      return method === 'GET' ? list : well;
    },
    close() {},
  };
  const careful = readBeforeWriting(client);
  const write = { method: 'POST', path: '/services', body: {} } as const;
  const three = () => Promise.all([1, 2, 3].map(() => careful.send(write)));
  for (const answer of await three()) assert.equal(!answer.ok && answer.failure.type, 'not_pager');
  list = stranger;
  assert.deepEqual(await careful.send(write), stranger);
  assert.deepEqual(sent, ['GET', 'GET']);
  list = { ok: true, status: 200, body: { data: [], next_cursor: null } };
  await three();
  await three();
  assert.deepEqual(sent.slice(2), ['GET', ...Array(6).fill('POST')]);
});
