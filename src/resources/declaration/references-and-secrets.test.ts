import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escalationPolicy } from '../escalation-policy.ts';
import { outboundWebhook } from '../outbound-webhook.ts';
import { MASK, mapSensitive, mapText, masked, referencesIn } from './references-and-secrets.ts';

const user = '65f0a1b2c3d4e5f601234567';

test('references and secrets are found wherever they are nested', () => {
  const targets = [
    { via: 'email', user_id: user },
    { via: 'slack', webhook_url: 'https://secret.test' },
  ];
  const value = { steps: [{ targets }] };
  const [reference, ...others] = referencesIn(escalationPolicy.input, value);
  assert.deepEqual(others, []);
  const path = 'steps[0].targets[0].user_id';
  assert.deepEqual(reference, { to: 'user', within: 'organization', id: user, path });
  assert.match(
    JSON.stringify(mapSensitive(escalationPolicy.input, value, () => 'hidden')),
    /"webhook_url":"hidden"/,
  );
});

test('values of headers are masked for readers, and stored plain', () => {
  const { input } = outboundWebhook;
  const value = { name: 'Hook', url: 'https://secret.test', headers: { 'X-Key': 'k', 'X-A': '' } };
  assert.deepEqual(masked(input, value), {
    name: 'Hook',
    url: MASK,
    headers: { 'X-Key': MASK, 'X-A': MASK },
  });
  const sealed = mapSensitive(input, value, () => 'sealed');
  assert.deepEqual(sealed, { ...value, url: 'sealed' });
  const paths: string[] = [];
  mapText(input, value, ({ value, path }) => {
    paths.push(path);
    return value;
  });
  assert.deepEqual(paths, ['name', 'url', 'headers["X-Key"]', 'headers["X-A"]']);
});
