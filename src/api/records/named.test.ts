// Records named by counter and people by e-mail, in the bodies of every route.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi } from '../../../test/records-api.ts';

test('a record is named by its counter, a person by the e-mail; stored is the id', async () => {
  await using at = await startRecordsApi();
  const { api, key, ada } = at;
  const send = (request: string, body: object) => api.send(key, request, { body });
  const [person] = await at.sql<{ email: string }[]>`select email from users where id = ${ada}`;
  const email = person?.email.toUpperCase();
  const steps = [{ targets: [{ via: 'email', user_id: email }] }];
  const policy = await send('POST /escalation-policies', { name: 'p', steps });
  assert.equal(policy.status, 201, JSON.stringify(policy.body));
  assert.equal(policy.body.steps[0].targets[0].user_id, ada);
  const service = await send('POST /services', { name: 's' });
  const named = { service_id: 1, escalation_policy_id: '1' };
  const made = await send('POST /integrations', { slug: 'webhook', name: 'i', ...named });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const ids = [made.body.service_id, made.body.escalation_policy_id];
  assert.deepEqual(ids, [service.body.id, policy.body.id]);
  const other = await at.make('services', { name: 'other' });
  const patched = await send('PATCH /integrations/1', { service_id: 2 });
  assert.equal(patched.body.service_id, other);
  const read = await api.send(key, 'GET /integrations/1');
  assert.equal(read.body.service_id, other);
  const rotation = { length: 1, unit: 'days', handoff: '09:00' };
  const layers = [{ users: [email, ada], rotation }];
  const schedule = await send('POST /on-calls', { name: 'n', timezone: 'UTC', layers });
  assert.deepEqual(schedule.body.layers?.[0].users, [ada, ada], JSON.stringify(schedule.body));
  const action = { type: 'escalationPolicy', escalation_policy_id: 1 };
  const groups = [{ conditions: [{ type: 'allIncidents' }] }];
  const rule = await send('POST /alert-rules', {
    name: 'r',
    condition_groups: groups,
    actions: [action],
  });
  assert.equal(
    rule.body.actions?.[0].escalation_policy_id,
    policy.body.id,
    JSON.stringify(rule.body),
  );
});

test('a team takes its people by their e-mail', async () => {
  await using at = await startRecordsApi();
  const [person] = await at.sql<{ email: string }[]>`select email from users where id = ${at.ada}`;
  const boss = at.world.caller({ role: 'admin' });
  const body = { name: 'new', user_ids: [person?.email] };
  const team = await at.api.send(boss, 'POST /teams', { body });
  assert.deepEqual(team.body.user_ids, [at.ada], JSON.stringify(team.body));
});

test('what names nothing is a mistake at its path, with all the others', async () => {
  await using at = await startRecordsApi();
  const elsewhere = await at.api.send(
    at.world.caller({ defaultTeamId: at.web }),
    'POST /services',
    {
      body: { name: 'of the other team' },
    },
  );
  const confined = at.world.caller({ defaultTeamId: at.ops, teamIds: [at.ops] });
  const wrong = { slug: 'webhook', name: 7, service_id: 1, escalation_policy_id: 99 };
  const refused = await at.api.send(confined, 'POST /integrations', { body: wrong });
  assert.equal(elsewhere.body.counter, 1);
  assert.equal(refused.status, 422);
  const issues = refused.body.issues.map((each: { path: string; message: string }) => [
    each.path,
    each.message,
  ]);
  assert.deepEqual(issues.sort(), [
    ['escalation_policy_id', 'is not the counter of any escalation policy'],
    ['name', 'must be text'],
    ['service_id', 'is not the counter of any service'],
  ]);
  const steps = [{ targets: [{ via: 'email', user_id: 'nobody@example.com' }] }];
  const nobody = await at.api.send(at.key, 'POST /escalation-policies', {
    body: { name: 'p', steps },
  });
  assert.deepEqual(nobody.body.issues, [
    {
      path: 'steps[0].targets[0].user_id',
      message: 'must be the id or the e-mail address of a user',
    },
  ]);
  const text = await at.api.send(at.key, 'PATCH /integrations/1', { body: { service_id: 'shop' } });
  assert.equal(text.status, 404, 'nothing is there to change');
});

test('a name that PostgreSQL refuses to look up is a mistake like others', async () => {
  await using at = await startRecordsApi();
  for (const user_id of ['a\0@b', '\ud800@b', 99_999_999_999, 1.5, -1, '1e3', '٣']) {
    const body = { name: 'p', steps: [{ targets: [{ via: 'email', user_id }] }] };
    const answer = await at.api.send(at.key, 'POST /escalation-policies', { body });
    const service = { slug: 'webhook', service_id: user_id, escalation_policy_id: user_id };
    const other = await at.api.send(at.key, 'POST /integrations', { body: service });
    assert.deepEqual([answer.status, other.status], [422, 422], String(user_id));
  }
});
