// What would happen, asked by a configuration: the data source, and policies that have tests.
import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fieldOf, isList } from '../../src/terraform/convert.ts';
import { Unknown, type Value } from '../../src/terraform/protocol/value.ts';
import { anyDatabase } from '../database.ts';
import { postJson } from '../system/api-client.ts';
import { inProcessKey, startInProcess } from '../system/in-process.ts';
import { Core, errorsOf } from './core.ts';
import { nodeFolders, noTerraform, Workspace } from './terraform.ts';

const type = 'pager_simulation';

const owner = {
  PAGER_BOOTSTRAP_EMAIL: 'owner@example.com',
  PAGER_SMTP_URL: 'smtp://127.0.0.1:9',
  PAGER_MAIL_FROM: 'pager@example.com',
};
const event = JSON.stringify({ title: 'Disk full' });

/** A server, an integration whose policy pages its owner by mail, and Terraform's side of the provider. */
async function start() {
  const stack = new AsyncDisposableStack();
  const { api, url } = stack.use(await startInProcess(await anyDatabase(), owner));
  const core = new Core();
  await core.configure({ api_key: inProcessKey, base_url: `${url}/api/v1` });
  const [{ id: user_id }] = await api.list('users');
  const steps = [{ targets: [{ via: 'email', user_id }] }];
  const policy = await api.create('escalation-policies', { name: 'Nights', steps });
  const service = await api.create('services', { name: 'Shop' });
  const { id: integration_id, webhook_url } = await api.create('integrations', {
    slug: 'webhook',
    name: 'Alerts',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  return {
    core,
    integration_id,
    webhook_url,
    user_id,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const listIn = (value: Value, name: string): readonly Value[] => {
  const list = fieldOf(value, name);
  return isList(list) ? list : [];
};

test('an event is simulated: whom it pages, when, and the story', async () => {
  await using at = await start();
  const { core, integration_id } = at;
  const instant = '2027-01-03T03:00:00Z';
  const config = { integration_id, event, at: instant };
  const { state, diagnostics } = await core.readData(type, config);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(
    ['at', 'paged'].map((name) => fieldOf(state.value, name)),
    [instant, true],
  );
  const [page, ...others] = listIn(state.value, 'pages');
  assert.deepEqual(
    ['user_id', 'channel', 'deliverable'].map((name) => fieldOf(page ?? null, name)),
    [at.user_id, 'email', true],
  );
  assert.deepEqual(others, []);
  const [incident] = listIn(state.value, 'incidents');
  assert.equal(fieldOf(incident ?? null, 'title'), 'Disk full');
  const types = listIn(state.value, 'story').map((entry) => fieldOf(entry, 'type'));
  assert.ok(types.includes('step_ran'), types.join());
});

test('an event that is no object, and what the server refuses, is an error', async () => {
  await using at = await start();
  const { core, integration_id } = at;
  for (const text of ['Disk full', '[]', 'null']) {
    const { diagnostics } = await core.readData(type, { integration_id, event: text });
    assert.match(errorsOf(diagnostics).join(), /event must be a JSON object/);
  }
  for (const [config, message] of [
    [{ integration_id: 'f'.repeat(24), event }, /The record was not found/],
    [{ integration_id, event, at: 'tomorrow' }, /\bat must be/],
  ] as const) {
    const { diagnostics } = await core.readData(type, config);
    assert.match(errorsOf(diagnostics).join(), message);
  }
});

test('a proposed grouping is replayed: incidents and pages before and after, and what was quiet', async () => {
  await using at = await start();
  const { core, integration_id, webhook_url } = at;
  for (const [title, severity] of [
    ['Disk full', 'warning'],
    ['Memory low', 'warning'],
    ['Load high', 'critical'],
  ])
    assert.equal((await postJson(webhook_url, { title, severity })).status, 202);
  const grouping = { by: ['service'], window: { after: 2, unit: 'hours' } };
  const { state, diagnostics } = await core.readData(type, { integration_id, grouping });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual([fieldOf(state.value, 'grouping'), fieldOf(state.value, 'days')], [grouping, 7]);
  assert.deepEqual(
    ['event', 'at', 'paged', 'pages', 'incidents'].map((name) => fieldOf(state.value, name)),
    [null, null, null, null, null],
  );
  const replay = fieldOf(state.value, 'replay');
  const counts = (name: string) =>
    ['saved', 'proposed'].map((side) => fieldOf(fieldOf(replay, name), side));
  assert.deepEqual(
    [counts('incidents'), counts('pages'), counts('alerts_joined')],
    [
      [3, 1],
      [3, 1],
      [0, 2],
    ],
  );
  assert.equal(fieldOf(replay, 'quiet_though_worse'), 0);
  const removed = listIn(fieldOf(fieldOf(replay, 'incidents'), 'removed'), 'examples');
  assert.deepEqual(
    removed.map((one) => [fieldOf(one, 'title'), fieldOf(one, 'proposed')]),
    [
      ['Memory low', null],
      ['Load high', null],
    ],
  );
});

test('what cannot be grouped so is an error at its path', async () => {
  await using at = await start();
  const { core, integration_id } = at;
  const by = ['title'];
  const unknown = new Unknown();
  for (const [config, summaries] of [
    [{}, ['Invalid event']],
    [{ event, grouping: { by } }, ['Invalid grouping']],
    [{ event, days: 3 }, ['Invalid days']],
    [{ grouping: { by }, at: '2027-01-03T03:00:00Z' }, ['Invalid at']],
    [{ grouping: { by: null } }, ['Invalid grouping.by']],
    [
      { grouping: { by: ['title', 'colour', null] } },
      ['Invalid grouping.by[1]', 'Invalid grouping.by[2]'],
    ],
    [{ grouping: { by: Array<string>(9).fill('title') } }, ['Invalid grouping.by']],
    [
      { grouping: { by, window: { after: 0, unit: 'weeks' } } },
      ['Invalid grouping.window.after', 'Invalid grouping.window.unit'],
    ],
    [
      { grouping: { by, window: { after: 169, unit: 'hours' } } },
      ['Invalid grouping.window.after'],
    ],
    [
      { grouping: { by: unknown, window: { after: 169, unit: 'hours' } } },
      ['Invalid grouping.window.after'],
    ],
    [{ grouping: { by }, days: 31 }, ['Invalid days']],
    [{ grouping: { by: ['title', 'group'] } }, ['Could not look up the simulation']],
  ] as const) {
    const { diagnostics } = await core.readData(type, { integration_id, ...config });
    assert.deepEqual(
      diagnostics.map(({ summary }) => summary),
      summaries,
      JSON.stringify(diagnostics),
    );
    for (const { attribute } of diagnostics) assert.ok(attribute, JSON.stringify(diagnostics));
  }
  const stranger = { integration_id: 'f'.repeat(24), grouping: { by } };
  const { diagnostics } = await core.readData(type, stranger);
  assert.match(
    errorsOf(diagnostics).join(),
    /integration_id does not match any active integration/,
  );
});

describe('the example of tested policies', { skip: noTerraform ?? false }, () => {
  const example = join(import.meta.dirname, '..', '..', 'examples', 'tested-policies');
  let stack: AsyncDisposableStack;
  let terraform: Workspace;
  before(async () => {
    stack = new AsyncDisposableStack();
    const server = stack.use(await startInProcess(await anyDatabase(), owner));
    terraform = stack.use(
      await Workspace.open(
        nodeFolders[0] ?? '',
        { PAGER_API_KEY: inProcessKey, PAGER_BASE_URL: `${server.url}/api/v1` },
        'attached',
      ),
    );
    await cp(example, terraform.folder, { recursive: true });
  });
  after(() => stack.disposeAsync());

  test('its tests pass', async () => {
    const { code, output, errors } = await terraform.run('test');
    assert.equal(code, 0, output + errors);
    assert.match(output, /Success! 2 passed, 0 failed/);
  });

  test('they fail when nobody is on call on Sunday at 03:00', async () => {
    const office = { from_day: 'monday', from_time: '08:00', to_day: 'friday', to_time: '18:00' };
    const restriction = JSON.stringify({ type: 'weekly', windows: [office] });
    const { code, errors } = await terraform.run(
      'test',
      '-filter=tests/paged.tftest.hcl',
      `-var=restriction=${restriction}`,
    );
    assert.equal(code, 1);
    assert.match(errors.replaceAll(/\s+/g, ' '), /Nobody would be paged on Sunday at 03:00/);
  });

  test('they fail at a grouping that the integration cannot have', async () => {
    const { code, errors } = await terraform.run(
      'test',
      '-filter=tests/paged.tftest.hcl',
      '-var=group_by=["group"]',
    );
    assert.equal(code, 1);
    const text = errors.replaceAll(/[\s│╷╵]+/g, ' ');
    assert.match(text, /grouping\.by\[0\] tools of type webhook send no groups/);
  });
});
