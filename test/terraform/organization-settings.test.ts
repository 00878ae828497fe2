// The organization's settings: the provider's calls, and the real Terraform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { errorsOf, warningsOf } from './core.ts';
import { startProvider } from './running-provider.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const type = 'pager_organization';
const address = `${type}.this`;

async function start() {
  const at = await startProvider();
  const admin = at.world.caller({ role: 'admin' });
  assert.deepEqual(await at.core.configure({ ...at.settings, api_key: admin.id }), []);
  const stored = async () => (await at.api.send(admin, 'GET /organization')).body;
  // A caller is known once it has called.
  await stored();
  const write = (body: object) => at.api.send(admin, 'PATCH /organization', { body });
  return { ...at, stored, write };
}

test('what is wrong with it is an error at its path before anything is sent', async () => {
  await using at = await start();
  for (const [config, text] of [
    [{ name: '' }, /name must/],
    [{ monthly_alert_limit: -1 }, /monthly_alert_limit must/],
    [{ retention: { audit_log_days: 1 } }, /retention.audit_log_days must/],
    [{ shift_notifications: { discord: [{}] } }, /shift_notifications.discord\[0\].channel_id req/],
  ] as const)
    assert.match(errorsOf(await at.core.validate(type, config as never)).join(), text);
  assert.deepEqual(await at.core.validate(type, {}), []);
});

test('its creation changes what is configured alone, and its plan names what is replaced', async () => {
  await using at = await start();
  await at.write({ monthly_alert_limit: 500, retention: { events_days: 90 } });
  const config = { monthly_alert_limit: 900, timezone: 'Europe/Berlin' };
  const planned = await at.core.plan(type, config);
  assert.match(warningsOf(planned.diagnostics).join(), /replaced: timezone, monthly_alert_limit\./);
  const state = await at.core.make(type, config);
  const { monthly_alert_limit, timezone, retention, name } = await at.stored();
  assert.deepEqual(
    [monthly_alert_limit, timezone, retention],
    [900, config.timezone, { events_days: 90 }],
  );
  const read = await at.core.read(type, state);
  assert.equal((await at.core.plan(type, config, read.state)).isChange, false);

  // What was never configured stays; what left the configuration has its default.
  await at.core.make(type, { timezone: 'Europe/Berlin' }, read.state);
  const later = await at.stored();
  assert.deepEqual(
    [later['monthly_alert_limit'], later['timezone'], later['retention'], later['name']],
    [undefined, 'Europe/Berlin', { events_days: 90 }, name],
  );
});

test('its end returns what was configured to the defaults, and nothing else', async () => {
  await using at = await start();
  await at.write({ retention: { events_days: 90 }, timezone: 'Asia/Tokyo' });
  const state = await at.core.make(type, { name: 'Shop', monthly_alert_limit: 900 });
  const planned = await at.core.plan(type, null, state);
  assert.match(
    warningsOf(planned.diagnostics).join(),
    /return to their defaults: monthly_alert_limit\./,
  );
  assert.equal((await at.core.make(type, null, state)).value, null);
  const { name, timezone, retention, monthly_alert_limit } = await at.stored();
  assert.deepEqual(
    [name, timezone, retention, monthly_alert_limit],
    ['Shop', 'Asia/Tokyo', { events_days: 90 }, undefined],
  );
});

test('a write-only address of a chat is sent and kept out of the state', async () => {
  await using at = await start();
  const chat = { webhook_url_wo: 'https://chat.test/a', webhook_url_wo_version: 1 };
  const config = { shift_notifications: { discord: [chat] } };
  const state = await at.core.make(type, config);
  assert.match(JSON.stringify(await at.stored()), /chat\.test\/a/);
  const read = await at.core.read(type, state);
  assert.doesNotMatch(JSON.stringify([state.value, read.state.value]), /chat\.test/);
  assert.equal((await at.core.plan(type, config, read.state)).isChange, false);
});

test('the settings of another organization are neither read nor written', async () => {
  await using at = await start();
  const state = await at.core.make(type, { monthly_alert_limit: 900 });
  const other = { ...state, value: { ...(state.value as object), id: 'f'.repeat(24) } };
  const read = await at.core.read(type, { ...other, privateState: state.privateState } as never);
  assert.equal(fieldOf(read.state.value, 'monthly_alert_limit'), null);
  const planned = await at.core.plan(type, { monthly_alert_limit: 1 }, other as never);
  const { diagnostics } = await at.core.apply(type, planned, other as never);
  assert.match(errorsOf(diagnostics).join(), /not the organization of the API key/);
  assert.equal((await at.stored())['monthly_alert_limit'], 900);
});

test('Terraform adopts, changes, imports and releases the organization’s settings', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { api } = at.server;
  const configured = (fields: object, more: object = {}) =>
    at.configure({ resource: { [type]: { this: fields } }, ...more });
  const stored = async () => (await api.send('GET /organization')).body;
  const { name } = await stored();
  const first = {
    timezone: 'Europe/Berlin',
    monthly_alert_limit: 5000,
    shift_notifications: {
      slack: [{ channel_id: 'C1', channel_name: '#on-call' }],
      msteams: [{ webhook_url: 'https://teams.test/1' }],
    },
    retention: { audit_log_days: 400 },
  };
  await configured(first);
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  const { timezone, monthly_alert_limit, shift_notifications, retention } = await stored();
  assert.deepEqual({ timezone, monthly_alert_limit, shift_notifications, retention }, first);

  await api.send('PATCH /organization', { monthly_alert_limit: 1, name: 'By hand' });
  const [change] = await at.changes();
  assert.deepEqual(
    [change?.address, change?.actions, change?.attributes],
    [address, 'update', ['monthly_alert_limit']],
  );
  await at.apply('planned');
  assert.deepEqual(
    [(await stored()).monthly_alert_limit, (await stored()).name],
    [5000, 'By hand'],
  );

  for (const key of ['organization', (await stored()).id]) {
    await at.succeeds('state', 'rm', address);
    await at.succeeds('import', address, key);
    assert.deepEqual(await at.changes(), []);
  }
  await at.fails(/Invalid import id/, 'import', address, 'shop');
  await at.succeeds('state', 'rm', address);

  // As Terraform writes a configuration of what it imports.
  await api.send('PATCH /organization', { shift_notifications: { msteams: null } });
  await at.configure({ import: [{ to: address, id: 'organization' }] });
  await at.succeeds('plan', '-generate-config-out=generated.tf', '-input=false');
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  await at.succeeds('destroy', '-auto-approve');
  const last = await stored();
  assert.deepEqual(
    [last.timezone, last.monthly_alert_limit, last.shift_notifications, last.retention],
    ['Etc/UTC', undefined, undefined, undefined],
  );
  assert.equal(last.name, 'By hand');
  assert.equal(typeof name, 'string');
});
