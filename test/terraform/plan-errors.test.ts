// What the real Terraform finds wrong before it makes anything.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { existingIn, type Resources, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

test('a plan finds wrong times, versions and types, also with a Node that has no Temporal', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const existing = await existingIn(at);
  const [user_id] = existing['user'] ?? [];
  const [service_id] = existing['service'] ?? [];
  const [escalation_policy_id] = existing['escalation_policy'] ?? [];
  const cover = { oncall_schedule_id: 'f'.repeat(24), user_id };
  const integration = { slug: 'prometheus', service_id, escalation_policy_id };
  const [nine, ten] = ['2034-01-31T09:00:00Z', '2034-01-31T10:00:00Z'];

  async function problemsOf(resource: Resources): Promise<readonly string[]> {
    await at.configure({ resource });
    const { code, errors } = await at.workspace.run('plan', '-input=false');
    assert.equal(code, 1, errors);
    const text = errors.replace(/[\s│╷╵]+/g, ' ');
    return text.split('Error: ').slice(1);
  }

  const offline = await problemsOf({
    pager_override: {
      untimely: { ...cover, start: '2034-01-31 nine', end: ten },
      backward: { ...cover, start: ten, end: nine },
      right: { ...cover, start: nine, end: ten },
    },
    pager_integration: {
      negative: { ...integration, token_version: -1 },
      right: { ...integration, token_version: 1 },
    },
  });
  const text = offline.join(' ');
  assert.equal(offline.length, 3, text);
  assert.match(text, /end must be after start\./);
  assert.match(text, /start must be an ISO 8601 time with its offset/);
  assert.match(text, /token_version must be at least 0\./);

  const [mistyped = '', ...others] = await problemsOf({
    pager_integration: { mistyped: { ...integration, slug: 'promethues' } },
  });
  assert.match(mistyped, /slug is not an integration type \(did you mean "prometheus"\?\)\./);
  assert.deepEqual(others, []);
});
