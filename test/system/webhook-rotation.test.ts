// A webhook's secret changes over while calls go on: the receiver can verify each of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Received, startReceiver } from '../../src/channels/receiver.ts';
import { anyDatabase } from '../database.ts';
import { givenWebhookCalls } from '../given-webhook-calls.ts';

function isOf(secret: string, { body, headers }: Received): boolean {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  try {
    new Webhook(secret).verify(body, Object.fromEntries(texts), { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

test('during a rotation both secrets sign, a retry by those of its time', async () => {
  const answers = [200, 503];
  await using receiver = await startReceiver((_, response) =>
    response.writeHead(answers.shift() ?? 200).end(),
  );
  await using calls = await givenWebhookCalls(await anyDatabase());
  const { api, key } = calls;
  const hook = await calls.webhook({ url: receiver.url });
  const path = `/outbound-webhooks/${hook}/secrets`;
  const incident = await calls.fires('disk full');
  const old = (await api.send(key, `GET ${path}`)).body.data[0];
  await calls.calls(incident, hook);
  await calls.sends();
  const next = (await api.send(key, `POST ${path}`)).body;
  calls.at(1);
  await calls.calls(incident, hook);
  await calls.sends();
  await api.send(key, `DELETE ${path}/${old.id}`);
  calls.at(2);
  await calls.sends();
  const verified = receiver.received.map((one) => [isOf(old.secret, one), isOf(next.secret, one)]);
  assert.deepEqual(verified, [
    [true, false],
    [true, true],
    [false, true],
  ]);
  const [, first, retry] = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.equal(retry, first);
});
