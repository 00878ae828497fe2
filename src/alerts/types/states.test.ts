import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionOf, alertOf, readingOf } from '../../../test/alert-reading.ts';
import type { Json } from '../alert.ts';

type Case = { readonly is: string; readonly body: Json; readonly headers?: Record<string, string> };

const unsampled: Readonly<Record<string, readonly Case[]>> = {
  site24x7: [
    { is: 'trigger', body: { MONITORNAME: 'web', STATUS: 'TROUBLE' } },
    { is: 'nothing', body: { MONITORNAME: 'web', STATUS: 'Maintenance' } },
  ],
  checkly: [
    { is: 'trigger', body: { check_id: 'c', alert_type: 'ALERT_FAILURE_REMAIN' } },
    { is: 'resolve', body: { check_id: 'c', alert_type: 'ALERT_DEGRADED_RECOVERY' } },
    { is: 'nothing', body: { check_id: 'c', alert_type: 'NO_ALERT' } },
  ],
  dynatrace: [
    { is: 'trigger', body: { PID: '1', State: 'MERGED' } },
    {
      is: 'resolve',
      body: { 'event.kind': 'DAVIS_PROBLEM', 'event.id': '1', 'event.status': 'CLOSED' },
    },
  ],
  'splunk-observability': [
    {
      is: 'resolve',
      body: { incidentId: 'i', messageTitle: 'a', statusExtended: 'manually resolved' },
    },
    {
      is: 'nothing',
      body: { incidentId: 'i', messageTitle: 'Test: a', statusExtended: 'anomalous' },
    },
  ],
  graylog: [
    {
      is: 'nothing',
      body: {
        event_definition_id: 'this-is-a-test-notification',
        event_definition_type: 'test-dummy-v1',
        event: { message: 'Notification test message' },
      },
    },
  ],
  prtg: [
    { is: 'nothing', body: { sensorid: '1', status: 'Down ended (now: Unknown)' } },
    { is: 'nothing', body: { sensorid: '1', status: 'Paused (Paused by parent)' } },
    { is: 'acknowledge', body: { sensorid: '1', status: 'Down (Acknowledged)' } },
    { is: 'trigger', body: { sensorid: '1', status: 'Warning ended (now: Down)' } },
    { is: 'trigger', body: { sensorid: '1', status: 'Down (Partial)' } },
    { is: 'resolve', body: { sensorid: '1', status: 'Fehler beendet (jetzt: OK)' } },
  ],
  librenms: [
    {
      is: 'nothing',
      body: { alert_id: '000', uid: '000', sysName: 'a', state: '1', title: 'Testing transport' },
    },
    { is: 'acknowledge', body: { alert_id: '2', sysName: 'a', state: '2', title: 'sw-1' } },
    { is: 'trigger', body: { alert_id: 2, sysName: 'a', state: 3, title: 'sw-1 got worse' } },
    { is: 'resolve', body: { alert_id: 2, sysName: 'a', title: 'Device a recovered from Ping' } },
  ],
  github: [
    { is: 'nothing', body: { action: 'in_progress', workflow_run: { conclusion: null } } },
    { is: 'nothing', body: { action: 'completed', workflow_run: { conclusion: 'cancelled' } } },
    { is: 'trigger', body: { action: 'completed', workflow_run: { conclusion: 'timed_out' } } },
    {
      is: 'nothing',
      body: { action: 'completed', check_run: { name: 'a', conclusion: 'skipped' } },
    },
    { is: 'nothing', body: { zen: 'Keep it simple.', hook: { id: 1 } } },
    {
      is: 'nothing',
      body: { ref: 'refs/heads/main', repository: { full_name: 'a/b' }, sender: { login: 'c' } },
      headers: { 'x-github-event': 'push' },
    },
  ],
  gitlab: [
    { is: 'nothing', body: { object_kind: 'push', ref: 'refs/heads/main' } },
    { is: 'nothing', body: { object_kind: 'pipeline', object_attributes: { status: 'running' } } },
    {
      is: 'nothing',
      body: {
        object_kind: 'build',
        build_name: 'a',
        build_status: 'failed',
        build_allow_failure: true,
      },
    },
    {
      is: 'trigger',
      body: {
        object_kind: 'issue',
        object_attributes: { type: 'Incident', action: 'open', iid: 1 },
      },
    },
  ],
  argocd: [
    { is: 'nothing', body: { app: 'shop', health: 'Progressing', phase: 'Running' } },
    { is: 'trigger', body: { app: 'shop', health: 'Healthy', sync: 'Unknown' } },
  ],
  jira: [
    { is: 'nothing', body: { webhookEvent: 'jira:issue_updated', issue: { id: '1' } } },
    { is: 'nothing', body: { webhookEvent: 'comment_created', issue: { id: '1' } } },
    {
      is: 'resolve',
      body: {
        webhookEvent: 'jira:issue_updated',
        issue: {
          id: '1',
          fields: { status: { name: 'Erledigt', statusCategory: { key: 'done' } } },
        },
      },
    },
    { is: 'trigger', body: { key: 'OPS-1', id: '1', fields: { summary: 'Disk is full' } } },
  ],
  cloudflare: [
    {
      is: 'nothing',
      body: { text: 'Hello World! This is a test message sent from https://cloudflare.com. …' },
    },
    {
      is: 'resolve',
      body: { policy_id: 'p', alert_type: 'x', alert_event: 'ALERT_STATE_EVENT_END', text: 'a' },
    },
    {
      is: 'trigger',
      body: { policy_id: 'p', alert_type: 'x', data: { new_health: 'Unhealthy' }, text: 'a' },
    },
    {
      is: 'resolve',
      body: {
        policy_id: 'p',
        alert_type: 'tunnel_health_event',
        data: { new_status: 'TUNNEL_STATUS_TYPE_HEALTHY' },
      },
    },
  ],
  monit: [
    {
      is: 'nothing',
      body: '<?xml version="1.0"?><monit id="a"><event><service>web-01</service><id>65536</id><state>2</state><message>Monit started</message></event></monit>',
    },
    { is: 'trigger', body: { MONIT_SERVICE: 'web', MONIT_EVENT: 'Does not exist' } },
    { is: 'resolve', body: { MONIT_SERVICE: 'web', MONIT_EVENT: 'Exists' } },
    { is: 'nothing', body: { MONIT_SERVICE: 'web', MONIT_EVENT: 'Monit instance changed' } },
  ],
  kapacitor: [{ is: 'trigger', body: { id: 'cpu', level: 'INFO', message: 'a' } }],
  rollbar: [
    { is: 'nothing', body: { event_name: 'deploy', data: { deploy: { id: 1 } } } },
    { is: 'nothing', body: { event_name: 'test', data: { message: 'This is a test payload' } } },
    { is: 'trigger', body: { event_name: 'item_velocity', data: { item: { id: 1 } } } },
  ],
  bugsnag: [
    { is: 'nothing', body: { trigger: { type: 'release' }, project: { name: 'shop' } } },
    {
      is: 'nothing',
      body: {
        trigger: { type: 'errorStateManualChange', stateChange: 'snoozed' },
        error: { errorId: '1', status: 'snoozed' },
      },
    },
    {
      is: 'trigger',
      body: { trigger: { type: 'reopened' }, error: { errorId: '1', status: 'open' } },
    },
  ],
  logicmonitor: [
    { is: 'acknowledge', body: { alertid: 'LMD1', alertstatus: 'ack' } },
    { is: 'nothing', body: { alertid: 'LMD1', alertstatus: 'test' } },
  ],
};

for (const [slug, cases] of Object.entries(unsampled))
  test(`states of ${slug} that no sample shows`, () => {
    for (const { is, body, headers } of cases)
      assert.equal(actionOf(slug, body, { ...(headers && { headers }) }), is, JSON.stringify(body));
  });

test('problems of one declaration that differ have keys of their own', () => {
  const pairs: readonly (readonly [string, Json, Json])[] = [
    [
      'graylog',
      { event_definition_id: 'd', event: { key: 'api-1' } },
      { event_definition_id: 'd', event: { key: 'api-2' } },
    ],
    [
      'cloudflare',
      { policy_id: 'p', alert_type: 'lb', data: { pool_name: 'a' } },
      { policy_id: 'p', alert_type: 'lb', data: { pool_name: 'b' } },
    ],
    [
      'checkly',
      { check_id: 'c', alert_type: 'ALERT_SSL' },
      { check_id: 'c', alert_type: 'ALERT_FAILURE' },
    ],
    [
      'github',
      {
        action: 'created',
        alert: { number: 1, rule: { id: 'a' } },
        repository: { full_name: 'a/b' },
      },
      {
        action: 'created',
        alert: { number: 1, security_advisory: { summary: 'a' } },
        repository: { full_name: 'a/b' },
      },
    ],
    [
      'bugsnag',
      { trigger: { type: 'projectSpiking' }, project: { id: '1' } },
      { trigger: { type: 'projectSpiking' }, project: { id: '2' } },
    ],
  ];
  for (const [slug, one, other] of pairs)
    assert.notEqual(alertOf(slug, one).dedup_key, alertOf(slug, other).dedup_key, slug);
});

test('a message of Cloudflare with a correlation of zeros is told apart by its policy', () => {
  const zeros = '00000000-0000-0000-0000-000000000000';
  const body = { policy_id: 'p', alert_type: 'x', text: 'a', alert_correlation_id: zeros };
  assert.equal(alertOf('cloudflare', body).dedup_key, 'p | x');
});

test('CloudEvents are read in binary mode and in batches', () => {
  const headers = {
    'ce-specversion': '1.0',
    'ce-type': 'org.example.alert.firing',
    'ce-source': '/db-1',
    'ce-subject': 'disk',
  };
  const opened = alertOf(
    'cloudevents',
    { summary: 'Disk is full', severity: 'critical' },
    { headers },
  );
  const event = { specversion: '1.0', id: '1', source: '/db-1', subject: 'disk' };
  const batch = [
    { ...event, type: 'org.example.alert.resolved' },
    { ...event, subject: 'cpu', type: 'org.example.alert.firing' },
  ];
  const reading = readingOf('cloudevents', batch);
  assert.ok('alerts' in reading);
  assert.deepEqual([opened.title, opened.severity], ['Disk is full', 'sev1']);
  assert.deepEqual(
    reading.alerts.map(({ action, dedup_key }) => [action, dedup_key]),
    [
      ['resolve', opened.dedup_key],
      ['trigger', '/db-1 | cpu | org.example.alert'],
    ],
  );
});

test('CloudEvents without a subject have a key that does not tell the state', () => {
  const keyOf = (type: string) =>
    alertOf('cloudevents', { specversion: '1.0', source: '/a', type }).dedup_key;
  assert.equal(keyOf('org.example.disk.resolved'), keyOf('org.example.disk.firing'));
  assert.notEqual(keyOf('org.example.disk.firing'), keyOf('org.example.cpu.firing'));
});

test('without its usual key or state a message is read by what is left of it', () => {
  const cases: readonly (readonly [string, Json, string, string])[] = [
    ['site24x7', { MONITORURL: 'https://a.test', STATUS: 'DOWN' }, 'trigger', 'https://a.test'],
    ['site24x7', { MONITORNAME: 'web', MONITORTYPE: 'URL' }, 'trigger', 'web'],
    [
      'checkly',
      { check_name: 'a', check_result_id: 'r', event: 'a has recovered' },
      'resolve',
      'a',
    ],
    [
      'prtg',
      { device: 'db-1', name: 'Ping', status: 'Up', message: 'OK' },
      'resolve',
      'db-1 | Ping',
    ],
    [
      'logicmonitor',
      { host: 'db-1', datasource: 'CPU', datapoint: 'Busy', alertstatus: 'clear' },
      'resolve',
      'db-1 | CPU | Busy',
    ],
    [
      'splunk-observability',
      { detectorId: 'd', messageTitle: 'Cleared: a (b)', rule: 'a', status: 'ok' },
      'resolve',
      'd | a',
    ],
    [
      'logicmonitor',
      {
        alertid: '##ALERTID##',
        host: 'db-1',
        datasource: 'CPU',
        datapoint: 'Busy',
        level: 'error',
      },
      'trigger',
      'db-1 | CPU | Busy',
    ],
    ['bugsnag', { project: { id: '1' }, error: { errorId: 'e', status: 'fixed' } }, 'resolve', 'e'],
    ['cloudflare', { policy_id: 'p', text: 'a' }, 'trigger', 'p'],
    ['argocd', { app: 'shop', phase: 'Succeeded' }, 'resolve', 'shop'],
    ['monit', { MONIT_HOST: 'db-1', MONIT_EVENT: 'Resource limit matched' }, 'trigger', 'db-1'],
  ];
  for (const [slug, body, action, key] of cases) {
    const alert = alertOf(slug, body);
    assert.deepEqual([alert.action, alert.dedup_key], [action, key], JSON.stringify(body));
  }
});
