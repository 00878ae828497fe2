import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escalationPolicy } from '../escalation-policy.ts';
import { mapSensitive, referencesIn } from './references-and-secrets.ts';

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
