// What the samples of tools that watch applications and infrastructure do not show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOf, readingOf } from '../../../test/tool-message.ts';
import { appdynamics } from './appdynamics.ts';
import { axiom } from './axiom.ts';
import { vmwareVrealize } from './vmware-vrealize.ts';

function filled(text: string, placeholder: RegExp, values: Record<string, string>): string {
  return text.replace(placeholder, (whole, name: string) => values[name] ?? whole);
}

test('the template of the guide pairs the start of a health rule violation with its end', () => {
  const values = {
    'latestEvent.application.name': 'Shop',
    'latestEvent.incident.id': '70646',
    'latestEvent.healthRule.name': 'CPU too high',
    'latestEvent.node.name': 'node-1',
    'latestEvent.severity': 'ERROR',
  };
  const [{ text }] = appdynamics.guide.snippets;
  const read = (type: string, more = {}) =>
    alertOf(
      'appdynamics',
      filled(text, /\$\{([\w.]+)\}/g, { ...values, 'latestEvent.eventTypeKey': type, ...more }),
    );
  const start = read('POLICY_OPEN_CRITICAL');
  assert.equal(start.title, 'CPU too high on node-1');
  assert.equal(start.severity, 'sev1');
  for (const [type, action] of [
    ['POLICY_UPGRADED', 'trigger'],
    ['POLICY_CONTINUES_CRITICAL', 'trigger'],
    ['POLICY_CLOSE_WARNING', 'resolve'],
    ['POLICY_CANCELED_CRITICAL', 'resolve'],
  ] as const) {
    assert.equal(read(type).action, action, type);
    assert.equal(read(type).dedup_key, start.dedup_key, type);
  }
  const other = read('POLICY_OPEN_CRITICAL', { 'latestEvent.incident.id': '70647' });
  assert.notEqual(other.dedup_key, start.dedup_key);
});

test('an event of AppDynamics without an incident is not merged with others', () => {
  const read = (summary: string) =>
    alertOf('appdynamics', {
      incident_key: `\${latestEvent.incident.id}`,
      details: { event_type_key: 'APPLICATION_CRASH', health_rule: `\${x.y}`, summary },
    });
  assert.equal(read('Shop crashed').title, 'Shop crashed');
  assert.notEqual(read('Shop crashed').dedup_key, read('Search crashed').dedup_key);
});

test('anomalies of AppSignal resolve, alone or in an object of their own', () => {
  const anomaly = (state: string) => ({
    alert_id: '5bdb1fb3',
    site: 'Shop',
    environment: 'production',
    state,
    metric_name: 'transaction_exception_rate',
    trigger_label: 'Exception rate',
    alert_url: 'https://appsignal.com/example/sites/1/alerts/5bdb1fb3',
  });
  const open = alertOf('appsignal', anomaly('open'));
  const closed = alertOf('appsignal', { alert: anomaly('closed') });
  assert.equal(open.title, 'Exception rate of Shop');
  assert.deepEqual([open.action, closed.action], ['trigger', 'resolve']);
  assert.equal(closed.dedup_key, open.dedup_key);
  const cooling = readingOf('appsignal', anomaly('cooldown'));
  assert.ok('alerts' in cooling);
  assert.deepEqual(cooling.alerts, []);
  const slow = alertOf('appsignal', {
    performance: { site: 'Shop', environment: 'production', number: 9, action: 'Cart#show' },
  });
  assert.equal(slow.title, 'Cart#show is slow');
});

test('the body of the guide keeps the groups of an Axiom monitor apart', () => {
  const [{ text }] = axiom.guide.snippets;
  const read = (action: string, groups: string) =>
    alertOf(
      'axiom',
      filled(text, /\{\{([\w. ]+)\}\}/g, {
        '.Action': action,
        '.MonitorID': 'Rxg8',
        '.Title': 'Triggered: Errors',
        'jsonObject .MatchedEvent': 'null',
        'jsonArray .GroupKeys': '["host"]',
        'jsonArray .GroupValues': groups,
      }),
    );
  const open = read('Open', '["db1", "eu"]');
  assert.equal(open.title, 'Errors');
  assert.equal(read('Closed', '["db1","eu"]').dedup_key, open.dedup_key);
  assert.equal(read('Closed', '["db1","eu"]').action, 'resolve');
  assert.notEqual(read('Open', '["db2","eu"]').dedup_key, open.dedup_key);
});

test('the generic preset of ThousandEyes triggers and clears', () => {
  const read = (type: string) =>
    alertOf('thousandeyes', {
      id: 'n1',
      type,
      alert: {
        id: 'a1',
        severity: 'CRITICAL',
        test: { name: 'Shop' },
        triggered: 1,
        rule: { id: 'r1', name: 'HTTP errors' },
      },
    });
  assert.equal(read('2').title, 'Shop: HTTP errors');
  assert.equal(read('2').severity, 'sev1');
  assert.deepEqual([read('2').action, read('1').action], ['trigger', 'resolve']);
  assert.equal(read('1').dedup_key, 'a1');
  const tested = readingOf('thousandeyes', { eventId: 'x', eventType: 'WEBHOOK_TEST' });
  assert.ok('alerts' in tested);
  assert.deepEqual(tested.alerts, []);
});

test('alerts of Aria Operations are read as XML and by the template of the guide', () => {
  const xml = (status: string) =>
    alertOf(
      'vmware-vrealize',
      `<alert><alertId>a1</alertId><status>${status}</status><resourceName>esx1</resourceName>` +
        '<criticality>ALERT_CRITICALITY_LEVEL_IMMEDIATE</criticality>' +
        '<alertName>Host is down</alertName></alert>',
      { contentType: 'application/xml' },
    );
  assert.equal(xml('ACTIVE').title, 'esx1: Host is down');
  assert.equal(xml('ACTIVE').severity, 'sev2');
  assert.deepEqual([xml('ACTIVE').action, xml('CANCELED').action], ['trigger', 'resolve']);
  const [{ text }] = vmwareVrealize.guide.snippets;
  const template = (status: string) =>
    alertOf(
      'vmware-vrealize',
      filled(text, /\$\{(\w+)\}/g, {
        ALERT_ID: 'a1',
        ALERT_STATUS: status,
        ALERT_CRITICALITY: 'CRITICAL',
        RESOURCE_NAME: 'esx1',
        ALERT_DEFINITION: 'Host is down',
      }),
    );
  assert.equal(template('NEW').title, 'esx1: Host is down');
  assert.equal(template('NEW').severity, 'sev1');
  assert.equal(template('CANCELED').action, 'resolve');
  assert.equal(template('CANCELED').dedup_key, xml('ACTIVE').dedup_key);
});

test('a service that Riemann no longer hears of opens an incident, and a list is read whole', () => {
  const event = { host: 'db1', service: 'disk' };
  const expired = alertOf('riemann', [{ ...event, state: 'expired' }]);
  assert.equal(expired.action, 'trigger');
  assert.equal(expired.title, 'db1 disk is expired');
  const okay = alertOf('riemann', { ...event, state: 'ok', description: 'fine' });
  assert.equal(okay.action, 'resolve');
  assert.equal(okay.dedup_key, expired.dedup_key);
});

test('an alert of the Wazuh manager is keyed by rule and agent', () => {
  const read = (agent: string, level = 12) =>
    alertOf('wazuh', {
      id: `${level}.${agent}`,
      timestamp: '2026-11-21T03:00:00Z',
      location: '/var/log/auth',
      rule: { level, id: '5710', description: 'sshd: attempt to log in', groups: ['sshd'] },
      agent: { id: agent, name: `web-${agent}` },
    });
  assert.equal(read('001').title, 'sshd: attempt to log in on web-001');
  assert.equal(read('001').dedup_key, '5710 | 001');
  assert.deepEqual(
    [read('001', 3).severity, read('001', 8).severity, read('001', 15).severity],
    ['sev3', 'sev2', 'sev1'],
  );
});
