import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escalationPolicy } from '../escalation-policy.ts';
import { mapSensitive, referencesIn } from './map-text.ts';
import { pathText } from './path.ts';

const user = '65f0a1b2c3d4e5f601234567';

test('references and secrets are found wherever they are nested', () => {
  const targets = [
    { via: 'email', user_id: user },
    { via: 'slack', webhook_url: 'https://secret.test' },
  ];
  const value = { steps: [{ targets }] };
  const [found, ...others] = referencesIn(escalationPolicy.input, value);
  assert.deepEqual(others, []);
  const { at = null, ...reference } = found ?? {};
  assert.deepEqual(reference, { to: 'user', within: 'organization', id: user });
  assert.equal(pathText(at), 'steps[0].targets[0].user_id');
  assert.match(
    JSON.stringify(mapSensitive(escalationPolicy.input, value, () => 'hidden')),
    /"webhook_url":"hidden"/,
  );
});
