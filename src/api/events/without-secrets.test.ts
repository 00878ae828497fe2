import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeOf } from '../../alerts/index.ts';
import { withoutSecrets } from './without-secrets.ts';

const key = 'R015DEADBEEF000000000000000000AA';

const storedOf = (body: string) => {
  const arrival = {
    integrationId: 'i',
    slug: 'pagerduty-events-v2',
    source: 'http',
    path: '/v2/enqueue',
    sent: { method: 'POST', query: '', headers: {} },
    contentType: 'application/json',
    body: Buffer.from(body),
  } as unknown as Parameters<typeof withoutSecrets>[0];
  return Buffer.from(withoutSecrets(arrival, typeOf('pagerduty-events-v2')).body).toString();
};

test('a secret is not stored of a body that cannot be read, or holds too much', () => {
  const event = `{"routing_key": "${key}", "event_action": "trigger"}`;
  const whole = JSON.stringify(JSON.stringify({ routing_key: key }));
  for (const body of [
    event,
    `${event.slice(0, -1)}, "payload": {`,
    `{"payload": {"summary": "a "quote"}, "Routing_Key":"${key}"`,
    `[${Array(5_001).fill(event).join(',')}]`,
    `[${Array(5_001).fill(whole).join(',')}]`,
  ]) {
    const stored = storedOf(body);
    assert.ok(!stored.includes(key), stored.slice(0, 200));
    assert.equal(stored.length, body.length);
  }
  const other = '{"my_routing_key_name": "routing_key", "note": "no routing_key: it is missing"';
  assert.equal(storedOf(other), other);
});
