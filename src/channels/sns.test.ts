import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  certificate,
  certificateUrl,
  confirmation,
  notification,
  signed,
  startSns,
  subscribeUrl,
  unsubscription,
} from '../../test/vendors/sns.ts';
import type { JsonObject } from '../alerts/alert.ts';
import { envelopeIn } from '../alerts/sns.ts';
import { systemClock } from '../engine/clock.ts';
import { silentLog } from '../engine/log.ts';
import type { Delivery } from '../engine/sending/channel.ts';
import { selfSigned } from '../terraform/protocol/certificate.ts';
import { createSnsClient, snsByHttp } from './sns.ts';

const fetched: Delivery = { outcome: 'delivered', status: 200, answer: certificate };
const away: Delivery = { outcome: 'no_answer', reason: 'timed out connecting' };

/** Amazon SNS, and a clock that is set by hand. */
function open(answers: { certificate?: Delivery; confirmation?: Delivery } = {}) {
  const requests: string[] = [];
  let now = Temporal.Instant.from('2026-03-02T09:00:00Z');
  const answering = (answer: Delivery) => ({
    async request({ url }: { url: string }) {
      requests.push(url);
      return answer;
    },
  });
  const client = createSnsClient({
    log: silentLog,
    clock: { now: () => now },
    certificates: answering(answers.certificate ?? fetched),
    confirmations: answering(answers.confirmation ?? { outcome: 'delivered' }),
  });
  return {
    requests,
    pass: (seconds: number) => {
      now = now.add({ seconds });
    },
    check: (message: JsonObject) => client.checkSignature(envelopeOf(message), 'org'),
    result: async (message: JsonObject) =>
      (await client.checkSignature(envelopeOf(message), 'org')).result,
    confirm: (message: JsonObject) => client.confirm(envelopeOf(message), 'org'),
  };
}

function envelopeOf(message: JsonObject) {
  const envelope = envelopeIn(Buffer.from(JSON.stringify(message)));
  assert.ok(envelope);
  return envelope;
}

test('what Amazon SNS signed is known as such, in both versions', async () => {
  const { result } = open();
  for (const version of ['1', '2'] as const)
    for (const message of [
      notification,
      { ...notification, Subject: 'ALARM: "disk" in EU (Ireland)' },
      { ...notification, Message: 'Größe ☎\n\n{"a":1}\n' },
      confirmation,
      unsubscription,
    ])
      assert.equal(await result(signed(message, version)), 'good', `${message.Type} ${version}`);
});

test('one changed field makes a signature bad', async () => {
  const { result } = open();
  for (const message of [{ ...notification, Subject: 'disk' }, confirmation])
    for (const name of Object.keys(message).filter((one) => one !== 'Type')) {
      const whole = signed(message);
      assert.equal(await result({ ...whole, [name]: 'other' }), 'bad', name);
    }
  const { Subject: _, ...untitled } = signed({ ...notification, Subject: 'disk' });
  assert.equal(await result(untitled), 'bad');
  assert.equal(await result({ ...signed(notification), SignatureVersion: '2' }), 'bad');
  assert.equal(await result({ ...signed(notification), Signature: 'EXAMPLE' }), 'bad');
  assert.equal(await result({ ...signed(notification), Signature: null }), 'bad');
  assert.equal(await result({ ...signed(confirmation), Type: 'Notification' }), 'bad');
});

test('a certificate elsewhere makes it bad, and is not fetched', async () => {
  const { result, requests } = open();
  for (const url of [
    certificateUrl.replace('https', 'http'),
    certificateUrl.replace('amazonaws.com', 'amazonaws.com.example.org'),
    certificateUrl.replace('.pem', '.txt'),
    'file:///etc/passwd.pem',
    null,
  ])
    assert.equal(await result({ ...signed(notification), SigningCertURL: url }), 'bad');
  assert.deepEqual(requests, []);
});

test('a signature that cannot be checked is no bad one', async () => {
  const { check } = open();
  const { Signature: _, ...bare } = signed(notification);
  assert.deepEqual(await check(bare), { result: 'absent', reason: 'the message has none' });
  for (const version of ['3', 'constructor', null, { a: 1 }])
    assert.deepEqual(await check({ ...signed(notification), SignatureVersion: version }), {
      result: 'unchecked',
      reason: 'its version is unknown',
    });
  assert.deepEqual(await open({ certificate: away }).check(signed(notification)), {
    result: 'unchecked',
    reason: 'its certificate could not be fetched: timed out connecting',
  });
  const { pem } = selfSigned(Date.now());
  for (const answer of ['<html>', '', certificate.slice(0, 500), pem])
    assert.deepEqual(
      await open({ certificate: { outcome: 'delivered', answer } }).check(signed(notification)),
      { result: 'unchecked', reason: 'its certificate cannot be read' },
    );
});

test('a certificate is fetched once, however many messages name it', async () => {
  const { result, requests } = open();
  const all = await Promise.all(Array.from({ length: 20 }, () => result(signed(notification))));
  assert.deepEqual(new Set(all), new Set(['good']));
  await result(signed(confirmation));
  assert.deepEqual(requests, [certificateUrl]);
});

test('a certificate that could not be fetched is tried again after a minute', async () => {
  const { result, requests, pass } = open({ certificate: away });
  for (const seconds of [0, 59, 1]) {
    pass(seconds);
    assert.equal(await result(signed(notification)), 'unchecked');
  }
  assert.equal(requests.length, 2);
});

test('of many certificates those that were used last stay, and eight are fetched at once', async () => {
  const { result, requests } = open();
  const at = (number: number) => ({
    ...signed(notification),
    SigningCertURL: certificateUrl.replace('0000', String(number).padStart(4, '0')),
  });
  const results = await Promise.all(Array.from({ length: 9 }, (_, number) => result(at(number))));
  assert.deepEqual(results, [...Array<string>(8).fill('good'), 'unchecked']);
  for (let number = 8; number < 100; number += 1) await result(at(number));
  await result(at(0));
  await result(at(100));
  assert.equal(requests.length, 101);
  await result(at(0));
  assert.equal(requests.length, 101);
  await result(at(1));
  assert.equal(requests.length, 102);
});

test('a subscription is confirmed at the address of Amazon SNS that its message names', async () => {
  const { confirm, requests } = open();
  assert.equal(await confirm(signed(confirmation)), null);
  assert.deepEqual(requests, [subscribeUrl]);
  for (const url of ['https://example.org/?Action=ConfirmSubscription', null])
    assert.equal(
      await confirm({ ...confirmation, SubscribeURL: url }),
      'the address is not an Amazon SNS address',
    );
  assert.equal(requests.length, 1);
  assert.equal(await open({ confirmation: away }).confirm(confirmation), 'timed out connecting');
});

test('16 subscriptions are confirmed at once', async () => {
  const { confirm } = open();
  const all = await Promise.all(Array.from({ length: 17 }, () => confirm(confirmation)));
  assert.deepEqual(all, [...Array<null>(16).fill(null), 'too many are being confirmed']);
});

test('over HTTP, at another address where the operator has set one', async () => {
  await using sns = await startSns();
  const parts = { allowNetworks: [], log: silentLog, clock: systemClock, baseUrl: sns.url };
  const client = snsByHttp(parts);
  for (const message of [signed(notification), signed(confirmation, '2')])
    assert.deepEqual(await client.checkSignature(envelopeOf(message), 'org'), { result: 'good' });
  const other = { ...signed(notification), SigningCertURL: certificateUrl.replace('0000', 'dead') };
  assert.deepEqual(await client.checkSignature(envelopeOf(other), 'org'), {
    result: 'unchecked',
    reason: 'its certificate could not be fetched: answered 404',
  });
  assert.equal(await client.confirm(envelopeOf(confirmation), 'org'), null);
  const late = { ...confirmation, SubscribeURL: subscribeUrl.replace('23', '24') };
  assert.equal(await client.confirm(envelopeOf(late), 'org'), 'answered 400');
  assert.deepEqual(sns.confirmed, ['23']);
});
