import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../client/answer.ts';
import type { Client, Tried } from '../client/client.ts';
import type { Log } from './protocol/log.ts';
import { type Every, logTry, logWaiting } from './request-log.ts';

function collected() {
  const lines: unknown[] = [];
  const log: Log = (level, message, fields) => lines.push([level, message, fields]);
  return { lines, log };
}

const tried: Tried = {
  method: 'GET',
  path: '/services',
  tries: 1,
  ms: 12.4,
  outcome: '200',
  requestId: 'r1',
  againInMs: null,
};

test('a try is told with its outcome, its time and the id of the request', () => {
  const { lines, log } = collected();
  logTry(log, tried);
  const fields = { method: 'GET', path: '/services', outcome: '200', try: '1', ms: '12' };
  assert.deepEqual(lines, [['debug', 'GET /services: 200', { ...fields, request_id: 'r1' }]]);
});

test('a try that is not the last is told with the wait before the next', () => {
  const { lines, log } = collected();
  logTry(log, { ...tried, tries: 2, outcome: '503 unavailable', requestId: '', againInMs: 250.5 });
  const fields = { method: 'GET', path: '/services', outcome: '503 unavailable', try: '2' };
  assert.deepEqual(lines, [
    [
      'warn',
      'GET /services: 503 unavailable; retrying',
      { ...fields, ms: '12', again_in_ms: '251' },
    ],
  ]);
});

test('a request that takes long is told every 30 seconds, until it is answered', async () => {
  const { lines, log } = collected();
  const calls: [number, () => void][] = [];
  let stopped = 0;
  const every: Every = (ms, call) => {
    calls.push([ms, call]);
    return () => {
      stopped += 1;
    };
  };
  const answer: Answer = { ok: true, status: 200, body: {} };
  const { promise: answered, resolve } = Promise.withResolvers<Answer>();
  const client: Client = { address: 'http://a', send: () => answered, close() {} };
  const sent = logWaiting(client, log, every).send({
    method: 'POST',
    path: '/services',
    body: { name: 'secret' },
    query: { email: 'ada@example.test' },
  });
  const [[ms, call] = [0, () => {}]] = calls;
  assert.deepEqual([ms, lines], [30_000, []]);
  call();
  call();
  const text = 'still waiting for POST /services';
  assert.deepEqual(lines, [
    ['warn', text, { seconds: '30' }],
    ['warn', text, { seconds: '60' }],
  ]);
  resolve(answer);
  assert.equal(await sent, answer);
  assert.equal(stopped, 1);
});
