// By what people can be reached, as configurations look it up: in the real Terraform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { eventually } from '../system/eventually.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { warningsOf } from './core.ts';
import { startProvider } from './running-provider.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

test('a configuration sees connections without secrets, and contacts with masked addresses', {
  skip: noTerraform ?? false,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const twilio = stack.use(await startFakeTwilio());
  const at = stack.use(
    await startTerraform({
      PAGER_VENDOR_URLS: `twilio=${twilio.url}`,
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    }),
  );
  const { api } = at.server;
  const [{ id, email }] = await api.list('users');
  const connection = await api.create('channel-connections', {
    vendor: 'twilio',
    name: 'Twilio',
    settings: {
      account_sid: twilio.account.sid,
      allowed_prefixes: ['+4930'],
      from_sms: twilio.number,
      calls_per_second: 1,
      messages_per_second: 3,
      sms_actions: 'all',
    },
    secrets: { auth_token: twilio.authToken },
  });
  await api.create(`users/${id}/contacts`, {
    channel: 'sms',
    address: '+4930123456',
    label: 'Work',
  });
  const data = {
    pager_channel_connections: { all: {} },
    pager_user_contacts: { owner: { email: String(email).toUpperCase() }, byId: { id } },
  };
  await at.configure({ data });
  await at.apply();
  const state = await at.state();
  const { channel_connections } = state.get('data.pager_channel_connections.all') as {
    readonly channel_connections: readonly { readonly health: string }[];
  };
  assert.ok(['unchecked', 'ok'].includes(channel_connections[0]?.health ?? ''));
  const seen = { id: connection.id, name: 'Twilio', vendor: 'twilio', channels: ['sms'] };
  assert.deepEqual(
    channel_connections.map((one) => ({ ...one, health: '' })),
    [{ ...seen, enabled: true, health: '', health_reason: null }],
  );
  const ofOwner = state.get('data.pager_user_contacts.owner') as {
    readonly contacts: readonly object[];
  };
  const sms = ofOwner.contacts.find((one) => 'channel' in one && one.channel === 'sms');
  assert.deepEqual(
    { ...sms, reachability_reason: '' },
    {
      channel: 'sms',
      address: '…3456',
      label: 'Work',
      position: 1,
      verified: false,
      reachability: 'unproved',
      reachability_reason: '',
    },
  );
  const byId = state.get('data.pager_user_contacts.byId') as { readonly channels: unknown };
  assert.deepEqual(byId.channels, ['email']);
  assert.doesNotMatch(JSON.stringify([...state]), new RegExp(`${twilio.authToken}|4930123`));

  await at.configure({ data: { pager_user_contacts: { one: { email: 'nobody@example.test' } } } });
  await at.fails(/No such user/, 'plan', '-input=false');
  await at.configure({ data: { pager_user_contacts: { one: {} } } });
  await at.fails(/The lookup is ambiguous.*Set exactly one of id and email/, 'validate');
});

test('a chat channel is found by name or id for a policy, and an unknown one names the likely ones', {
  skip: noTerraform ?? false,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const slack = stack.use(await startFakeSlack());
  slack.addChannel('C0000ALERTS', { name: 'shop-alerts' });
  slack.addChannel('C0000ONCALL', { name: 'on-call', isPrivate: true });
  const at = stack.use(
    await startTerraform({
      PAGER_VENDOR_URLS: `slack=${slack.url}`,
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    }),
  );
  const { api } = at.server;
  const searching = (fields: object) =>
    at.configure({ data: { pager_chat_channel: { one: { via: 'slack', ...fields } } } });
  await searching({ name: 'shop-alerts' });
  await at.fails(/Pager has not read any slack channel/, 'plan', '-input=false');

  const connection = await api.create('channel-connections', {
    name: 'Slack of Acme',
    vendor: 'slack',
    secrets: { bot_token: slack.botToken, app_token: slack.appToken },
  });
  await eventually(
    'the channels are read',
    async () => (await api.send('GET /chat-channels?via=slack')).body.data.length === 2,
  );
  const expected = {
    via: 'slack',
    channel_id: 'C0000ALERTS',
    is_private: false,
    connection_id: connection.id,
  };
  for (const name of ['shop-alerts', '#Shop-Alerts']) {
    await searching({ name });
    await at.apply();
    assert.deepEqual((await at.state()).get('data.pager_chat_channel.one'), { ...expected, name });
  }
  await searching({ channel_id: 'C0000ALERTS' });
  await at.apply();
  const byId = (await at.state()).get('data.pager_chat_channel.one');
  assert.deepEqual(byId, { ...expected, name: '#shop-alerts' });

  // A channel that was made after the last reading is looked up by its id.
  slack.addChannel('C0000NEWEST', { name: 'newest' });
  await searching({ channel_id: 'C0000NEWEST' });
  await at.apply();

  await searching({ name: 'shop-alrets' });
  const likely =
    /No such chat channel.*with via "slack" and name "shop-alrets"\. Did you mean #shop-alerts\?/;
  await at.fails(likely, 'plan', '-input=false');
  await searching({ name: 'quite-another' });
  await at.fails(/No such chat channel(?!.*Did you mean)/, 'plan', '-input=false');
  await searching({ channel_id: 'C0000NOWHERE' });
  await at.fails(/No such chat channel/, 'plan', '-input=false');
  await searching({ via: 'pigeon', name: 'alerts' });
  await at.fails(/via must be one of slack/, 'validate');

  await at.configure({
    data: { pager_chat_channel: { one: { via: 'slack', name: 'on-call' } } },
    resource: {
      pager_escalation_policy: {
        chat: {
          name: 'Chat',
          steps: [
            {
              targets: [{ via: 'slack', channel_id: `\${data.pager_chat_channel.one.channel_id}` }],
            },
          ],
        },
      },
    },
  });
  await at.apply();
  const policies = await api.list('escalation-policies');
  const policy = policies.find(({ name }: { readonly name: string }) => name === 'Chat');
  assert.equal(policy.steps[0].targets[0].channel_id, 'C0000ONCALL');
  assert.deepEqual(await at.changes(), []);
});

test('a person who is not active is reached by no channel, with a warning', async () => {
  await using at = await startProvider();
  const { state, diagnostics } = await at.core.readData('pager_user_contacts', { id: at.bob });
  assert.deepEqual(fieldOf(state.value, 'channels'), []);
  assert.match(warningsOf(diagnostics).join(), /is not active: .* never paged/);
});
