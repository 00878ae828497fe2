// What the samples of hosted monitoring services do not show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOf, alertsOf, readingOf } from '../../../test/tool-message.ts';
import { datadog } from './datadog.ts';
import { newrelic } from './newrelic.ts';

/** A snippet whose placeholders are filled in. */
function filled(text: string, placeholder: RegExp, values: Record<string, string>): string {
  return text.replace(placeholder, (_, name: string) => values[name] ?? '');
}

test('the payload of the guide pairs the alarm of a Datadog group with its recovery', () => {
  const values = {
    ALERT_ID: '1234567',
    AGGREG_KEY: '9bd4ac31',
    ALERT_TITLE: 'CPU is high on {host:web-01}',
    ALERT_PRIORITY: 'P2',
    ALERT_TRANSITION: 'Triggered',
    LINK: 'https://app.datadoghq.com/event/event?id=70',
  };
  const [{ text }] = datadog.guide.snippets;
  const read = (more: object) =>
    alertOf('datadog', filled(text, /\$([A-Z_]+)/g, { ...values, ...more }));
  const alarm = read({});
  assert.equal(alarm.action, 'trigger');
  assert.equal(alarm.dedup_key, '1234567 | 9bd4ac31');
  assert.equal(alarm.severity, 'sev2');
  assert.equal(alarm.priority, 'p2');
  for (const transition of ['Warn', 'Re-Warn', 'No Data', 'Re-Triggered', 'Renotify'])
    assert.equal(read({ ALERT_TRANSITION: transition }).action, 'trigger', transition);
  assert.equal(read({ ALERT_TRANSITION: 'Warn', ALERT_PRIORITY: '' }).severity, 'sev3');
  const recovery = read({ ALERT_TRANSITION: 'Recovered' });
  assert.equal(recovery.action, 'resolve');
  assert.equal(recovery.dedup_key, alarm.dedup_key);
});

test('the default payload of Datadog is paired by monitor, group and title', () => {
  const read = (title: string) =>
    alertOf('datadog', {
      title,
      body: '%%%\nMonitor\n[[Monitor Status](https://app.datadoghq.com/monitors/1234567)]\n%%%',
      event_type: 'metric_alert_monitor',
      last_updated: '1700000000000',
      id: '70',
    });
  const first = read('[P1] [Triggered on {host:web-01}] [prod] CPU is high');
  const second = read('[P1] [Triggered on {host:web-02}] [prod] CPU is high');
  const recovery = read('[P1] [Recovered on {host:web-01}] [prod] CPU is high');
  assert.equal(first.title, '[prod] CPU is high');
  assert.equal(first.severity, 'sev1');
  assert.equal(first.priority, 'p1');
  assert.equal(recovery.action, 'resolve');
  assert.equal(recovery.dedup_key, first.dedup_key);
  assert.notEqual(second.dedup_key, first.dedup_key);
  assert.equal(read('[Re-Triggered] CPU').dedup_key, read('[Recovered] CPU').dedup_key);
  assert.equal(first.links?.[0]?.href, 'https://app.datadoghq.com/monitors/1234567');
});

test('an issue of Sentry has one key in its issue alert and in its resolution', () => {
  const alert = alertOf('sentry', {
    action: 'triggered',
    data: { event: { issue_id: '117', title: 'TypeError', level: 'fatal' }, triggered_rule: 'R' },
    installation: { uuid: 'a' },
  });
  assert.equal(alert.severity, 'sev1');
  const issue = (action: string) => ({
    action,
    data: { issue: { id: '117', title: 'TypeError', status: 'unresolved' } },
    installation: { uuid: 'a' },
  });
  for (const action of ['resolved', 'archived', 'ignored']) {
    const resolved = alertOf('sentry', issue(action));
    assert.equal(resolved.action, 'resolve', action);
    assert.equal(resolved.dedup_key, alert.dedup_key);
  }
  assert.deepEqual(alertsOf('sentry', issue('assigned')), []);
  const activity = (type: string) => {
    const { data } = issue('triggered');
    return alertOf('sentry', { action: 'triggered', data: { ...data, activity: { type } } }).action;
  };
  assert.equal(activity('set_unresolved'), 'trigger');
  assert.equal(activity('set_resolved'), 'resolve');
});

test('comments and installations of Sentry alert nobody', () => {
  const comment = { comment: 'looking', issue_id: '117' };
  assert.deepEqual(
    alertsOf('sentry', { action: 'created', data: comment, installation: { uuid: 'a' } }),
    [],
  );
  const installation = { installation: { status: 'installed' } };
  const headers = { 'sentry-hook-resource': 'installation' };
  assert.deepEqual(alertsOf('sentry', { action: 'created', data: installation }, { headers }), []);
});

test('a metric alert of Sentry has the name of its rule, whatever its random title', () => {
  const { title, severity } = alertOf('sentry', {
    action: 'warning',
    data: {
      metric_alert: { id: '4', title: 'Sacred Marmot' },
      description_title: 'Warning: Too many errors',
    },
  });
  assert.equal(title, 'Too many errors');
  assert.equal(severity, 'sev3');
});

test('the template of the guide for New Relic is read, and a test channel alerts nobody', () => {
  const values = {
    issueId: '"c5faa7e6"',
    'annotations.title.[0]': '"Low storage"',
    priority: '"HIGH"',
    state: '"ACTIVATED"',
    issuePageUrl: '"https://one.newrelic.com/1"',
    triggerEvent: '"STATE_CHANGE"',
    'entitiesData.names': '["db"]',
    'accumulations.policyName': '["Golden"]',
    'accumulations.conditionName': '["Storage"]',
    workflowName: '"pager"',
  };
  const [{ text }] = newrelic.guide.snippets;
  const read = (state: string) =>
    alertOf('newrelic', filled(text, /\{\{ json (\S+) \}\}/g, { ...values, state: `"${state}"` }));
  const issue = read('ACTIVATED');
  assert.equal(issue.title, 'Low storage');
  assert.equal(issue.severity, 'sev2');
  assert.equal(read('ACKNOWLEDGED').action, 'acknowledge');
  assert.equal(read('CLOSED').action, 'resolve');
  assert.equal(read('CLOSED').dedup_key, issue.dedup_key);
  const channelTest = { current_state: 'test', incident_id: 0, condition_name: 'Test' };
  assert.deepEqual(alertsOf('newrelic', channelTest), []);
});

test('Azure alerts are read with and without the common alert schema', () => {
  const metric = (status: string) =>
    alertOf('azure-monitor', {
      schemaId: 'AzureMonitorMetricAlert',
      data: {
        status,
        context: { id: '/sub/1/rule', name: 'CPU', severity: '1', resourceId: '/vm/1' },
      },
    });
  assert.equal(metric('Activated').severity, 'sev1');
  assert.equal(metric('Deactivated').action, 'resolve');
  assert.equal(metric('Deactivated').dedup_key, metric('Activated').dedup_key);
  const log = { data: { SubscriptionId: 's', AlertRuleName: 'Errors', AlertType: 'Metric' } };
  assert.equal(
    alertOf('azure-monitor', { schemaId: 'Microsoft.Insights/LogAlert', ...log }).title,
    'Errors',
  );
});

test('the updates of one Azure service incident share a key until it is resolved', () => {
  const read = (stage: string, alertId: string, incidentType = 'Incident') =>
    alertsOf('azure-monitor', {
      schemaId: 'azureMonitorCommonAlertSchema',
      data: {
        essentials: { alertId, alertRule: 'health', monitorCondition: 'Fired', severity: 'Sev4' },
        alertContext: { properties: { title: 'Storage', stage, trackingId: 'KT1', incidentType } },
      },
    });
  const [first] = read('Active', '/alerts/1');
  const [last] = read('Resolved', '/alerts/2');
  assert.equal(first?.action, 'trigger');
  assert.equal(last?.action, 'resolve');
  assert.equal(last?.dedup_key, first?.dedup_key);
  assert.deepEqual(read('Active', '/alerts/3', 'Maintenance'), []);
});

test('the tests of Azure and of Google Cloud alert nobody', () => {
  const SubscriptionId = '11111111-1111-1111-1111-111111111111';
  const path = `/subscriptions/${SubscriptionId}/providers/x`;
  const incident = { incident_id: '12345', state: 'open', condition_name: 'test condition' };
  const tests = [
    ['azure-monitor', { data: { essentials: { alertId: path, monitorCondition: 'Fired' } } }],
    ['azure-monitor', { data: { status: 'Activated', context: { id: path, name: 'rule' } } }],
    ['azure-monitor', { SubscriptionId, AlertRuleName: 'rule', SearchQuery: 'Heartbeat' }],
    ['azure-monitor', { data: { SubscriptionId, BudgetName: 'b', Budget: '10' } }],
    ['gcp-monitoring', { version: 'test', incident }],
  ] as const;
  for (const [slug, message] of tests) {
    const reading = readingOf(slug, message);
    const text = JSON.stringify(message);
    assert.ok('alerts' in reading && reading.alerts.length === 0 && reading.note, text);
  }
});

test('a budget of Azure and a log search alert have a name and a severity', () => {
  const budget = {
    SubscriptionId: 's',
    BudgetName: 'b',
    Budget: '10',
    SpendingAmount: '11',
    Unit: 'USD',
  };
  const { title, dedup_key } = alertOf('azure-monitor', { data: budget });
  assert.equal(title, 'Budget b: 11 USD are spent');
  assert.equal(dedup_key, 's | b');
  const search = { SubscriptionId: 's', AlertRuleName: 'Errors', SearchQuery: 'q', Severity: '1' };
  assert.equal(alertOf('azure-monitor', search).severity, 'sev1');
});
