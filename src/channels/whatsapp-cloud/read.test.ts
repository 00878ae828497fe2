import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendingLimits } from '../../limits/sending.ts';
import type { CallbackRequest } from '../../replies/callback.ts';
import type { Inbound } from '../../replies/inbound.ts';
import { linkTextOf } from '../../resources/connections/whatsapp-link.ts';
import type { CalledConnection } from '../vendor.ts';
import { readWhatsAppCloud, signatureOf } from './read.ts';

const secret = '0123456789abcdef0123456789abcdef';
const connection: CalledConnection = {
  organization_id: 'o1',
  id: 'c1',
  name: 'Our number',
  vendor: 'whatsapp-cloud',
  settings: { phone_number_id: '106540352242922' },
  secrets: { app_secret: secret, verify_token: 'a verify token' },
  replacedSecrets: {},
};

const requestOf = (payload: unknown, signedBy = secret): CallbackRequest => {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  return {
    method: 'POST',
    channel: 'whatsapp',
    url: 'https://pager.example.com/callbacks/whatsapp/c1',
    headers: { 'x-hub-signature-256': signatureOf(body, signedBy) },
    body,
  };
};

const changeOf = (value: object, phone_number_id = '106540352242922', field = 'messages') => ({
  field,
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550783881', phone_number_id },
    ...value,
  },
});

const payloadOf = (...changes: readonly object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes }],
});

const inboundsOf = (payload: unknown): readonly Inbound[] => {
  const read = readWhatsAppCloud(requestOf(payload), connection);
  assert.ok('inbounds' in read, JSON.stringify(read));
  assert.ok(!('isDeferred' in read));
  return read.inbounds;
};

const sent = { from: '4915112345678', id: 'wamid.1', timestamp: '1795230799' };
const who = {
  address: '+4915112345678',
  eventId: 'wamid.1',
  writtenAt: Temporal.Instant.fromEpochMilliseconds(1_795_230_799_000),
};
const code = 'AbCdEfGhIjKlMnOpQrStUv';
const text = (body: string) => ({ ...sent, type: 'text', text: { body } });

const cases: readonly (readonly [what: string, message: object, read: Inbound])[] = [
  ['a text', text(' ack 42 '), { type: 'text', text: 'ack 42', ...who }],
  ['the code of a link', text(linkTextOf(code)), { type: 'start', code, ...who }],
  ['the code among other words', text(`Hi! link pager ${code}`), { type: 'start', code, ...who }],
  ['STOP', text('Stop.'), { type: 'blocked', isUnconfirmed: true, ...who }],
  ['START', text('start'), { type: 'restored', isUnconfirmed: true, ...who }],
  [
    'a button of a template',
    { ...sent, type: 'button', button: { payload: 'a1.x', text: 'Acknowledge' } },
    { type: 'press', handle: 'a1.x', ...who },
  ],
  [
    'a button of a message',
    {
      ...sent,
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'r1.x', title: 'Resolve' } },
    },
    { type: 'press', handle: 'r1.x', ...who },
  ],
  ['a picture', { ...sent, type: 'image', image: { id: '1' } }, { type: 'ignored' }],
  ['a message of nobody', { ...text('ack 42'), from: undefined }, { type: 'ignored' }],
  ['a button without a payload', { ...sent, type: 'button', button: {} }, { type: 'ignored' }],
];
for (const [what, message, read] of cases)
  test(`it reads ${what}`, () => {
    assert.deepEqual(inboundsOf(payloadOf(changeOf({ messages: [message] }))), [read]);
  });

const status = (name: string, more: object = {}) => ({
  id: 'wamid.OUT',
  status: name,
  biz_opaque_callback_data: 'h1.x',
  ...more,
});
const states: readonly (readonly [object, state: string | null, blame?: string])[] = [
  [status('sent'), 'sent'],
  [status('delivered'), 'delivered'],
  [status('read'), 'delivered'],
  [status('failed', { errors: [{ code: 131026 }] }), 'undelivered', 'contact'],
  [status('failed', { errors: [{ code: 131042 }] }), 'undelivered', 'connection'],
  [status('failed', { errors: [{ code: 131047 }] }), 'undelivered', 'later'],
  [status('failed'), 'undelivered', 'later'],
  [status('deleted'), null],
  [status('sent', { biz_opaque_callback_data: undefined }), null],
];
for (const [one, state, blame = null] of states)
  test(`it reads the receipt ${JSON.stringify(one)}`, () => {
    const [inbound] = inboundsOf(payloadOf(changeOf({ statuses: [one] })));
    if (state === null) return assert.deepEqual(inbound, { type: 'ignored' });
    assert.ok(inbound?.type === 'receipt');
    assert.deepEqual(
      [inbound.handle, inbound.vendorId, inbound.receipt.state, inbound.receipt.blame],
      ['h1.x', 'wamid.OUT', state, blame],
    );
  });

test('what is for another number of the app, or of another kind, is not read', () => {
  const messages = [text('ack 42')];
  assert.deepEqual(inboundsOf(payloadOf(changeOf({ messages }, '999999999999'))), []);
  assert.deepEqual(inboundsOf(payloadOf(changeOf({ messages }, undefined, 'account_update'))), []);
  for (const odd of [
    'nothing',
    '[]',
    '{}',
    '{"object":"page"}',
    '{"object":"whatsapp_business_account","entry":[{"changes":[{}]}]}',
  ])
    assert.deepEqual(inboundsOf(odd), []);
});

test('a request is from Meta if one of the app secrets signed its bytes', () => {
  const request = requestOf(payloadOf());
  const refusal = (changed: Partial<CallbackRequest>, called = connection) =>
    'refused' in readWhatsAppCloud({ ...request, ...changed }, called);
  assert.equal(refusal({}), false);
  assert.equal(refusal({ headers: {} }), true);
  assert.equal(refusal({ headers: { 'x-hub-signature-256': 'sha256=00' } }), true);
  assert.equal(refusal({ body: Buffer.from(`${request.body.toString()} `) }), true);
  const replaced = {
    ...connection,
    secrets: { ...connection.secrets, app_secret: 'f'.repeat(32) },
    replacedSecrets: { app_secret: secret },
  };
  assert.equal(refusal({}, replaced), false);
  assert.equal(refusal({}, { ...replaced, replacedSecrets: {} }), true);
});

test('a challenge is answered to who knows the verify token', () => {
  const challenge = (query: string) =>
    readWhatsAppCloud(
      {
        ...requestOf(''),
        method: 'GET',
        url: `https://pager.example.com/callbacks/whatsapp/c1?${query}`,
      },
      connection,
    );
  const right = 'hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=a%20verify%20token';
  const read = challenge(right);
  assert.ok('answer' in read && read.answer.body === '1158201444');
  for (const wrong of [
    right.replace('subscribe', 'x'),
    right.replace('verify%20token', 'token'),
    right.replace('1158201444', '%3Cscript%3E'),
    '',
  ])
    assert.ok('refused' in challenge(wrong), wrong);
});

test('more than Meta sends at once is refused', () => {
  const messages = (count: number) =>
    payloadOf(changeOf({ messages: Array.from({ length: count }, () => text('ack 42')) }));
  assert.equal(inboundsOf(messages(sendingLimits.whatsAppUpdates)).length, 1_000);
  const read = readWhatsAppCloud(
    requestOf(messages(sendingLimits.whatsAppUpdates + 1)),
    connection,
  );
  assert.ok('refused' in read);
});
