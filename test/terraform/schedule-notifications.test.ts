// Who is notified of a schedule's shifts: the provider's calls, and the real Terraform.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { Unknown } from '../../src/terraform/protocol/value.ts';
import { errorsOf, warningsOf } from './core.ts';
import { startProvider } from './running-provider.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const type = 'pager_schedule_notifications';
const chat = (name: string, version = 1) => ({
  webhook_url_wo: `https://chat.test/${name}`,
  webhook_url_wo_version: version,
});

async function start() {
  const at = await startProvider();
  const layers = [{ users: [at.ada], rotation: { length: 1, unit: 'weeks' } }];
  const id = await at.make('on-calls', { name: 'Support', layers });
  const path = `/on-calls/${id}/notifications`;
  const stored = async () => {
    const answer = await at.client.send({ method: 'GET', path });
    assert.ok(answer.ok);
    const { oncall_schedule_id, ...settings } = answer.body;
    assert.equal(oncall_schedule_id, id);
    return settings;
  };
  return { ...at, id, path, stored };
}

test('what is wrong with them is an error at its path before anything is sent', async () => {
  await using at = await start();
  const of = (slack: readonly object[]) =>
    at.core.validate(type, { oncall_schedule_id: at.id, slack } as never);
  const one = { channel_id: 'C1' };
  for (const [slack, text] of [
    [[{}], /slack\[0\].channel_id requires exactly one of channel_id and webhook_url/],
    [[{ ...one, ...chat('a') }], /slack\[0\].webhook_url_wo requires exactly one/],
    [[one, one], /slack\[1\] is already in the list/],
    [[{ webhook_url_wo: 'https://chat.test' }], /slack\[0\].webhook_url_wo_version is required/],
    [[{ webhook_url: 'chat' }], /slack\[0\].webhook_url must be/],
  ] as const)
    assert.match(errorsOf(await of(slack)).join('\n'), text);
  assert.deepEqual(await of([{ channel_id: new Unknown() }]), []);
  assert.deepEqual(await of([one, chat('a')]), []);
});

test('settings that a creation replaces are named by its plan, and the same ones are not', async () => {
  await using at = await start();
  const config = { oncall_schedule_id: at.id, slack: [{ channel_id: 'C1' }] };
  const body = { slack: [{ channel_id: 'C2' }], msteams: [] };
  await at.client.send({ method: 'PUT', path: at.path, body });
  const warned = warningsOf((await at.core.plan(type, config)).diagnostics).join();
  assert.match(warned, /The on-call schedule already has these settings.*: slack, msteams\./);
  await at.core.make(type, config);
  assert.deepEqual(await at.stored(), { slack: config.slack });
  assert.deepEqual((await at.core.plan(type, config)).diagnostics, []);
});

test('a write-only address of a chat is sent, kept out of the state, and plans clean', async () => {
  await using at = await start();
  const config = { oncall_schedule_id: at.id, msteams: [{ channel_id: 'T1' }, chat('a')] };
  const state = await at.core.make(type, config);
  assert.deepEqual(await at.stored(), {
    msteams: [{ channel_id: 'T1' }, { webhook_url: 'https://chat.test/a' }],
  });
  const read = await at.core.read(type, state);
  assert.doesNotMatch(JSON.stringify([state.value, read.state.value]), /chat\.test/);
  assert.equal((await at.core.plan(type, config, read.state)).isChange, false);
  const other = { ...config, msteams: [{ channel_id: 'T1' }, chat('b', 2)] };
  await at.core.make(type, other, read.state);
  assert.match(JSON.stringify(await at.stored()), /chat\.test\/b/);
});

test('those of a schedule that was archived are gone, and ending them is no error', async () => {
  await using at = await start();
  const state = await at.core.make(type, { oncall_schedule_id: at.id, slack: [] });
  await at.client.send({ method: 'DELETE', path: `/on-calls/${at.id}` });
  const { state: read, diagnostics } = await at.core.read(type, state);
  assert.equal(read.value, null);
  assert.match(warningsOf(diagnostics).join(), /is archived/);
  assert.equal(fieldOf((await at.core.make(type, null, state)).value, 'id'), null);
});

test('Terraform writes, changes, imports and resets who is notified of a schedule’s shifts', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { api } = at.server;
  const configured = (fields: object, more: object = {}) =>
    at.configure({
      data: { pager_user: { owner: { email: 'owner@example.test' } } },
      resource: {
        pager_oncall_schedule: {
          shop: {
            name: 'Shop',
            layers: [
              {
                users: ['${data.pager_user.owner.id}'],
                rotation: { length: 1, unit: 'weeks' },
              },
            ],
          },
        },
        pager_outbound_webhook: { tickets: { name: 'Tickets', url: 'https://tickets.test/' } },
        ...(Object.keys(fields).length > 0 && {
          [type]: {
            shop: { oncall_schedule_id: '${pager_oncall_schedule.shop.id}', ...fields },
          },
        }),
      },
      ...more,
    });
  const first = {
    slack: [{ channel_id: 'C024BE91L', channel_name: '#shop', mention: '@here' }],
    msteams: [],
    outbound_webhook_ids: ['${pager_outbound_webhook.tickets.id}'],
  };
  await configured(first);
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  const address = `${type}.shop`;
  const { oncall_schedule_id: id } = (await at.state()).get(address) ?? {};
  const path = `/on-calls/${id}/notifications`;
  const stored = async () => (await api.send(`GET ${path}`)).body;
  const [webhook] = await api.list('outbound-webhooks');
  assert.deepEqual(await stored(), {
    oncall_schedule_id: id,
    ...first,
    outbound_webhook_ids: [webhook.id],
  });

  // By hand: seen and set back.
  await api.send(`PATCH ${path}`, { slack: null, msteams: [{ channel_id: '19:x@thread.tacv2' }] });
  const [change] = await at.changes();
  assert.deepEqual([change?.address, change?.actions], [address, 'update']);
  assert.deepEqual(change?.attributes, ['msteams', 'slack']);
  await at.apply('planned');
  assert.deepEqual([(await stored()).slack, (await stored()).msteams], [first.slack, []]);

  // What leaves the configuration is inherited again.
  await configured({ slack: [] });
  await at.apply();
  assert.deepEqual(await stored(), { oncall_schedule_id: id, slack: [] });
  await configured(first);
  await at.apply();

  const { counter } = (await api.list('on-calls'))[0];
  for (const key of [String(id), String(counter)]) {
    await at.succeeds('state', 'rm', address);
    await at.succeeds('import', address, key);
    assert.deepEqual(await at.changes(), []);
  }
  await at.fails(/Invalid import id.*no-schedule/, 'import', address, 'no-schedule');

  await configured({ slack: [{ channel_id: 'C1', webhook_url: 'https://chat.test' }] });
  await at.fails(/slack\[0\].*requires exactly one of channel_id and webhook_url/, 'validate');

  await configured({});
  await at.apply();
  assert.deepEqual(await stored(), { oncall_schedule_id: id });

  // As Terraform writes a configuration of what it imports.
  await api.send(`PUT ${path}`, { slack: first.slack, outbound_webhook_ids: [webhook.id] });
  await configured({}, { import: [{ to: address, id }] });
  await at.succeeds('plan', '-generate-config-out=generated.tf', '-input=false');
  await at.apply();
  assert.deepEqual(await at.changes(), []);
});
