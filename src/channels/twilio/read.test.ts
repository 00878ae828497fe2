import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import twilio from 'twilio';
import { testPublished } from '../../../test/published.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import type { Inbound, Reply } from '../../replies/inbound.ts';
import { isSigned, signatureOf, twilioCallbacks } from './read.ts';

const authToken = '12345678901234567890123456789012';
const accountSid = 'AC00000000000000000000000000000000';
const connection = {
  organization_id: 'o1',
  id: 'c1',
  name: 'Twilio',
  settings: {
    account_sid: accountSid,
    allowed_prefixes: ['+1'],
    calls_per_second: 1,
    messages_per_second: 1,
  },
  secrets: { auth_token: authToken },
  replacedSecrets: {},
};

type Fields = Readonly<Record<string, string>>;
const base = 'https://pager.example.com/callbacks';

function requestOf(channel: string, fields: Fields, url = `${base}/${channel}/c1/h`) {
  const form = new URLSearchParams(fields);
  const headers = { 'x-twilio-signature': signatureOf(url, form, authToken) };
  return { method: 'POST' as const, channel, url, headers, body: Buffer.from(form.toString()) };
}

function inboundOf(channel: string, fields: Fields, url?: string): Inbound {
  const request = requestOf(channel, { AccountSid: accountSid, ...fields }, url);
  const read = twilioCallbacks.read(request, connection);
  assert.ok('inbounds' in read, JSON.stringify(read));
  const [inbound] = read.inbounds;
  assert.ok(inbound);
  return inbound;
}

test('signatures are those of the vendor’s library, with and without the port', () => {
  const name = fc.string({ minLength: 1, maxLength: 12 });
  const fields = fc.dictionary(name, fc.string({ unit: 'grapheme' }), { noNullPrototype: true });
  const urls = [`${base}/sms/c1`, 'https://pager.example.com:8443/x?y=%27z', 'http://127.0.0.1/a'];
  fc.assert(
    fc.property(fields, fc.constantFrom(...urls), (sent, url) => {
      const form = new URLSearchParams(sent);
      const signature = signatureOf(url, form, authToken);
      assert.ok(twilio.validateRequest(authToken, signature, url, sent));
      const withPort = url.replace('example.com/', 'example.com:443/');
      const other = signatureOf(withPort, form, authToken);
      assert.ok(isSigned({ url, fields: form, signature: other }, ['another', authToken]));
      assert.ok(!isSigned({ url: `${url}/`, fields: form, signature }, [authToken]));
      assert.ok(!isSigned({ url, fields: form, signature }, ['another']));
    }),
  );
});

test('what others send is refused', () => {
  const fields = { AccountSid: accountSid, MessageSid: 'SM1', MessageStatus: 'delivered' };
  const request = requestOf('sms', fields);
  for (const [change, reason] of [
    [{ headers: {} }, /has no X-Twilio-Signature/],
    [{ headers: { 'x-twilio-signature': 'forged' } }, /signature does not match the account/],
    [{ body: Buffer.from(`${request.body}&x=1`) }, /signature does not match the account/],
    [{ url: `${base}/sms/c2/h` }, /signature does not match the account/],
    [requestOf('sms', { ...fields, AccountSid: 'AC1' }), /is from another account/],
  ] as const) {
    const read = twilioCallbacks.read({ ...request, ...change }, connection);
    assert.match('refused' in read ? read.refused : '', reason);
  }
});

test('a token that was replaced a short time ago verifies still', () => {
  const fields = { AccountSid: accountSid, MessageSid: 'SM1', MessageStatus: 'delivered' };
  const called = { ...connection, secrets: { auth_token: 'the new one' } };
  const read = (replacedSecrets: Readonly<Record<string, string>>) =>
    'inbounds' in twilioCallbacks.read(requestOf('sms', fields), { ...called, replacedSecrets });
  assert.deepEqual([read({ auth_token: authToken }), read({})], [true, false]);
});

const vendorId = 'CA1';
const progress = { CallSid: vendorId, CallbackSource: 'call-progress-events' };
const message = { MessageSid: 'SM1', SmsSid: 'SM1' };
const written = { ...message, SmsStatus: 'received', From: '+4915112345678', To: '+15005550006' };
const address = '+4915112345678';

for (const [name, channel, fields, expected] of [
  ['a key', 'phone', { CallSid: vendorId, Digits: '4' }, { type: 'key', vendorId, key: '4' }],
  ['the star', 'phone', { CallSid: vendorId, Digits: '*' }, { type: 'key', vendorId, key: '*' }],
  ['several keys', 'phone', { CallSid: vendorId, Digits: '42' }, { type: 'ignored' }],
  [
    'the begin of a call',
    'phone',
    { ...progress, CallStatus: 'initiated' },
    { type: 'receipt', vendorId, receipt: { state: 'sent', reason: '', blame: null } },
  ],
  [
    'a call to a number of the account',
    'phone',
    { CallSid: vendorId, CallStatus: 'ringing', Direction: 'inbound' },
    { type: 'ignored' },
  ],
  [
    'the end of a call',
    'phone',
    { ...progress, CallStatus: 'failed', SipResponseCode: '404' },
    {
      type: 'receipt',
      vendorId,
      receipt: {
        state: 'undelivered',
        reason: 'the number does not exist (SIP 404)',
        blame: 'contact',
      },
    },
  ],
  [
    'a text',
    'sms',
    { ...written, Body: ' 4 42\n' },
    { type: 'text', eventId: 'SM1', address, text: '4 42' },
  ],
  ['STOP', 'sms', { ...written, Body: 'Stop' }, { type: 'blocked', eventId: 'SM1', address }],
  [
    'a text that means STOP',
    'sms',
    { ...written, Body: 'Arrêt', OptOutType: 'STOP' },
    { type: 'blocked', eventId: 'SM1', address },
  ],
  ['START', 'sms', { ...written, Body: 'start ' }, { type: 'restored', eventId: 'SM1', address }],
  ['HELP', 'sms', { ...written, Body: 'HELP' }, { type: 'ignored' }],
  ['a message on its way', 'sms', { ...message, MessageStatus: 'queued' }, { type: 'ignored' }],
  [
    'a message that arrived',
    'sms',
    { ...message, MessageStatus: 'delivered' },
    { type: 'receipt', vendorId: 'SM1', receipt: { state: 'delivered', reason: '', blame: null } },
  ],
  [
    'a message that no such number takes',
    'sms',
    { ...message, To: address, MessageStatus: 'undelivered', ErrorCode: '30006' },
    {
      type: 'receipt',
      vendorId: 'SM1',
      lost: { address, state: 'invalid' },
      receipt: {
        state: 'undelivered',
        reason: 'the number cannot receive SMS (30006)',
        blame: 'contact',
      },
    },
  ],
] as const)
  test(`${name} is read`, () => assert.deepEqual(inboundOf(channel, fields), expected));

const whatsApp = {
  ...written,
  From: `whatsapp:${address}`,
  To: 'whatsapp:+15005550006',
  ProfileName: 'Ada',
};
const event = { eventId: 'SM1', address };
const senderName = 'Ada';
const code = 'A'.repeat(22);
const reportOf = (fields: Fields) => ({ ...message, To: `whatsapp:${address}`, ...fields });

for (const [name, fields, expected] of [
  ['a text', { Body: ' 4 42\n' }, { type: 'text', ...event, text: '4 42', senderName }],
  [
    'a reply to a message',
    { Body: 'ack', OriginalRepliedMessageSid: 'MM7' },
    {
      type: 'text',
      ...event,
      text: 'ack',
      senderName,
      repliedTo: { place: address, messageId: 'MM7' },
    },
  ],
  [
    'a button whose title is in another language',
    {
      Body: 'Gelöst!',
      ButtonText: 'Gelöst!',
      ButtonPayload: 'resolve',
      OriginalRepliedMessageSid: 'MM7',
    },
    {
      type: 'text',
      ...event,
      text: 'resolve',
      senderName,
      repliedTo: { place: address, messageId: 'MM7' },
    },
  ],
  [
    'a button of somebody else’s template',
    { Body: 'Buy', ButtonText: 'Buy', ButtonPayload: 'buy' },
    { type: 'text', ...event, text: 'Buy', senderName },
  ],
  ['a link code', { Body: `Link Pager: ${code}` }, { type: 'start', code, ...event }],
  ['STOP', { Body: 'Stop' }, { type: 'blocked', isUnconfirmed: true, ...event }],
  ['START', { Body: 'start' }, { type: 'restored', isUnconfirmed: true, ...event }],
  [
    'a STOP that Twilio answers',
    { Body: 'Arrêt', OptOutType: 'STOP' },
    { type: 'blocked', ...event },
  ],
] as const)
  for (const channel of ['whatsapp', 'sms'])
    test(`${name} in WhatsApp is read at the address for ${channel}`, () => {
      const request = requestOf(channel, { AccountSid: accountSid, ...whatsApp, ...fields });
      assert.deepEqual(twilioCallbacks.read(request, connection), {
        inbounds: [expected],
        channel: 'whatsapp',
      });
    });

test('an SMS is an SMS also at the address for WhatsApp', () => {
  const request = requestOf('whatsapp', {
    AccountSid: accountSid,
    ...written,
    Body: `Link Pager: ${code}`,
  });
  const read = twilioCallbacks.read(request, connection);
  assert.ok('channel' in read && 'inbounds' in read);
  assert.deepEqual([read.channel, read.inbounds[0]?.type], ['sms', 'text']);
});

for (const [fields, query, expected] of [
  [{ MessageStatus: 'read' }, '', ['delivered', null]],
  [{ MessageStatus: 'undelivered', ErrorCode: '63016' }, '', ['undelivered', 'connection']],
  [{ MessageStatus: 'failed', ErrorCode: '63016' }, '?sent=text', ['undelivered', 'later']],
  [{ MessageStatus: 'undelivered', ErrorCode: '63024' }, '?sent=text', ['undelivered', 'contact']],
  [{ MessageStatus: 'failed', ErrorCode: '63041' }, '', ['undelivered', 'connection']],
] as const)
  test(`a report of WhatsApp is read: ${JSON.stringify(fields)} ${query}`, () => {
    const inbound = inboundOf('whatsapp', reportOf(fields), `${base}/whatsapp/c1/h${query}`);
    assert.ok(inbound.type === 'receipt');
    assert.deepEqual([inbound.receipt.state, inbound.receipt.blame], expected);
    assert.equal(inbound.lost, undefined, 'the person has proved the contact by writing');
  });

test('who wrote in WhatsApp is answered in full, with a link', () => {
  const request = requestOf('whatsapp', {});
  const reply = {
    text: 'a'.repeat(500),
    link: { href: 'https://pager.example.com/x', text: 'Link' },
  };
  const { body } = twilioCallbacks.answer([{ inbound: text, reply }], request);
  assert.match(body, /a{500} https:\/\/pager\.example\.com\/x<\/Message>/);
});

test('what the end of a call means depends on the keys that it offered', () => {
  const fields = { ...progress, CallStatus: 'completed' };
  const stateOf = (url: string) => {
    const inbound = inboundOf('phone', fields, url);
    return inbound.type === 'receipt' && inbound.receipt.state;
  };
  assert.equal(stateOf(`${base}/phone/c1/h`), 'unanswered');
  assert.equal(stateOf(`${base}/phone/c1/h?keys=missing`), 'read_out');
  assert.equal(stateOf(`${base}/phone/c1/h?keys=unneeded`), 'delivered');
});

const answered = (inbound: Inbound, reply: Reply) =>
  twilioCallbacks
    .answer([{ inbound, reply }], requestOf('phone', {}))
    .body.replace(/^<\?xml[^>]*\?>/, '');
const key: Inbound = { type: 'key', vendorId, key: '4' };
const text: Inbound = { type: 'text', eventId: 'SM1', address, text: '4 42' };

test('what was done is spoken, and the call ends or goes on', () => {
  assert.equal(
    answered(key, { text: 'Acknowledged: INC-42.' }),
    '<Response><Say language="en-US">Acknowledged: I N C, 42.</Say><Say language="en-US">Goodbye.</Say><Hangup/></Response>',
  );
  const handles = { acknowledge: 'a', resolve: 'r', escalate: 'e' };
  const again = answered(key, { text: 'Nothing was done.', notice: sampleNotice({ handles }) });
  assert.match(
    again,
    /^<Response><Gather [^>]*action="https:\/\/pager\.example\.com\/callbacks\/phone\/c1\/h"/,
  );
  assert.match(again, /<Say language="en-US">Nothing was done\. This is Pager, .* press 4\./);
  const over = sampleNotice({}, { status: 'resolved' });
  assert.doesNotMatch(answered(key, { text: '', notice: over }), /Gather/);
});

test('who wrote is answered by a message, or not at all', () => {
  assert.equal(
    answered(text, { text: 'Nothing was changed: it’s <done>' }),
    '<Response><Message>Nothing was changed: it&apos;s &lt;done&gt;</Message></Response>',
  );
  assert.equal(answered(text, null), '<Response/>');
  assert.equal(answered({ type: 'ignored' }, null), '<Response/>');
  assert.ok(answered(text, { text: 'a'.repeat(1_000) }).length < 400);
});

testPublished(
  'payloads/_vendor-callbacks/twilio/',
  'what Twilio’s documentation shows is read',
  (samples) => {
    const sample = (number: number) => {
      const file = readFileSync(new URL(`other-${number}.txt`, samples), 'utf8').trim();
      return Object.fromEntries(new URLSearchParams(file));
    };
    assert.equal(inboundOf('phone', sample(1)).type, 'key');
    assert.equal(inboundOf('phone', sample(2)).type, 'receipt');
    assert.equal(inboundOf('sms', sample(3)).type, 'text');
    assert.equal(inboundOf('sms', sample(4)).type, 'receipt');
  },
);
