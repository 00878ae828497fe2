import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionOf, alertOf, readingOf } from '../../../test/alert-reading.ts';
import type { Json } from '../alert.ts';

const topic = 'arn:aws:sns:eu-west-1:123456789012:alerts';

/** As SNS delivers it. */
const published = (message: Json, subject?: string) => ({
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: topic,
  ...(subject !== undefined && { Subject: subject }),
  Message: typeof message === 'string' ? message : JSON.stringify(message),
  Timestamp: '2026-11-21T02:41:10.000Z',
});

const event = (type: string, detail: Json, more = {}) => ({
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': type,
  source: 'aws.any',
  account: '123456789012',
  region: 'eu-west-1',
  resources: [] as string[],
  detail,
  ...more,
});

test('an alarm of CloudWatch is the same incident by either type', () => {
  const alarm = (state: string) => ({
    AlarmName: 'High CPU',
    AlarmArn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:High CPU',
    NewStateValue: state,
  });
  const opened = alertOf('aws-sns', published(alarm('ALARM'), 'ALARM: "High CPU" in EU (Ireland)'));
  const ended = alertOf('aws-sns', published(alarm('OK'), 'OK: "High CPU" in EU (Ireland)'));
  assert.deepEqual([opened.action, ended.action, opened.title], ['trigger', 'resolve', 'High CPU']);
  assert.equal(ended.dedup_key, opened.dedup_key);
  const plain = alertOf('aws-cloudwatch', published(alarm('ALARM')));
  assert.equal(plain.dedup_key, opened.dedup_key);
});

test('a text published to a topic has its subject as title and key', () => {
  const opened = alertOf('aws-sns', published('Queue is at 250', 'Queue of payments'));
  const ended = alertOf('aws-sns', published('Queue is at 0', 'RESOLVED: Queue of payments'));
  assert.deepEqual([opened.action, opened.title], ['trigger', 'Queue of payments']);
  assert.deepEqual([ended.action, ended.dedup_key], ['resolve', opened.dedup_key]);
  const other = alertOf('aws-sns', published('Queue is at 250', 'Queue of orders'));
  assert.notEqual(other.dedup_key, opened.dedup_key);
});

test('JSON published to a topic, in its envelope or raw, may say key and state', () => {
  const body = (status: string) => ({ title: 'Disk is full', dedup_key: 'db-1/disk', status });
  const cases = [body('resolved'), published(body('resolved'))];
  for (const one of cases) {
    const { action, dedup_key } = alertOf('aws-sns', one);
    assert.deepEqual([action, dedup_key], ['resolve', 'db-1/disk']);
  }
  assert.equal(alertOf('aws-sns', published(body('firing'))).action, 'trigger');
});

test('a test of Auto Scaling and the confirmation of a subscription ask for nothing', () => {
  assert.equal(
    actionOf('aws-sns', published({ Event: 'autoscaling:TEST_NOTIFICATION' })),
    'nothing',
  );
  const confirmation = { Type: 'SubscriptionConfirmation', TopicArn: topic, Message: 'You have' };
  for (const slug of ['aws-sns', 'aws-eventbridge'])
    assert.equal(actionOf(slug, confirmation), 'nothing');
});

test('AWS Health opens and closes by the ARN of its event', () => {
  const health = (statusCode: string, eventTypeCategory = 'issue') =>
    event('AWS Health Event', {
      statusCode,
      eventTypeCategory,
      service: 'EC2',
      eventRegion: 'eu-west-1',
      eventArn: 'arn:aws:health:eu-west-1::event/EC2/AWS_EC2_OPERATIONAL_ISSUE/x',
      eventTypeCode: 'AWS_EC2_OPERATIONAL_ISSUE',
    });
  const opened = alertOf('aws-eventbridge', health('open'));
  assert.equal(opened.title, 'EC2 in eu-west-1: AWS_EC2_OPERATIONAL_ISSUE');
  assert.equal(alertOf('aws-eventbridge', health('closed')).action, 'resolve');
  assert.equal(alertOf('aws-sns', published(health('open'))).dedup_key, opened.dedup_key);
  assert.equal(actionOf('aws-eventbridge', health('open', 'scheduledChange')), 'nothing');
});

test('findings of Security Hub are alerts of their own', () => {
  const finding = (id: string, more = {}) => ({
    Id: id,
    Title: `Finding ${id}`,
    Severity: { Label: 'HIGH' },
    RecordState: 'ACTIVE',
    Workflow: { Status: 'NEW' },
    Compliance: { Status: 'FAILED' },
    ...more,
  });
  const findings = [finding('a'), finding('b', { RecordState: 'ARCHIVED' })];
  const body = event('Security Hub Findings - Imported', {
    findings: [...findings, finding('c', { Compliance: { Status: 'PASSED' } })],
  });
  const reading = readingOf('aws-eventbridge', body);
  assert.ok('alerts' in reading);
  assert.deepEqual(
    reading.alerts.map(({ action, dedup_key, severity }) => [action, dedup_key, severity]),
    [
      ['trigger', 'a', 'sev2'],
      ['resolve', 'b', 'sev2'],
      ['resolve', 'c', 'sev2'],
    ],
  );
});

test('a pipeline that fails triggers, its next success resolves, its start does nothing', () => {
  const pipeline = (state: string) =>
    event('CodePipeline Pipeline Execution State Change', { pipeline: 'shop', state });
  const opened = alertOf('aws-eventbridge', pipeline('FAILED'));
  const ended = alertOf('aws-eventbridge', pipeline('SUCCEEDED'));
  assert.equal(opened.title, 'CodePipeline Pipeline Execution State Change: shop');
  assert.deepEqual([ended.action, ended.dedup_key], ['resolve', opened.dedup_key]);
  assert.equal(actionOf('aws-eventbridge', pipeline('STARTED')), 'nothing');
});

test('findings of GuardDuty are graded by their number', () => {
  for (const [severity, grade] of [
    [8, 'sev1'],
    [5.3, 'sev2'],
    [2, 'sev3'],
  ] as const) {
    const alert = alertOf(
      'aws-eventbridge',
      event('GuardDuty Finding', { id: '1', title: 'Scan', severity }),
    );
    assert.deepEqual([alert.title, alert.severity], ['Scan', grade]);
  }
});

test('a subject of Amazon SNS ends a problem if it is marked so, not if it begins with such a word', () => {
  const action = (subject: string) => alertOf('aws-sns', published('x', subject)).action;
  for (const subject of ['Closed connection to db', 'Cleared cache failed', 'OK button is broken'])
    assert.equal(action(subject), 'trigger', subject);
  for (const subject of ['OK: db', '[Resolved] db', 'CLEARED - db', 'db has recovered'])
    assert.equal(action(subject), 'resolve', subject);
});
