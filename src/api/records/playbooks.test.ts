import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi as setting } from '../../../test/records-api.ts';

const run = (playbook_id: string) => ({ type: 'playbook', playbook_id });
const note = { type: 'note', text: 'seen' };

test('managers make playbooks, and responders only read them', async () => {
  await using at = await setting();
  const { api, world, ops } = at;
  const responder = world.caller({ role: 'responder', defaultTeamId: ops });
  const body = { name: 'b', actions: [note], run_automatically: [] };
  const id = await at.make('playbooks', body);
  const read = await api.send(responder, `GET /playbooks/${id}`);
  const { counter, enabled, actions, run_automatically } = read.body;
  assert.deepEqual([counter, enabled, actions, run_automatically], [1, true, [note], []]);
  assert.equal((await api.send(responder, 'POST /playbooks', { body })).status, 403);
  assert.equal((await api.send(responder, `PUT /playbooks/${id}`, { body })).status, 403);
});

test('a playbook is archived, and restored by an admin who is signed in', async () => {
  await using at = await setting();
  const { api, key, world } = at;
  const id = await at.playbook(note);
  await api.send(key, `DELETE /playbooks/${id}`);
  const restore = `POST /playbooks/${id}/restore`;
  const refused = await api.send(world.caller({ role: 'admin' }), restore);
  assert.equal(refused.body.error, 'restore_is_dashboard_only');
  const restored = await api.send(world.caller({ role: 'admin', kind: 'session' }), restore);
  assert.deepEqual([restored.status, 'archived_at' in restored.body], [200, false]);
});

test('what a playbook does and points to is checked at its path', async () => {
  await using at = await setting();
  const { api, key, ada, bob, web } = at;
  const elsewhere = await at.make('services', { name: 's', team_id: web });
  const theirs = await at.make('playbooks', { name: 'b', actions: [note], team_id: web });
  const body = {
    name: 'b',
    condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
    actions: [
      { type: 'ignoreIncident' },
      { type: 'pagePerson', user_id: bob, via: 'email' },
      { type: 'pagePerson', user_id: ada, via: 'slack' },
      { type: 'resolveTimer', after: 200, unit: 'hours' },
      { type: 'integration', integration_id: elsewhere },
      { type: 'addLink', href: 'javascript:alert(1)' },
      run(theirs),
    ],
  };
  const refused = await api.send(key, 'POST /playbooks', { body });
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.body.issues.map(({ path }: { path: string }) => path).sort(), [
    'actions[0].type',
    'actions[1].user_id',
    'actions[2].via',
    'actions[3].after',
    'actions[4].integration_id',
    'actions[5].href',
    'actions[6].playbook_id',
    'condition_groups',
  ]);
});

test('a rule may run a playbook of its team, and archiving that one warns', async () => {
  await using at = await setting();
  const { api, key } = at;
  const playbook = await at.playbook(note);
  const rule = await at.rule(run(playbook));
  const outer = await at.playbook(run(playbook));
  const { body } = await api.send(key, `DELETE /playbooks/${playbook}`);
  assert.equal(body.warnings.length, 2);
  for (const id of [rule, outer])
    assert.equal(
      body.warnings.some((each: string) => each.includes(id)),
      true,
    );
});

test('a webhook that a playbook calls is archived with a warning', async () => {
  await using at = await setting();
  const { api, key } = at;
  const webhook = await at.make('outbound-webhooks', { name: 'w', url: 'https://w.test' });
  const playbook = await at.playbook({ type: 'outboundWebhook', outbound_webhook_id: webhook });
  const { body } = await api.send(key, `DELETE /outbound-webhooks/${webhook}`);
  assert.equal(body.warnings[0]?.includes(playbook), true);
});

test('a playbook that would come to run itself is refused where that begins', async () => {
  await using at = await setting();
  const { api, key } = at;
  const inner = await at.playbook(note);
  const middle = await at.playbook(note, run(inner));
  const outer = await at.playbook(run(middle));
  for (const named of [inner, middle, outer]) {
    const actions = [note, run(named)];
    const { status, body } = await api.send(key, `PATCH /playbooks/${inner}`, {
      body: { actions },
    });
    assert.equal(status, 422);
    assert.deepEqual(body.issues, [
      { path: 'actions[1].playbook_id', message: 'would make this playbook run itself' },
    ]);
  }
});

test('a loop by way of an archived playbook is refused too, for that one can come back', async () => {
  await using at = await setting();
  const { api, key } = at;
  const inner = await at.playbook(note);
  const middle = await at.playbook(run(inner));
  const outer = await at.playbook(run(middle));
  await api.send(key, `DELETE /playbooks/${middle}`);
  const body = { actions: [run(outer)] };
  assert.equal((await api.send(key, `PATCH /playbooks/${inner}`, { body })).status, 422);
});

test('of writes that would close a loop together, one is refused', async () => {
  await using at = await setting();
  const { api, key } = at;
  const ids = [await at.playbook(note), await at.playbook(note), await at.playbook(note)];
  const answers = await Promise.all(
    ids.map((id, index) =>
      api.send(key, `PATCH /playbooks/${id}`, {
        body: { actions: [run(ids[(index + 1) % ids.length] ?? '')] },
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 422]);
});
