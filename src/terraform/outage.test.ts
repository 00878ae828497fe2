import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, failed } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { giveUpTogether } from './outage.ts';

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
