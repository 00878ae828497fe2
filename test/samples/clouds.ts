// Clouds, and events in the form of CloudEvents.
import type { JsonObject } from '../../src/alerts/alert.ts';
import { message, messages, type ToolSamples } from './sample.ts';

const topic = 'arn:aws:sns:eu-west-1:123456789012:alarms';

/** As Amazon SNS wraps it; the signature is of the tests that check one. */
const enveloped = (Message: string, Subject = '') => ({
  Type: 'Notification',
  MessageId: '836fe1ec-79e0-56b8-827f-b66569e37e11',
  TopicArn: topic,
  ...(Subject !== '' && { Subject }),
  Message,
  Timestamp: '2026-11-21T03:00:00.000Z',
});

const alarm = (NewStateValue: string, NewStateReason: string, name = 'disk-of-db-1') => ({
  AlarmName: name,
  AlarmArn: `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${name}`,
  AWSAccountId: '123456789012',
  Region: 'EU (Ireland)',
  NewStateValue,
  OldStateValue: NewStateValue === 'OK' ? 'ALARM' : 'OK',
  NewStateReason,
});
const ofAlarm = (state: string, reason: string, name?: string) =>
  enveloped(JSON.stringify(alarm(state, reason, name)), `${state}: "${name ?? 'disk-of-db-1'}"`);
const alarmKey = 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:disk-of-db-1';

const eventOf = (
  type: string,
  source: string,
  detail: JsonObject,
  resources: readonly string[] = [],
) => ({
  version: '0',
  id: '6a7e',
  'detail-type': type,
  source,
  account: '123456789012',
  time: '2026-11-21T03:00:00Z',
  region: 'eu-west-1',
  resources,
  detail,
});
const alarmEvent = (value: string) =>
  eventOf(
    'CloudWatch Alarm State Change',
    'aws.cloudwatch',
    { alarmName: 'disk-of-db-1', state: { value, reason: 'Threshold' } },
    [alarmKey],
  );
const finding = (n: number, label: string, status: string) => ({
  Id: `arn:aws:securityhub:eu-west-1:123456789012:finding/${n}`,
  Title: `Bucket ${n} is public`,
  Severity: { Label: label },
  Workflow: { Status: status },
  RecordState: 'ACTIVE',
});
const build = (status: string, id: string) =>
  eventOf('CodeBuild Build State Change', 'aws.codebuild', {
    'build-status': status,
    'project-name': 'shop',
    'build-id': id,
  });

const azure = (monitorCondition: string, over: JsonObject = {}) => ({
  schemaId: 'azureMonitorCommonAlertSchema',
  data: {
    essentials: {
      alertId: '/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/77',
      alertRule: 'Disk of db-1',
      severity: 'Sev1',
      monitorCondition,
      alertTargetIDs: ['/subscriptions/1/vm/db-1'],
      ...over,
    },
    alertContext: {},
  },
});

const gcp = (state: string, over: JsonObject = {}) => ({
  version: '1.2',
  incident: {
    incident_id: '0.abc',
    policy_name: 'Disk usage',
    condition_name: 'above 90 %',
    resource_name: 'db-1',
    severity: 'Critical',
    state,
    started_at: 1795230000,
    ended_at: state === 'closed' ? 1795230600 : null,
    url: 'https://console.cloud.google.com/monitoring/alerting/incidents/0.abc',
    ...over,
  },
});

const cloudflare = (alert_event: string, alert_type = 'http_alert_origin_error') => ({
  name: 'Origin',
  text: 'The origin of shop.example.com answers with errors',
  alert_type,
  alert_event,
  alert_correlation_id: '39f2',
  account_id: 'acc1',
  policy_id: 'pol1',
  policy_name: 'Origin errors',
  ts: 1795230000,
  data: { severity: 'critical' },
});

const cloudEvent = (type: string, subject = 'disk/var', summary = 'Disk of db-1 is full') => ({
  specversion: '1.0',
  id: 'e1',
  source: '/hosts/db-1',
  type,
  subject,
  datacontenttype: 'application/json',
  data: { summary, severity: 'critical' },
});

export const clouds: Readonly<Record<string, ToolSamples>> = {
  'aws-cloudwatch': {
    source:
      'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html',
    sent: [
      message('firing', ofAlarm('ALARM', '97 %'), ['trigger', alarmKey, 'disk-of-db-1']),
      message('firing again', ofAlarm('ALARM', '98 %'), ['trigger', alarmKey, 'disk-of-db-1']),
      message('another alarm', ofAlarm('ALARM', '97 %', 'load-of-db-1'), [
        'trigger',
        'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:load-of-db-1',
        'load-of-db-1',
      ]),
      message('resolved', ofAlarm('OK', '50 %'), ['resolve', alarmKey, 'disk-of-db-1']),
      messages('too little data', ofAlarm('INSUFFICIENT_DATA', 'none'), []),
    ],
  },
  'aws-eventbridge': {
    source: 'https://docs.aws.amazon.com/eventbridge/latest/ref/events-structure.html',
    sent: [
      message('firing', alarmEvent('ALARM'), ['trigger', alarmKey, 'disk-of-db-1']),
      message('firing again', { ...alarmEvent('ALARM'), id: '6a7f' }, [
        'trigger',
        alarmKey,
        'disk-of-db-1',
      ]),
      messages(
        'several in one body',
        eventOf('Security Hub Findings - Imported', 'aws.securityhub', {
          findings: [finding(1, 'CRITICAL', 'NEW'), finding(2, 'MEDIUM', 'NEW')],
        }),
        [
          [
            'trigger',
            'arn:aws:securityhub:eu-west-1:123456789012:finding/1',
            'Bucket 1 is public',
            'sev1',
          ],
          [
            'trigger',
            'arn:aws:securityhub:eu-west-1:123456789012:finding/2',
            'Bucket 2 is public',
            'sev3',
          ],
        ],
      ),
      messages(
        'all of several are solved',
        eventOf('Security Hub Findings - Imported', 'aws.securityhub', {
          findings: [finding(1, 'CRITICAL', 'RESOLVED'), finding(2, 'MEDIUM', 'SUPPRESSED')],
        }),
        [
          [
            'resolve',
            'arn:aws:securityhub:eu-west-1:123456789012:finding/1',
            'Bucket 1 is public',
            'sev1',
          ],
          [
            'resolve',
            'arn:aws:securityhub:eu-west-1:123456789012:finding/2',
            'Bucket 2 is public',
            'sev3',
          ],
        ],
      ),
      message('a build fails', build('FAILED', 'b1'), [
        'trigger',
        'aws.codebuild | CodeBuild Build State Change | shop',
        'CodeBuild Build State Change: shop',
      ]),
      message('the next build passes', build('SUCCEEDED', 'b2'), [
        'resolve',
        'aws.codebuild | CodeBuild Build State Change | shop',
        'CodeBuild Build State Change: shop',
      ]),
      message('resolved', alarmEvent('OK'), ['resolve', alarmKey, 'disk-of-db-1']),
    ],
  },
  'aws-sns': {
    source: 'https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html',
    sent: [
      message('firing', enveloped('97 % are used', 'ALARM: disk of db-1'), [
        'trigger',
        `${topic} | disk of db-1`,
        'ALARM: disk of db-1',
      ]),
      message('firing again', enveloped('98 % are used', 'ALARM: disk of db-1'), [
        'trigger',
        `${topic} | disk of db-1`,
        'ALARM: disk of db-1',
      ]),
      message('resolved', enveloped('50 % are used', 'OK: disk of db-1'), [
        'resolve',
        `${topic} | disk of db-1`,
        'OK: disk of db-1',
      ]),
    ],
  },
  'azure-monitor': {
    source: 'https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-common-schema',
    sent: [
      message('firing', azure('Fired'), [
        'trigger',
        '/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/77',
        'Disk of db-1',
        'sev1',
      ]),
      message('less severe', azure('Fired', { severity: 'Sev3' }), [
        'trigger',
        '/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/77',
        'Disk of db-1',
        'sev3',
      ]),
      message(
        'another rule',
        azure('Fired', {
          alertId: '/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/78',
          alertRule: 'Load of web-9',
          alertTargetIDs: ['/subscriptions/1/vm/web-9'],
        }),
        [
          'trigger',
          '/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/78',
          'Load of web-9',
          'sev1',
        ],
      ),
      message('resolved', azure('Resolved', { resolvedDateTime: '2026-11-21T03:10:00Z' }), [
        'resolve',
        '/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/77',
        'Disk of db-1',
        'sev1',
      ]),
    ],
  },
  'gcp-monitoring': {
    source: 'https://cloud.google.com/monitoring/support/notification-options#webhooks',
    sent: [
      message('firing', gcp('open'), ['trigger', '0.abc', 'Disk usage: above 90 %', 'sev1']),
      message('less severe', gcp('open', { severity: 'Warning' }), [
        'trigger',
        '0.abc',
        'Disk usage: above 90 %',
        'sev3',
      ]),
      message(
        'another policy',
        gcp('open', {
          incident_id: '0.abd',
          policy_name: 'Load',
          condition_name: 'above 4',
          resource_name: 'web-9',
          url: 'https://console.cloud.google.com/monitoring/alerting/incidents/0.abd',
        }),
        ['trigger', '0.abd', 'Load: above 4', 'sev1'],
      ),
      message('resolved', gcp('closed'), ['resolve', '0.abc', 'Disk usage: above 90 %', 'sev1']),
    ],
  },
  cloudflare: {
    source: 'https://developers.cloudflare.com/notifications/reference/webhook-payload-schema/',
    sent: [
      message('firing', cloudflare('ALERT_STATE_EVENT_START'), [
        'trigger',
        '39f2',
        'The origin of shop.example.com answers with errors',
        'sev1',
      ]),
      message('firing again', { ...cloudflare('ALERT_STATE_EVENT_START'), ts: 1795230300 }, [
        'trigger',
        '39f2',
        'The origin of shop.example.com answers with errors',
        'sev1',
      ]),
      message('resolved', cloudflare('ALERT_STATE_EVENT_END'), [
        'resolve',
        '39f2',
        'The origin of shop.example.com answers with errors',
        'sev1',
      ]),
    ],
  },
  cloudevents: {
    source: 'https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md',
    sent: [
      message('firing', cloudEvent('com.example.disk.firing'), [
        'trigger',
        '/hosts/db-1 | disk/var | com.example.disk',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message('firing again', { ...cloudEvent('com.example.disk.firing'), id: 'e2' }, [
        'trigger',
        '/hosts/db-1 | disk/var | com.example.disk',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message(
        'in the headers',
        { summary: 'Load of db-1 is high', severity: 'warning' },
        ['trigger', '/hosts/db-1 | load | com.example.load', 'Load of db-1 is high', 'sev3'],
        {
          headers: {
            'ce-specversion': '1.0',
            'ce-type': 'com.example.load.firing',
            'ce-source': '/hosts/db-1',
            'ce-subject': 'load',
          },
        },
      ),
      message('resolved', cloudEvent('com.example.disk.resolved'), [
        'resolve',
        '/hosts/db-1 | disk/var | com.example.disk',
        'Disk of db-1 is full',
        'sev1',
      ]),
    ],
  },
};
