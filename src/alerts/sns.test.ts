import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alertOf } from '../../test/alert-reading.ts';
import { testPublished } from '../../test/published.ts';
import { jsonIn, ofStatus } from '../../test/tool-samples.ts';
import type { Json } from './alert.ts';
import {
  envelopeIn,
  isCertificateOfSns,
  isOfSns,
  signedTextOf,
  storedEnvelope,
  unwrapSns,
} from './sns.ts';
import { isObject } from './text.ts';

const envelope = {
  Type: 'Notification',
  MessageId: '836fe1ec',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
  Subject: 'ALARM: disk',
  Message: '{"AlarmName":"disk"}',
  Timestamp: '2026-03-02T09:00:00.000Z',
};
const { Subject: _subject, ...untitled } = envelope;

test('what was published is JSON where it is an object or a list, and text otherwise', () => {
  for (const [text, message] of [
    ['{"AlarmName":"disk"}', { AlarmName: 'disk' }],
    [' [1]', [1]],
    ['disk is full', 'disk is full'],
    ['"disk"', '"disk"'],
    ['{"AlarmName":', '{"AlarmName":'],
    ['', ''],
  ] as const) {
    const json = { ...envelope, Message: text };
    assert.deepEqual(unwrapSns(json), { type: 'Notification', envelope: json, message });
  }
});

test('a confirmation is about nothing', () => {
  for (const Type of ['SubscriptionConfirmation', 'UnsubscribeConfirmation']) {
    const { type, nothing } = unwrapSns({ ...envelope, Type }) ?? {};
    assert.equal(type, Type);
    assert.match(nothing ?? '', /subscription/);
  }
});

test('what is not an envelope is not unwrapped', () => {
  const others: Json[] = [
    null,
    'text',
    [envelope],
    { AlarmName: 'disk' },
    { ...envelope, Type: 'Other' },
    { ...envelope, Message: { AlarmName: 'disk' } },
    { Type: 'Notification', Message: 'no topic' },
  ];
  for (const json of others) assert.equal(unwrapSns(json), undefined, JSON.stringify(json));
});

test('a signature covers the fields that Amazon documents, in their order', () => {
  const notification = { type: 'Notification', fields: envelope } as const;
  const rest = `Timestamp\n${envelope.Timestamp}\nTopicArn\n${envelope.TopicArn}\nType\n`;
  const start = 'Message\n{"AlarmName":"disk"}\nMessageId\n836fe1ec\n';
  assert.equal(signedTextOf(notification), `${start}Subject\nALARM: disk\n${rest}Notification\n`);
  assert.equal(
    signedTextOf({ ...notification, fields: untitled }),
    `${start}${rest}Notification\n`,
  );
  const type = 'SubscriptionConfirmation';
  const confirmation = { ...untitled, Type: type, Token: '23', SubscribeURL: 'https://sns/' };
  assert.equal(
    signedTextOf({ type, fields: confirmation }),
    `${start}SubscribeURL\nhttps://sns/\nTimestamp\n${envelope.Timestamp}\nToken\n23\nTopicArn\n${envelope.TopicArn}\nType\n${type}\n`,
  );
});

test('addresses that an envelope names are called only if they are of Amazon SNS', () => {
  const file = 'SimpleNotificationService-a86cb10b4e1f29c941702d737128f7b6.pem';
  const host = 'sns.eu-west-1.amazonaws.com';
  const own = `https://${host}/${file}`;
  for (const region of ['us-east-1', 'ap-southeast-2', 'us-gov-west-1', 'il-central-1'])
    assert.ok(isCertificateOfSns(own.replace('eu-west-1', region)), region);
  assert.ok(isCertificateOfSns(`https://sns.cn-north-1.amazonaws.com.cn/${file}`));
  assert.ok(isOfSns(`https://${host}/?Action=ConfirmSubscription&Token=23`));
  for (const other of [
    own.replace('https', 'http'),
    own.replace('.com/', '.com:8443/'),
    own.replace('.com/', '.com:443/'),
    own.replace('sns.', 'user:password@sns.'),
    own.replace('sns.', '@sns.'),
    own.replace('.com/', '.com.example.org/'),
    own.replace('.com/', '.com./'),
    own.replace('.com/', '.com@example.org/'),
    own.replace('https://', 'https://example.org/'),
    own.replace('https://', 'https:\\\\'),
    own.replace('https://', ' https://'),
    own.replace('.com/', '.com\t/'),
    own.replace('eu-west-1', 'a'),
    own.replace('eu-west-1', 'evil'),
    own.replace('eu-west-1', 'eu-west-1.evil'),
    own.replace('eu-west-1', '-eu-west-1-'),
    own.replace('eu-west-1', 'cn-north-1'),
    own.replace('.com/', '.com.cn/'),
    own.replace('sns.', 'xsns.'),
    own.replace('sns.', 'SNS.'),
    'https://bucket.s3.amazonaws.com/a.pem',
    `${host}/${file}`,
    '',
  ])
    assert.ok(!isOfSns(other) && !isCertificateOfSns(other), other);
});

test('a certificate is the file that Amazon SNS has it in, and nothing else there', () => {
  const at = 'https://sns.eu-west-1.amazonaws.com';
  for (const path of [
    '/?Action=x.pem',
    '/a.pem',
    '/SimpleNotificationService-zzzzzzzzzzzzzzzzzzzz.pem',
    '/SimpleNotificationService-a86cb10b4e1f29c941702d737128f7b6.pem?a=1',
    '/SimpleNotificationService-a86cb10b4e1f29c941702d737128f7b6.pem/x.pem',
    '/x/SimpleNotificationService-a86cb10b4e1f29c941702d737128f7b6.pem',
  ])
    assert.ok(!isCertificateOfSns(at + path), path);
});

test('what would end or confirm a subscription is not stored, unless people have to confirm it', () => {
  const addresses = { Token: '23', SubscribeURL: 'https://sns/', UnsubscribeURL: 'https://sns/' };
  const envelope = { type: 'Notification', fields: { ...untitled, ...addresses } } as const;
  const masked = { Token: '***', SubscribeURL: '***', UnsubscribeURL: '***' };
  assert.deepEqual(storedEnvelope(envelope, { result: 'good' }), { ...untitled, ...masked });
  assert.deepEqual(storedEnvelope(envelope, { result: 'unchecked', reason: '' }), {
    ...untitled,
    ...addresses,
    UnsubscribeURL: '***',
  });
});

test('alarms of Amazon CloudWatch come unwrapped', () => {
  const ofAlarms = [...ofStatus('firing'), ...ofStatus('resolved')];
  const alarms = ofAlarms.filter(({ type }) => type.slug === 'aws-cloudwatch');
  assert.ok(alarms.length >= 4);
  for (const { file, request, status } of alarms) {
    assert.ok(envelopeIn(request.body), file);
    const message = unwrapSns(jsonIn(request))?.message;
    assert.ok(isObject(message), file);
    assert.equal(message['NewStateValue'], status === 'firing' ? 'ALARM' : 'OK', file);
  }
});

testPublished(
  'payloads/aws-cloudwatch/',
  'the samples of Amazon CloudWatch come unwrapped',
  (under) => {
    const unwrapped = (file: string) => {
      const body = readFileSync(new URL(file, under));
      assert.ok(envelopeIn(body), file);
      return unwrapSns(JSON.parse(body.toString()));
    };
    const names = ['firing-1', 'resolved-1', 'firing-2', 'other-1'].map((name) => {
      const message = unwrapped(`${name}.json`)?.message;
      return isObject(message) ? [message['AlarmName'], message['NewStateValue']] : message;
    });
    assert.deepEqual(names, [
      ['Saffron-Octopus-RDS', 'ALARM'],
      ['Saffron-Octopus-RDS', 'OK'],
      ['bucketbytesAlarm', 'ALARM'],
      ['notificationCountAlarm', 'INSUFFICIENT_DATA'],
    ]);
    const { type, nothing } = unwrapped('other-2.json') ?? {};
    assert.equal(type, 'SubscriptionConfirmation');
    assert.ok(nothing);
  },
);

test('a message in an envelope is read whatever the type is', () => {
  const wrapped = (message: string, subject = 'x') =>
    JSON.stringify({
      Type: 'Notification',
      MessageId: 'm1',
      TopicArn: 'arn:aws:sns:eu-west-1:1:alerts',
      Subject: subject,
      Message: message,
      Timestamp: '2026-11-28T01:00:00.000Z',
    });
  const alarm = (state: string) =>
    JSON.stringify({ AlarmName: 'cpu', NewStateValue: state, AlarmArn: 'arn:x' });
  const own = (status: string) => JSON.stringify({ title: 'Disk full', dedup_key: 'db', status });
  for (const slug of ['goalert', 'webhook', 'grafana', 'email', 'pagerduty-events-v2']) {
    const [begun, ended] = ['ALARM', 'OK'].map((state) => alertOf(slug, wrapped(alarm(state))));
    assert.deepEqual([begun?.action, ended?.action], ['trigger', 'resolve'], slug);
    assert.deepEqual([begun?.dedup_key, ended?.dedup_key], ['arn:x', 'arn:x'], slug);
    const text = alertOf(slug, wrapped('db-1 is slow', 'OK: db-1'));
    assert.deepEqual([text.action, text.title], ['resolve', 'OK: db-1'], slug);
  }
  const [begun, ended] = ['firing', 'resolved'].map((status) =>
    alertOf('webhook', wrapped(own(status))),
  );
  assert.deepEqual([begun?.dedup_key, ended?.action], ['db', 'resolve']);
  const close = JSON.stringify({ summary: 'Disk full', dedup: 'db', action: 'close' });
  const closed = alertOf('goalert', wrapped(close));
  assert.deepEqual([closed.dedup_key, closed.action], ['db', 'resolve']);
});

test('a subject of nothing but a state is no key', () => {
  const group = (name: string, subject: string) =>
    alertOf(
      'aws-sns',
      JSON.stringify({
        Type: 'Notification',
        MessageId: name,
        TopicArn: 'arn:aws:sns:eu:1:a',
        Subject: subject,
        Message: `Alerts:\nLabels:\n - alertname = ${name}\n - instance = db-9\n`,
      }),
    );
  const [disk, queue] = ['DiskFull', 'QueueStuck'].map((name) => group(name, '[FIRING:1]'));
  assert.notEqual(disk?.dedup_key, queue?.dedup_key);
  assert.equal(disk?.title, '[FIRING:1] DiskFull');
  const ended = group('DiskFull', '[RESOLVED]');
  assert.deepEqual([ended.action, ended.dedup_key], ['resolve', disk?.dedup_key]);
});

test('a message that Google Cloud Pub/Sub pushes is read without its envelope', () => {
  const pushed = (message: Json) =>
    JSON.stringify({
      message: { data: Buffer.from(JSON.stringify(message)).toString('base64'), messageId: '1' },
      subscription: 'projects/shop/subscriptions/alerts',
    });
  const sent = (status: string) => pushed({ title: 'Disk full', dedup_key: 'db', status });
  const [begun, ended] = ['firing', 'resolved'].map((status) => alertOf('webhook', sent(status)));
  assert.deepEqual(
    [begun?.title, begun?.action, ended?.action],
    ['Disk full', 'trigger', 'resolve'],
  );
  assert.deepEqual([begun?.dedup_key, ended?.dedup_key], ['db', 'db']);
});
