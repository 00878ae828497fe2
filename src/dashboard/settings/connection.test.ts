import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountOf,
  bodyOf,
  type Connection,
  channelHealthOf,
  type Draft,
  draftOf,
  healthOf,
  isAwaited,
  lostBy,
  newSecrets,
  ownContactOf,
  sentenceOf,
  sentFields,
  typedFields,
  usageLines,
} from './connection.ts';
import { secretFields, settingFields } from './declared.ts';

const connection: Connection = {
  id: '665f1f77bcf86cd799439011',
  version: 3,
  name: 'Bot',
  vendor: 'telegram',
  channels: ['telegram'],
  position: 2,
  enabled: true,
  secrets: {},
  settings: {},
  usage: [],
  receive: 'poll',
  callback_urls: [],
  health: { state: 'unchecked' },
  updated_at: '2026-11-23T09:00:00Z',
};
const now = Date.parse(connection.updated_at) + 1_000;
const failing = { state: 'failing', reason: 'Telegram: the bot token is not valid' } as const;

test('what is switched off is not failing, and is not waited for', () => {
  const off = { ...connection, enabled: false };
  assert.equal(healthOf({ ...off, health: failing }).type, 'off');
  assert.equal(isAwaited([off], now), false);
});

test('one that is not used although it is enabled says why, and not how it works', () => {
  const unused = { ...connection, unused_reason: 'PAGER_SMTP_URL is set.', health: failing };
  assert.deepEqual(healthOf(unused), { type: 'off', text: 'PAGER_SMTP_URL is set.' });
});

test('a fresh connection is waited for until its vendor has answered', () => {
  const answered = { ...connection, health: { state: 'ok' } } as const;
  assert.equal(isAwaited([answered, connection], now), true);
  assert.equal(isAwaited([connection], now + 60_000), false, 'it may never answer by itself');
  assert.equal(isAwaited([answered, { ...connection, health: failing }], now), false);
  assert.equal(isAwaited([], now), false);
});

test('a failing one gives its reason as a sentence', () => {
  assert.deepEqual(healthOf({ ...connection, health: failing }), {
    type: 'failing',
    text: 'Telegram: the bot token is not valid.',
  });
  assert.match(healthOf({ ...connection, health: { state: 'failing' } }).text, /\.$/);
});

test('a sentence ends once, and shows what would hide in it', () => {
  assert.equal(sentenceOf('It answers.'), 'It answers.');
  assert.equal(sentenceOf(' no answer '), 'no answer.');
  assert.equal(sentenceOf('a\u202eb'), 'a[U+202E]b.');
});

test('a form sends what was read, and null for an empty position', () => {
  const draft = draftOf(connection);
  const sent = { name: 'Bot', enabled: true, position: 2, settings: {} };
  assert.deepEqual(bodyOf('telegram', draft), sent);
  assert.equal(bodyOf('telegram', { ...draft, position: ' ' }).position, null);
});

test('a draft tells which channels it would take away', () => {
  const twilio: Connection = {
    ...connection,
    vendor: 'twilio',
    channels: ['phone', 'sms'],
    settings: { account_sid: `AC${'0'.repeat(32)}`, from_phone: '+49301', from_sms: '+49302' },
  };
  const draft = draftOf(twilio);
  const cases: readonly [Draft, readonly string[]][] = [
    [draft, []],
    [{ ...draft, name: 'Other', position: '' }, []],
    [{ ...draft, enabled: false }, ['phone', 'sms']],
    [{ ...draft, 'settings.from_sms': '' }, ['sms']],
  ];
  for (const [changed, lost] of cases) assert.deepEqual(lostBy(twilio, changed), lost);
  assert.deepEqual(lostBy({ ...twilio, enabled: false }, { ...draft, enabled: false }), []);
});

test('a bot is named as people type it, once it is known', () => {
  assert.equal(accountOf(connection), undefined);
  assert.equal(accountOf({ ...connection, account: 'pager_bot' }), '@pager_bot');
});

test('a test message goes only to a verified contact that the connection serves', () => {
  const mail = { id: '1', channel: 'email', address: 'a@b.test', verified: true };
  const chat = { id: '2', channel: 'telegram', address: '4711', verified: false };
  assert.equal(ownContactOf(connection, [mail, chat]), undefined);
  assert.equal(ownContactOf(connection, [mail, { ...chat, verified: true }])?.id, '2');
});

test('settings are typed as text, and sent as their vendor declares them', () => {
  const settings = {
    account_sid: 'AC1',
    from_phone: '+4930123456',
    calls_per_second: 1,
    allowed_prefixes: ['+49', '+33'],
  };
  const draft = draftOf({ ...connection, vendor: 'twilio', settings });
  assert.equal(draft['settings.allowed_prefixes'], '+49 +33');
  assert.equal(draft['settings.calls_per_second'], '1');
  assert.equal(draft['settings.from_sms'], '');
  const typed = {
    ...draft,
    'settings.allowed_prefixes': ' +49,+1 +33 ',
    'settings.from_phone': ' ',
  };
  assert.deepEqual(bodyOf('twilio', typed).settings, {
    account_sid: 'AC1',
    from_phone: null,
    from_sms: null,
    messaging_service_sid: null,
    from_whatsapp: null,
    content_sid: null,
    notice_content_sid: null,
    allowed_prefixes: ['+49', '+1', '+33'],
    calls_per_second: 1,
    messages_per_second: null,
    sms_actions: 'all',
  });
});

test('a flag begins as its vendor declares it', () => {
  const fields = settingFields('slack');
  const typed = typedFields(fields, {});
  assert.deepEqual(sentFields(fields, typed), { link_by_email: true });
  assert.deepEqual(sentFields(fields, typedFields(fields, { link_by_email: false })), {
    link_by_email: false,
  });
});

test('a choice begins as its vendor declares it', () => {
  const fields = settingFields('smtp');
  assert.equal(typedFields(fields, {})['settings.security'], 'starttls');
  assert.equal(typedFields(fields, { security: 'tls' })['settings.security'], 'tls');
});

test('of secrets, only what is typed is sent', () => {
  const typed = { 'secrets.auth_token': ' abc ', 'secrets.api_key_sid': '' } as const;
  assert.deepEqual(newSecrets(secretFields('twilio'), typed), { auth_token: 'abc' });
});

test('for a test somebody is called only if there is nothing else', () => {
  const call = { id: '1', channel: 'phone', address: '+491', verified: true };
  const sms = { ...call, id: '2', channel: 'sms' };
  const served = { channels: ['phone', 'sms'] };
  assert.equal(ownContactOf(served, [call])?.id, '1');
  assert.equal(ownContactOf(served, [call, sms])?.id, '2');
  const device = { ...call, channel: 'push-notification' };
  assert.equal(ownContactOf({ channels: ['push-notification'] }, [device]), undefined);
});

test('usage is by month, and by country where there are several', () => {
  const sums = { messages: 1_200, segments: 1_300, call_seconds: 61 };
  const none = { messages: 0, segments: 0, call_seconds: 0 };
  const usage = [
    {
      month: '2026-11',
      ...sums,
      countries: ['+33', '+49'].map((country) => ({ country, ...sums })),
    },
    { month: '2026-10', ...none, countries: [{ country: '+49', ...none }] },
  ];
  const lines = usageLines({ ...connection, usage });
  assert.deepEqual(
    lines.map(({ name, messages, segments, minutes }) => [name, messages, segments, minutes]),
    [
      ['2026-11', '1,200', '1,300', '2'],
      ['+33', '1,200', '1,300', '2'],
      ['+49', '1,200', '1,300', '2'],
      ['2026-10', '0', '0', '0'],
    ],
  );
  assert.equal(new Set(lines.map(({ key }) => key)).size, lines.length);
});

test('a channel shows why it is not set up, else why it does not work, else that it is usable', () => {
  const reason = undefined;
  const channel = {
    channel: 'email',
    usable: true,
    reason,
    health: { state: 'unchecked' },
  } as const;
  const usable = { type: 'ok', text: 'Ready.' };
  assert.deepEqual(channelHealthOf(channel), usable);
  assert.deepEqual(channelHealthOf({ ...channel, health: { state: 'ok' } }), usable);
  assert.deepEqual(
    channelHealthOf({ ...channel, health: undefined }),
    usable,
    'it has connections',
  );
  const health = { state: 'failing', reason: 'the mail server refused the sign-in' } as const;
  const text = 'the mail server refused the sign-in.';
  assert.deepEqual(channelHealthOf({ ...channel, health }), { type: 'failing', text });
  for (const chat of ['slack', 'msteams', 'discord']) {
    const ofChat = { ...channel, channel: chat };
    const byWebhook = { type: 'ok', text: 'Ready for incoming webhooks in policies.' };
    assert.deepEqual(channelHealthOf(ofChat), byWebhook, 'nothing was sent lately');
    assert.deepEqual(channelHealthOf({ ...ofChat, health: { state: 'ok' } }), usable);
  }
  const off = { channel: 'email', usable: false, reason: 'No mail server is set.', health };
  assert.deepEqual(channelHealthOf(off), { type: 'off', text: off.reason });
});
