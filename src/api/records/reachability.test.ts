import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { connectNumbers } from '../../../test/people-world.ts';
import { seedOrganization } from '../../../test/world.ts';

/** A server with mail and Slack alone, that may call no private address. */
async function startApi() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  const refusalOf = (address: string) =>
    address.startsWith('127.') || address === '::1' ? `${address} is private` : undefined;
  const channels = new Set(['email', 'slack']);
  const capabilities = { channels, connected: new Set<string>(), refusalOf };
  const api = stack.use(await testApi({ sql, capabilities }));
  const world = await seedOrganization(sql, { teams: ['ops'], users: [{ name: 'ada' }] });
  const key = world.caller();
  return {
    sql,
    first: world,
    ada: world.users['ada'],
    async saved(request: string, body: object): Promise<string[]> {
      const answer = await api.send(key, request, { body });
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body.warnings ?? [];
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('a policy whose targets cannot be paged today is saved with a warning for each', async () => {
  await using at = await startApi();
  const targets = [
    { via: 'email', user_id: at.ada },
    { via: 'sms', user_id: at.ada },
    { via: 'slack', channel_id: 'C1' },
    { via: 'slack', webhook_url: 'https://localhost:9/x' },
    { via: 'slack', webhook_url: 'https://hooks.slack.com/x' },
  ];
  const warnings = await at.saved('POST /escalation-policies', { name: 'p', steps: [{ targets }] });
  assert.deepEqual(warnings, [
    'steps[0].targets[1].via sms pages nobody because it is not set up on this server.',
    'steps[0].targets[2].channel_id pages nobody because no connection for slack is set up. Use webhook_url instead.',
    'steps[0].targets[3].webhook_url is not called: 127.0.0.1 is private, and its network is not in PAGER_ALLOW_NETWORKS.',
  ]);
  const fine = [{ targets: [{ via: 'email', user_id: at.ada }] }];
  assert.deepEqual(await at.saved('PATCH /escalation-policies/1', { steps: fine }), []);
});

test('a policy that pages somebody by a channel without a contact is saved with a warning', async () => {
  await using at = await startApi();
  await connectNumbers(at);
  const page = (via: string) => ({
    targets: [{ via, user_id: at.ada }],
    escalate_after_minutes: 5,
  });
  const steps = ['email', 'phone', 'phone', 'sms'].map(page);
  const without = (step: number, via: string) =>
    `steps[${step}].targets[0] pages nobody today: ada Example has no verified ${via} contact.`;
  const warningsOf = async () =>
    (await at.saved('POST /escalation-policies', { name: 'p', steps })).filter(
      (text) => !text.includes('not set up'),
    );
  assert.deepEqual(await warningsOf(), [without(1, 'phone'), without(3, 'sms')]);
  await at.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, id, id, 'phone', '+4930123456', now(), now() from users
    where id = ${at.ada ?? ''}`;
  assert.deepEqual(await warningsOf(), [without(3, 'sms')]);
  await at.sql`update contacts set address = '+33123456789' where channel = 'phone'`;
  assert.deepEqual(await warningsOf(), [
    'steps[1].targets[0] pages nobody today: no phone contact of ada Example can be used. The number begins with no prefix that an admin has allowed.',
    without(3, 'sms'),
  ]);
  await at.sql`
    update contacts set verified_at = null, state = 'invalid', state_at = '2026-11-27T12:00Z'`;
  assert.deepEqual(await warningsOf(), [
    without(1, 'phone').replace(
      /\.$/,
      ': its vendor reports that the number does not exist (since 2026-11-27T12:00:00Z).',
    ),
    without(3, 'sms'),
  ]);
});

test('a webhook that cannot be called, or carries nothing, is saved with a warning', async () => {
  await using at = await startApi();
  const empty = 'sends no incident: only POST does.';
  const refused = (address: string) =>
    `url is not called: ${address} is private, and its network is not in PAGER_ALLOW_NETWORKS.`;
  const cases = [
    [{ url: 'https://example.com/', method: 'POST' }, []],
    [{ url: 'https://example.com/' }, [`method GET ${empty}`]],
    [{ url: 'https://example.com/', method: 'PUT' }, [`method PUT ${empty}`]],
    [{ url: 'http://127.1:8080/', method: 'POST' }, [refused('127.0.0.1')]],
    [{ url: 'http://[::1]/', method: 'POST' }, [refused('::1')]],
  ] as const;
  for (const [webhook, warnings] of cases)
    assert.deepEqual(
      await at.saved('POST /outbound-webhooks', { name: 'w', ...webhook }),
      warnings,
    );
});

test('a playbook that pages by a channel that is not set up is saved with a warning', async () => {
  await using at = await startApi();
  const page = (via: string) => ({ type: 'pagePerson', user_id: at.ada, via });
  const body = { name: 'b', actions: [page('email'), page('phone')] };
  assert.deepEqual(await at.saved('POST /playbooks', body), [
    'actions[1].via phone pages nobody because it is not set up on this server.',
  ]);
});
