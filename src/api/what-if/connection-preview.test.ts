// What a preview of a connection says is what the save answers, and what then pages nobody.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';

type Fields = Record<string, unknown>;

const bot_token = `123456789:${'Aa0_-'.repeat(7)}`;
const auth_token = '0123456789abcdef0123456789abcdef';
const bot = { name: 'Bot', vendor: 'telegram', secrets: { bot_token } };
const twilio = {
  name: 'Twilio',
  vendor: 'twilio',
  settings: {
    account_sid: `AC${'0'.repeat(32)}`,
    from_phone: '+4930123456',
    from_sms: '+4930123457',
    allowed_prefixes: ['+49'],
  },
  secrets: { auth_token },
};

/** Ada is paged by Telegram and later by e-mail, Bob by SMS or Telegram on call of `Nights`. */
async function startConnectedApi() {
  const at = await startOnCallApi();
  const admin = at.world.caller({ role: 'admin', defaultTeamId: at.ops });
  const send = (line: string, body?: object) => at.send(line, body, admin);
  const make = async (route: string, body: object): Promise<string> => {
    const made = await send(`POST /${route}`, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const contact = (userId: string, channel: string, address: string) => at.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    values (${at.world.organizationId}, ${[...userId].reverse().join('')}, ${userId}, ${channel}, ${address}, now(), now())`;
  await contact(at.ada, 'telegram', '4711');
  await contact(at.bob, 'sms', '+4917012345');
  const telegram = await make('channel-connections', bot);
  const numbers = await make('channel-connections', twilio);
  const nights = await at.schedule([{ users: [at.bob], rotation: weekly }], { name: 'Nights' });
  const step = (...targets: object[]) => ({ targets, escalate_after_minutes: 5 });
  const policy = await make('escalation-policies', {
    name: 'Days',
    steps: [
      step({ via: 'telegram', user_id: at.ada }),
      step(
        { via: 'sms', oncall_schedule_id: nights },
        { via: 'telegram', oncall_schedule_id: nights },
      ),
      step({ via: 'email', user_id: at.ada }),
    ],
  });
  const service_id = await make('services', { name: 'Shop' });
  const checks = { name: 'Checks', slug: 'webhook', service_id, escalation_policy_id: policy };
  await make('integrations', checks);
  const preview = async (record: object, more: object = {}) => {
    const body = { kind: 'channel_connection', record, ...more };
    const answer = await send('POST /preview', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  return {
    ...at,
    admin,
    send,
    make,
    telegram,
    numbers,
    policy,
    nights,
    preview,
    async messagesOf(record: object, more?: object): Promise<readonly string[]> {
      const { warnings } = await preview(record, more);
      return warnings.map(({ code, message }: Fields) => `${code}: ${message}`);
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

test('a connection that goes tells whom events page no more, and which steps reach nobody', async () => {
  await using at = await startConnectedApi();
  const gone = 'No connection serves the channel telegram anymore, so it reaches nobody.';
  const expected = [
    `channel_lost: ${gone} People with a verified contact on it: ada Example.`,
    `still_used: The escalation policy "Days" (${at.policy}) still uses the channel telegram.`,
    'pages_move: Events of the integration "Checks" page bob Example (on call of Nights) instead of ada Example, then ada Example instead of bob Example (on call of Nights).',
    'step_reaches_nobody: Step 1 of the escalation policy "Days" reaches nobody: channel not set up (ada Example).',
  ];
  assert.deepEqual(await at.messagesOf({ id: at.telegram, archived: true }), expected);
  assert.deepEqual(await at.messagesOf({ ...bot, id: at.telegram, enabled: false }), expected);
  assert.deepEqual(await at.messagesOf({ ...bot, id: at.telegram, name: 'Renamed' }), []);
  const data = await at.preview({ id: at.telegram, archived: true });
  assert.equal(data.unreachable_steps_count, 1);
  assert.deepEqual(data.used_by, [{ kind: 'escalation_policy', id: at.policy, name: 'Days' }]);
  // The save says the same of the channel.
  const { body } = await at.send(`DELETE /channel-connections/${at.telegram}`);
  const ofChannel = expected.slice(0, 2).map((text) => text.slice(text.indexOf(' ') + 1));
  assert.deepEqual(body.warnings, ofChannel);
  assert.deepEqual(await at.messagesOf({ id: at.telegram, archived: true }), []);
});

test('a connection that another replaces, or that loses one of its channels, tells what is left', async () => {
  await using at = await startConnectedApi();
  const { from_sms: _, ...callsOnly } = twilio.settings;
  const own = { ...twilio, id: at.numbers };
  // Bob has no Telegram, so nobody else is paged in his place.
  const lost = [
    'channel_lost: No connection serves the channel sms anymore, so it reaches nobody. People with a verified contact on it: bob Example.',
    `still_used: The escalation policy "Days" (${at.policy}) still uses the channel sms.`,
    'pages_move: Events of the integration "Checks" page ada Example first, as before, then nobody instead of bob Example (on call of Nights).',
    'step_reaches_nobody: Step 2 of the escalation policy "Days" reaches nobody: channel not set up (bob Example (on call of Nights)); no verified telegram contact (bob Example (on call of Nights)).',
  ];
  assert.deepEqual(await at.messagesOf({ ...own, settings: callsOnly }), lost);
  // Nobody uses calls, and the credentials alone change no channel.
  const { from_phone: __, ...textsOnly } = twilio.settings;
  assert.deepEqual(await at.messagesOf({ ...own, settings: textsOnly }), []);
  assert.deepEqual(await at.messagesOf({ ...own, secrets: { auth_token: 'f'.repeat(32) } }), []);
  const other = { ...twilio, settings: { ...twilio.settings, account_sid: `AC${'1'.repeat(32)}` } };
  await at.make('channel-connections', { ...other, name: 'Second' });
  assert.deepEqual(await at.messagesOf({ id: at.numbers, archived: true }), []);
});

test('a new connection, and one that is enabled, tells whom events page again', async () => {
  await using at = await startConnectedApi();
  await at.send(`PATCH /channel-connections/${at.telegram}`, { enabled: false });
  const back = [
    'pages_move: Events of the integration "Checks" page ada Example instead of bob Example (on call of Nights), then bob Example (on call of Nights) instead of ada Example.',
  ];
  assert.deepEqual(await at.messagesOf({ ...bot, id: at.telegram }), back);
  const another = { bot_token: `5:${'Aa0_-'.repeat(7)}` };
  assert.deepEqual(await at.messagesOf({ ...bot, secrets: another }), back);
});

test('steps that page by the id of a chat are ofChannel apart from those that have a webhook', async () => {
  await using at = await startConnectedApi();
  const slack = {
    name: 'Slack',
    vendor: 'slack',
    secrets: {
      bot_token: 'xoxb-0123456789-0123456789-abcdefghijklmnop',
      app_token: 'xapp-1-A0123456789-0123456789-abcdef',
    },
  };
  const id = await at.make('channel-connections', slack);
  const policy = (name: string, target: object) =>
    at.make('escalation-policies', { name, steps: [{ targets: [{ via: 'slack', ...target }] }] });
  await policy('Webhook', { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' });
  assert.deepEqual(await at.messagesOf({ id, archived: true }), []);
  const rooms = await policy('Rooms', { channel_id: 'C0123456789' });
  assert.deepEqual(await at.messagesOf({ id, archived: true }), [
    'channel_lost: No connection serves the channel slack anymore, so steps with its channel_id reach nobody.',
    `still_used: The escalation policy "Rooms" (${rooms}) still uses the channel slack.`,
    'step_reaches_nobody: Step 1 of the escalation policy "Rooms" reaches nobody: channel not set up (C0123456789).',
  ]);
});

test('a proposed connection is held to the rules of a save, and its secrets go nowhere', async () => {
  await using at = await startConnectedApi();
  const send = (record: object, caller = at.admin) =>
    at.api.send(caller, 'POST /preview', { body: { kind: 'channel_connection', record } });
  const secret = 'hunter2-hunter2-hunter2';
  const wrong = await send({ ...bot, id: at.telegram, secrets: { bot_token: secret } });
  assert.deepEqual(
    [wrong.status, wrong.body.issues.map(({ path }: Fields) => path)],
    [422, ['record.secrets.bot_token']],
  );
  const unknown = await send({ ...bot, id: '0'.repeat(24) });
  assert.deepEqual(unknown.body.issues, [
    { path: 'record.id', message: 'does not match any channel connection' },
  ]);
  const other = await send({ ...twilio, id: at.telegram });
  assert.deepEqual(
    other.body.issues.map(({ path }: Fields) => path),
    ['record.vendor'],
  );
  const fine = await send({
    ...bot,
    id: at.telegram,
    secrets: { bot_token: `7:${'s'.repeat(35)}` },
  });
  assert.equal(fine.status, 200);
  const stored = await at.sql`select * from channel_connections`;
  const log = await at.sql`select * from audit_log`;
  for (const one of [wrong.body, fine.body, log]) {
    assert.doesNotMatch(JSON.stringify(one), /hunter2|sssss/);
  }
  assert.equal(stored.find(({ id }) => id === at.telegram)?.['version'], 1);
  // Nobody else may write one.
  const manager = await send({ id: at.telegram, archived: true }, at.key);
  assert.equal(manager.status, 403);
  const confined = at.world.caller({ role: 'admin', teamIds: [at.ops] });
  assert.equal((await send({ id: at.telegram, archived: true }, confined)).status, 403);
});

test('a responder previews overrides, and nothing else', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const responder = at.world.caller({ role: 'responder', defaultTeamId: at.ops });
  const send = (body: object) => at.api.send(responder, 'POST /preview', { body });
  const [start, end] = ['2026-03-03T00:00:00Z', '2026-03-04T00:00:00Z'];
  const record = { oncall_schedule_id: id, user_id: at.bob, start, end };
  const { status, body } = await send({ kind: 'override', record });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.data.moved_shifts_count, 1);
  const refused = await send({ kind: 'oncall_schedule', record: { id, archived: true } });
  assert.equal(refused.status, 403);
});
