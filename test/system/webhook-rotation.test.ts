// A webhook's secret changes over while calls go on: the receiver can verify each of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { anyDatabase } from '../database.ts';
import { startWebhookCalls } from '../webhook-calls.ts';
import { type Received, startWebhookServer } from '../webhook-server.ts';

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
  await using webhookServer = await startWebhookServer((_, response) =>
    response.writeHead(answers.shift() ?? 200).end(),
  );
  await using calls = await startWebhookCalls(await anyDatabase());
  const { api, key } = calls;
  const hook = await calls.webhook({ url: webhookServer.url });
  const path = `/outbound-webhooks/${hook}/secrets`;
  const incident = await calls.trigger('disk full');
  const old = (await api.send(key, `GET ${path}`)).body.data[0];
  await calls.call(incident, hook);
  await calls.send();
  const next = (await api.send(key, `POST ${path}`)).body;
  calls.at(1);
  await calls.call(incident, hook);
  await calls.send();
  await api.send(key, `DELETE ${path}/${old.id}`);
  calls.at(2);
  await calls.send();
  const verified = webhookServer.received.map((one) => [
    isOf(old.secret, one),
    isOf(next.secret, one),
  ]);
  assert.deepEqual(verified, [
    [true, false],
    [true, true],
    [false, true],
  ]);
  const [, first, retry] = webhookServer.received.map(({ headers }) => headers['webhook-id']);
  assert.equal(retry, first);
});
