// What the samples of monitors that people run themselves do not show: the files of their guides
// above all, with what the monitor fills in.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { alertOf, alertsOf } from '../../../test/tool-message.ts';
import { checkmk } from './checkmk.ts';
import { elasticKibana } from './elastic-kibana.ts';
import { icinga2 } from './icinga2.ts';
import { nagios } from './nagios.ts';
import { netdata } from './netdata.ts';
import { opensearch } from './opensearch.ts';

const form = { contentType: 'application/x-www-form-urlencoded' };
type Values = Readonly<Record<string, string>>;

function formOf(fields: readonly string[], placeholder: RegExp, values: Values): string {
  const pairs = fields.map((field): [string, string] => {
    const [name = '', ...rest] = field.split('=');
    return [name, rest.join('=').replace(placeholder, (_, macro: string) => values[macro] ?? '')];
  });
  return new URLSearchParams(pairs).toString();
}

function assertPair(slug: string, problem: string | object, recovery: string | object, over = {}) {
  const alarm = alertOf(slug, problem, over);
  const resolved = alertOf(slug, recovery, over);
  assert.equal(alarm.action, 'trigger');
  assert.equal(resolved.action, 'resolve');
  assert.equal(resolved.dedup_key, alarm.dedup_key);
  return alarm;
}

test('the commands for Nagios pair problem and recovery of a service and of a host', () => {
  const [{ text }] = nagios.guide.snippets;
  const [host = '', service = ''] = text.split('}\n');
  const values = {
    NOTIFICATIONTYPE: 'PROBLEM',
    HOSTNAME: 'web-01',
    SERVICEDESC: 'Payments Queue',
    SERVICESTATE: 'CRITICAL',
    SERVICEOUTPUT: 'depth 250 & rising',
    HOSTSTATE: 'DOWN',
    HOSTOUTPUT: 'no answer',
  };
  const sent = (command: string, more: Values = {}) => {
    const fields = [...command.matchAll(/--data-urlencode '([^']+)'/g)].map(([, one = '']) => one);
    return formOf(fields, /\$([A-Z]+)\$/g, { ...values, ...more });
  };
  const recovery = { NOTIFICATIONTYPE: 'RECOVERY', SERVICESTATE: 'OK', HOSTSTATE: 'UP' };
  const alarm = assertPair('nagios', sent(service), sent(service, recovery), form);
  assert.equal(alarm.title, 'web-01/Payments Queue: depth 250 & rising');
  assert.equal(alarm.dedup_key, 'web-01 | Payments Queue');
  assert.equal(alarm.severity, 'sev1');
  const down = assertPair('nagios', sent(host), sent(host, recovery), form);
  assert.equal(down.title, 'web-01: no answer');
  assert.equal(down.dedup_key, 'web-01');
  for (const type of ['DOWNTIMESTART', 'CUSTOM'])
    assert.deepEqual(alertsOf('nagios', sent(service, { NOTIFICATIONTYPE: type }), form), []);
});

test('what agents for PagerDuty, Opsgenie and Keep send of Nagios is read', () => {
  const details = { HOSTNAME: 'web-01', SERVICEDESC: 'Disk', SERVICESTATE: 'WARNING' };
  const pagerduty = (type: string, event: string) => ({
    service_key: 'secret',
    event_type: event,
    details: { ...details, NOTIFICATIONTYPE: type },
  });
  const alarm = assertPair(
    'nagios',
    pagerduty('PROBLEM', 'trigger'),
    pagerduty('RECOVERY', 'resolve'),
  );
  assert.equal(alarm.dedup_key, 'web-01 | Disk');
  assert.equal(alarm.severity, 'sev3');
  assert.ok(!JSON.stringify(alarm.details).includes('secret'));
  const opsgenie = { host_name: 'web-01', service_desc: 'Disk', notification_type: 'RECOVERY' };
  assert.equal(alertOf('nagios', opsgenie).dedup_key, alarm.dedup_key);
  const keep = {
    host_name: 'web-01',
    service_description: 'Disk',
    state: 'CRITICAL',
    plugin_output: 'full',
    notification_type: 'PROBLEM',
  };
  const { title, dedup_key, severity } = alertOf('nagios', keep);
  assert.deepEqual([title, dedup_key, severity], ['web-01/Disk: full', alarm.dedup_key, 'sev1']);
});

test('the commands for Icinga pair problem and recovery of a service and of a host', () => {
  const [{ text }] = icinga2.guide.snippets;
  const [host = '', service = ''] = text.split('object User')[0]?.split('\n}\n') ?? [];
  const values = {
    'notification.type': 'PROBLEM',
    'host.name': 'web-01',
    'host.display_name': 'Web server 01',
    'host.state': 'DOWN',
    'host.output': 'no answer',
    'service.name': 'queue',
    'service.display_name': 'Payments Queue',
    'service.state': 'WARNING',
    'service.output': 'depth 60\nsecond line',
  };
  const sent = (command: string, more: Values = {}) => {
    const fields = [...command.matchAll(/"(\w+=\$[^"]+)"/g)].map(([, one = '']) => one);
    return formOf(fields, /\$([a-z._]+)\$/g, { ...values, ...more });
  };
  const recovery = { 'notification.type': 'RECOVERY', 'service.state': 'OK', 'host.state': 'UP' };
  const alarm = assertPair('icinga2', sent(service), sent(service, recovery), form);
  assert.equal(alarm.title, 'Web server 01/Payments Queue: depth 60');
  assert.equal(alarm.dedup_key, 'web-01 | queue');
  assert.equal(alarm.severity, 'sev3');
  const down = assertPair('icinga2', sent(host), sent(host, recovery), form);
  assert.equal(down.title, 'Web server 01: no answer');
  assert.equal(down.severity, 'sev1');
  const downtime = { 'notification.type': 'DOWNTIMESTART' };
  assert.deepEqual(alertsOf('icinga2', sent(service, downtime), form), []);
});

test('of the event stream of Icinga only hard states and acknowledgements count', () => {
  const event = { host: 'web-01', service: 'queue', type: 'StateChange', state: 2 };
  assert.equal(alertOf('icinga2', { ...event, state_type: 1 }).severity, 'sev1');
  assert.deepEqual(alertsOf('icinga2', { ...event, state_type: 0 }), []);
  const ack = { ...event, state_type: 1, type: 'AcknowledgementSet' };
  assert.equal(alertOf('icinga2', ack).action, 'acknowledge');
  for (const type of ['AcknowledgementCleared', 'CommentAdded', 'DowntimeStarted', 'Flapping'])
    assert.deepEqual(alertsOf('icinga2', { ...ack, type }), [], type);
});

/**
 * Runs a script of a guide with a curl that prints its fields as a form, one a line. Without a
 * folder for its order it sends all the same.
 */
function fieldsOf(script: string, env: Values): string {
  const curl = `curl() { while [ $# -gt 0 ]; do
    if [ "$1" = --data-urlencode ]; then printf '%s\\n' "$2" >&3; shift; fi; shift; done; printf 202; }
    info() { :; }
    hostname() { echo monitor; }`;
  const output = execFileSync('sh', ['-c', `exec 3>&1; ${curl}\n${script}`], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: '/nonexistent', ...env },
    encoding: 'utf8',
  });
  const fields = output.split('\n').filter((line) => line.includes('='));
  return formOf(fields, /$^/g, {});
}

test('the script for Checkmk pairs problem and recovery of a service and of a host', () => {
  const [{ text }] = checkmk.guide.snippets;
  const env = {
    NOTIFY_WHAT: 'SERVICE',
    NOTIFY_NOTIFICATIONTYPE: 'PROBLEM',
    NOTIFY_HOSTNAME: 'web-01',
    NOTIFY_SERVICEDESC: 'Disk /',
    NOTIFY_SERVICESTATE: 'CRITICAL',
    NOTIFY_SERVICEOUTPUT: 'used "95%"; $HOME',
    NOTIFY_HOSTSTATE: 'UP',
    OMD_SITE: 'main',
  };
  const ended = { NOTIFY_NOTIFICATIONTYPE: 'RECOVERY', NOTIFY_SERVICESTATE: 'OK' };
  const sent = (more: Values) => fieldsOf(text, { ...env, ...more });
  const alarm = assertPair('checkmk', sent({}), sent(ended), form);
  assert.equal(alarm.title, 'web-01/Disk /: used "95%"; $HOME');
  assert.equal(alarm.dedup_key, 'web-01 | SERVICE | Disk /');
  assert.equal(alarm.severity, 'sev1');
  const host = { NOTIFY_WHAT: 'HOST', NOTIFY_SERVICEDESC: '', NOTIFY_HOSTSTATE: 'DOWN' };
  assert.equal(alertOf('checkmk', sent(host), form).dedup_key, 'web-01 | HOST');
  const downtime = { NOTIFY_NOTIFICATIONTYPE: 'DOWNTIMESTART' };
  assert.deepEqual(alertsOf('checkmk', sent(downtime), form), []);
});

test('the sender for Netdata pairs an alarm and its end', () => {
  const [{ text }] = netdata.guide.snippets;
  const values = {
    host: 'web-01',
    chart: 'disk_space._',
    name: 'disk_full',
    alarm_id: '17',
    status: 'WARNING',
    alarm: 'disk full = 95%',
    goto_url: 'https://app.netdata.cloud/alarm?a=1&b=2',
  };
  const sent = (more: Values) => fieldsOf(`${text}\ncustom_sender pager`, { ...values, ...more });
  const ended = sent({ status: 'CLEAR', alarm: 'disk full = 5%' });
  const alarm = assertPair('netdata', sent({}), ended, form);
  assert.equal(alarm.title, 'web-01: disk full = 95%');
  assert.equal(alarm.severity, 'sev3');
  assert.equal(alarm.links?.[0]?.href, values.goto_url);
  assert.equal(alertOf('netdata', sent({ status: 'CRITICAL' }), form).severity, 'sev1');
  const removed = alertOf('netdata', sent({ status: 'REMOVED' }), form);
  assert.equal(removed.unwatched, 'REMOVED');
  assert.equal(removed.dedup_key, alarm.dedup_key);
});

const mustache = (text: string, values: Values) =>
  text.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => values[name] ?? '');

test('the body for Kibana pairs what fires and what recovers', () => {
  const [{ text }] = elasticKibana.guide.snippets;
  const values = {
    'rule.id': 'b7f2d6f0',
    'rule.name': 'CPU threshold',
    'alert.id': 'web-01',
    'alert.actionGroup': 'metrics.threshold.nodata',
    'context.reason': 'no data for web-01',
  };
  const recovered = { ...values, 'alert.actionGroup': 'recovered' };
  const alarm = assertPair('elastic-kibana', mustache(text, values), mustache(text, recovered));
  assert.equal(alarm.title, 'CPU threshold: no data for web-01');
  assert.equal(alarm.severity, 'sev1');
});

test('the messages for OpenSearch are read, and pair the buckets of a monitor', () => {
  const [perQuery, perBucket] = opensearch.guide.snippets;
  const values = {
    'ctx.monitor._id': 'mon-1',
    'ctx.monitor.name': 'CPU monitor',
    'ctx.trigger.id': 'trg-1',
    'ctx.trigger.name': 'cpu-high',
    'ctx.trigger.severity': '2',
  };
  const alert = alertOf('opensearch', mustache(perQuery.text, values));
  assert.equal(alert.dedup_key, 'mon-1 | trg-1');
  assert.equal(alert.severity, 'sev2');

  const lists = (text: string, buckets: Values) =>
    text.replace(/\{\{#ctx\.(\w+)\}\}(.*?)\{\{\/ctx\.\w+\}\}/g, (_, list: string, each: string) =>
      (buckets[list]?.split(' ') ?? []).map((one) => mustache(each, { bucket_keys: one })).join(''),
    );
  const read = (buckets: Values) =>
    alertsOf('opensearch', mustache(lists(perBucket.text, buckets), values));
  const opened = read({ newAlerts: 'web-01 web-02' });
  assert.deepEqual(
    opened.map(({ action, title }) => [action, title]),
    ['web-01', 'web-02'].map((host) => ['trigger', `CPU monitor: cpu-high: ${host}`]),
  );
  const [over, next] = read({ completedAlerts: 'web-01', newAlerts: 'web-03' }).toReversed();
  assert.deepEqual([over?.action, over?.dedup_key], ['resolve', opened[0]?.dedup_key]);
  assert.equal(next?.action, 'trigger');
});

test('the message that OpenSearch proposes is read', () => {
  const text = `Monitor CPU monitor just entered alert status. Please investigate the issue.
  - Trigger: cpu-high
  - Severity: 1
  - Period start: 2026-11-21T02:40:00Z`;
  const { title, severity, dedup_key } = alertOf('opensearch', text, { contentType: 'text/plain' });
  assert.equal(title, 'CPU monitor: cpu-high');
  assert.equal(severity, 'sev1');
  assert.equal(dedup_key, 'CPU monitor | cpu-high');
  const inJson = { text: text.replace(/\s+/g, ' ') };
  assert.equal(alertOf('opensearch', inJson).dedup_key, dedup_key);
});
