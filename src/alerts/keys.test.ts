// Two problems of a tool never share a key, and the end of one has its key and no other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../test/http-event.ts';
import type { AlertEvent, Json } from './alert.ts';
import { integrationTypes } from './index.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-28T03:00:00Z'),
  integrationName: 'Checks',
};

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly contentType?: string };

function alertOf(slug: string, body: Json, { headers = {}, contentType }: Sent = {}): AlertEvent {
  const type = integrationTypes.find((one) => one.slug === slug);
  assert.ok(type);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reading = type.read(
    {
      ...posted,
      path: '/push-events',
      headers,
      contentType: contentType ?? (typeof body === 'string' ? 'text/plain' : 'application/json'),
      body: new TextEncoder().encode(text),
    },
    about,
  );
  assert.ok('alerts' in reading, JSON.stringify(reading));
  const [alert, ...others] = reading.alerts;
  assert.ok(alert, `${slug} ${text}: ${reading.note}`);
  assert.deepEqual(others, []);
  return alert;
}

function mailOf(subject: string, text: string): AlertEvent {
  const type = integrationTypes.find((one) => one.slug === 'email');
  assert.ok(type);
  const mail = { source: 'mail', subject, text, from: 'tool@bar.example', headers: {} } as const;
  const reading = type.read(mail, about);
  assert.ok('alerts' in reading && reading.alerts[0], subject);
  return reading.alerts[0];
}

type Case = {
  readonly type: string;
  readonly problem: Json;
  readonly other: Json;
  readonly end?: Json;
  readonly headers?: Readonly<Record<string, string>>;
};

const monit = (event: string, description: string) => ({
  MONIT_HOST: 'depot-1',
  MONIT_SERVICE: 'web',
  MONIT_EVENT: event,
  MONIT_DESCRIPTION: description,
});
const limit = (of: string) => `${of} of 91.2% matches resource limit [${of} > 80.0%]`;
const within = (of: string) => `'web' ${of} check succeeded [current ${of} = 3.2%]`;

const checkRun = (head_branch: string, conclusion: string, app = 'ci') => ({
  action: 'completed',
  check_run: { name: 'unit', conclusion, app: { slug: app }, check_suite: { head_branch } },
  repository: { full_name: 'depot/shop' },
});
const job = (workflow_name: string, head_branch: string, conclusion: string) => ({
  action: 'completed',
  workflow_job: { id: 1, run_id: 7, name: 'build', workflow_name, head_branch, conclusion },
  repository: { full_name: 'depot/shop' },
});
const run = (event: string, from: string, conclusion: string) => ({
  action: 'completed',
  workflow_run: {
    id: 9,
    name: 'CI',
    workflow_id: 33,
    head_branch: 'main',
    event,
    conclusion,
    head_repository: { full_name: from },
  },
  repository: { full_name: 'depot/shop' },
});
const pipeline = (source: string, status: string, more: object = {}) => ({
  object_kind: 'pipeline',
  object_attributes: { id: 31, ref: 'main', source, status },
  project: { path_with_namespace: 'depot/shop' },
  ...more,
});
const legacy = (host: string, orgId: number, state: string) => ({
  ruleId: 129,
  ruleName: 'Latency',
  title: '[Alerting] Latency',
  state,
  orgId,
  ruleUrl: `https://${host}/d/x?tab=alert`,
});
const certificate = (name: string, days: number) => ({
  event_type: 'create',
  id: 'uptime-kuma',
  title: 'Uptime Kuma Alert',
  description: `[${name}][https://${name}.example] Certificate will expire in ${days} days`,
});
const pagerduty = (dedup_key: string, summary: string) => ({
  routing_key: '*',
  event_action: 'trigger',
  dedup_key,
  payload: { summary, source: 'mon', severity: 'critical' },
});

const cases: readonly Case[] = [
  {
    type: 'monit',
    problem: monit('Connection failed', 'failed protocol test [HTTP] at [::1]:7991 [TCP/IP] -- no'),
    other: monit('Connection failed', 'failed protocol test [HTTP] at [::1]:7992 [TCP/IP] -- no'),
    end: monit('Connection succeeded', 'connection succeeded to [::1]:7991 [TCP/IP]'),
  },
  {
    type: 'monit',
    problem: monit('Connection failed', 'failed protocol test [MYSQL] at /run/a.sock -- refused'),
    other: monit('Connection failed', 'failed protocol test [MYSQL] at /run/b.sock -- refused'),
    end: monit('Connection succeeded', 'connection succeeded to /run/a.sock'),
  },
  {
    type: 'monit',
    problem: monit('Resource limit matched', limit('cpu usage')),
    other: monit('Resource limit matched', limit('total cpu usage')),
    end: monit('Resource limit succeeded', within('cpu usage')),
  },
  {
    type: 'monit',
    problem: monit('Resource limit matched', limit('loadavg (1min)')),
    other: monit('Resource limit matched', limit('loadavg (5min)')),
    end: monit('Resource limit succeeded', within('loadavg (1min)')),
  },
  {
    type: 'monit',
    problem: monit('Resource limit matched', 'space usage 91.2% matches resource limit [a > 80%]'),
    other: monit('Resource limit matched', 'inode usage 91.2% matches resource limit [b > 80%]'),
    end: monit('Resource limit succeeded', within('space usage')),
  },
  {
    type: 'monit',
    problem: monit('Does not exist', 'process is not running'),
    other: monit('Permission failed', 'permission is 0644'),
    end: monit('Exists', 'process is running with pid 7'),
  },
  {
    type: 'github',
    problem: checkRun('main', 'failure'),
    other: checkRun('topic-7', 'failure'),
    end: checkRun('main', 'success'),
  },
  { type: 'github', problem: checkRun('main', 'failure'), other: checkRun('main', 'failure', 'b') },
  {
    type: 'github',
    problem: job('Nightly', 'main', 'failure'),
    other: job('Release', 'main', 'failure'),
    end: job('Nightly', 'main', 'success'),
  },
  {
    type: 'github',
    problem: job('Nightly', 'main', 'failure'),
    other: job('Nightly', 'topic', 'failure'),
  },
  {
    type: 'github',
    problem: run('push', 'depot/shop', 'failure'),
    other: run('pull_request', 'stranger/shop', 'failure'),
    end: run('workflow_dispatch', 'depot/shop', 'success'),
  },
  {
    type: 'github',
    problem: run('push', 'depot/shop', 'failure'),
    other: run('pull_request', 'depot/shop', 'failure'),
  },
  {
    type: 'gitlab',
    problem: pipeline('push', 'failed'),
    other: pipeline('merge_request_event', 'failed', {
      merge_request: { iid: 4, source_project_id: 99 },
    }),
    end: pipeline('schedule', 'success'),
  },
  {
    type: 'gitlab',
    problem: pipeline('push', 'failed'),
    other: pipeline('parent_pipeline', 'failed'),
  },
  {
    type: 'grafana',
    problem: legacy('g-a.example', 1, 'alerting'),
    other: legacy('g-b.example', 1, 'alerting'),
    end: legacy('g-a.example', 1, 'ok'),
  },
  {
    type: 'grafana',
    problem: legacy('g-a.example', 1, 'alerting'),
    other: legacy('g-a.example', 2, 'alerting'),
  },
  { type: 'uptime-kuma', problem: certificate('a', 7), other: certificate('b', 7) },
  {
    type: 'goalert',
    problem: { summary: '[Depot [EU]] [🔴 Down] timeout of 48000ms exceeded' },
    other: { summary: '[Depot [US]] [🔴 Down] timeout of 48000ms exceeded' },
    end: { summary: '[Depot [EU]] [✅ Up] 200 - OK', action: 'close' },
  },
  {
    type: 'slack-webhook',
    problem: { text: '[Depot [EU]] [🔴 Down] timeout of 48000ms exceeded' },
    other: { text: '[Depot [US]] [🔴 Down] timeout of 48000ms exceeded' },
    end: { text: '[Depot [EU]] [✅ Up] 200 - OK' },
  },
  {
    type: 'pagerduty-events-v2',
    problem: pagerduty('disk-<no value>', 'disk of db-1 is full'),
    other: pagerduty('disk-<no value>', 'disk of db-2 is full'),
  },
  {
    type: 'icinga2',
    problem: {
      notification_type: 'PROBLEM',
      host_display_name: 'Web',
      host_address: '192.0.2.1',
      host_state: 'DOWN',
    },
    other: {
      notification_type: 'PROBLEM',
      host_display_name: 'Web',
      host_address: '192.0.2.2',
      host_state: 'DOWN',
    },
    end: {
      notification_type: 'RECOVERY',
      host_display_name: 'Web',
      host_address: '192.0.2.1',
      host_state: 'UP',
    },
  },
  {
    type: 'honeybadger',
    problem: { event: 'down', message: 'x', site: { id: 7, details_url: 'https://a.test' } },
    other: {
      event: 'check_in_missing',
      message: 'x',
      check_in: { id: 7, details_url: 'https://a.test' },
    },
    end: { event: 'up', message: 'y', site: { id: 7, details_url: 'https://a.test' } },
  },
  {
    type: 'zabbix',
    problem: { 'EVENT.VALUE': '1', 'EVENT.NAME': 'Disk full', 'HOST.NAME': 'db-1' },
    other: { 'EVENT.VALUE': '1', 'EVENT.NAME': 'Disk full', 'HOST.NAME': 'db-2' },
    end: { 'EVENT.VALUE': '0', 'EVENT.NAME': 'Disk full', 'HOST.NAME': 'db-1' },
  },
  {
    type: 'zabbix',
    problem: { message: 'Disk full', hostname: 'db-1', of: 'no form of Zabbix' },
    other: { message: 'Disk full', hostname: 'db-2', of: 'no form of Zabbix' },
    end: { message: 'Disk full', hostname: 'db-1', of: 'no form of Zabbix', status: 'ok' },
  },
  {
    type: 'webhook',
    problem: { msg: 'Disk full on depot-4', time: 1795840000, used: 91.5, host: 'a' },
    other: { msg: 'Disk full on depot-4', time: 1795840000, used: 91.5, host: 'b' },
    end: { msg: 'Disk full on depot-4', time: 1795840060, used: 40.1, host: 'a', status: 'ok' },
  },
  {
    type: 'webhook',
    problem: { message: 'CPU at 93 % since 2026-11-28T03:00:00Z', port: 7991 },
    other: { message: 'CPU at 93 % since 2026-11-28T03:00:00Z', port: 7992 },
    end: { message: 'CPU at 12 % since 2026-11-28T03:09:00Z', port: 7991, status: 'resolved' },
  },
];

test('two problems have two keys, and the end of one has its key', () => {
  for (const { type, problem, other, end, headers = {} } of cases) {
    const what = `${type} ${JSON.stringify(problem)}`;
    const { dedup_key, action } = alertOf(type, problem, { headers });
    assert.equal(action, 'trigger', what);
    assert.notEqual(alertOf(type, other, { headers }).dedup_key, dedup_key, what);
    assert.equal(alertOf(type, problem, { headers }).dedup_key, dedup_key, what);
    if (end === undefined) continue;
    const ended = alertOf(type, end, { headers });
    assert.deepEqual([ended.action, ended.dedup_key], ['resolve', dedup_key], what);
  }
});

test('of a title that names no problem, what else is said tells problems apart', () => {
  const two: readonly (readonly [string, Json, Json])[] = [
    ['webhook', { title: 'Alert', host: 'a' }, { title: 'Alert', host: 'b' }],
    ['webhook', { title: 'Alert', body: { host: 'a' } }, { title: 'Alert', body: { host: 'b' } }],
    ['webhook', { title: 'Problem', body: 'a' }, { title: 'Problem', body: 'b' }],
    ['webhook', { title: 'Service alert', text: 'a' }, { title: 'Service alert', text: 'b' }],
    ['webhook', { title: 'TrueNAS: Alerts', text: 'a' }, { title: 'TrueNAS: Alerts', text: 'b' }],
    ['webhook', 'ALERT\na', 'ALERT\nb'],
    ['slack-webhook', { text: 'ALERT\na' }, { text: 'ALERT\nb' }],
    ['datadog', { title: 'Alert', text: 'a' }, { title: 'Alert', text: 'b' }],
    ['goalert', { summary: 'Alert', details: 'a' }, { summary: 'Alert', details: 'b' }],
    ['opsgenie-alert-api', { message: 'Alert', entity: 'a' }, { message: 'Alert', entity: 'b' }],
  ];
  for (const [type, a, b] of two) {
    const keys = [a, b, a].map((body) => alertOf(type, body).dedup_key);
    assert.notEqual(keys[0], keys[1], `${type} ${JSON.stringify(a)}`);
    assert.equal(keys[0], keys[2]);
  }
  const pairs: readonly (readonly [Json, Json])[] = [
    [
      { title: 'Alert', host: 'a', load: 9 },
      { title: 'Alert', host: 'a', load: 1, status: 'ok' },
    ],
    [
      { title: 'Alert', body: 'db-1 is DOWN' },
      { title: 'Alert', body: 'db-1 is UP', status: 'ok' },
    ],
    [{ title: 'Alert' }, { title: 'Alert', status: 'ok' }],
    [{ title: 'Alert' }, { title: '[RESOLVED] Alert' }],
    [
      { title: 'Backup error', body: 'x' },
      { title: 'Backup error', status: 'ok' },
    ],
  ];
  for (const [begun, ended] of pairs) {
    const end = alertOf('webhook', ended);
    assert.deepEqual([end.action, end.dedup_key], ['resolve', alertOf('webhook', begun).dedup_key]);
  }
});

test('two things that differ by a number have a key each, whichever way they are reported', () => {
  const two: readonly (readonly [string, string])[] = [
    ['Port 1:24 link down', 'Port 1:25 link down'],
    ['Stack port 2:05 down', 'Stack port 3:05 down'],
    ['Job 02:00 failed', 'Job 14:00 failed'],
    ['Disk 2 TB failed', 'Disk 4 TB failed'],
    ['Sensor 1.2345 down', 'Sensor 1.2346 down'],
    ['Camera 3 h offline', 'Camera 4 h offline'],
    ['VLAN 20:30 down', 'VLAN 20:40 down'],
    ['CPU > 80 % on web', 'CPU > 95 % on web'],
  ];
  const ways: readonly (readonly [string, (text: string) => Json])[] = [
    ['webhook', (text) => text],
    ['webhook', (text) => ({ text })],
    ['webhook', (message) => ({ message })],
    ['webhook', (title) => ({ title })],
    ['webhook', (body) => ({ title: 'Alert', body })],
    ['datadog', (text) => ({ text, host: 'sw-1' })],
    ['zabbix', (message) => ({ message, host: 'sw-1' })],
    ['slack-webhook', (text) => ({ text })],
    [
      'pagerduty-events-v2',
      (summary) => ({ event_action: 'trigger', payload: { summary, source: 'a' } }),
    ],
  ];
  for (const [type, body] of ways)
    for (const texts of two) {
      const [one, other] = texts.map((text) => alertOf(type, body(text)).dedup_key);
      assert.notEqual(one, other, `${type} ${JSON.stringify(body(texts[0]))}`);
    }
});

test('the same problem again has the same key, whatever was measured meanwhile', () => {
  const again: readonly (readonly [string, Json, Json])[] = [
    ['uptime-kuma', certificate('a', 7), certificate('a', 6)],
    [
      'pagerduty-events-v2',
      pagerduty('Uptime Kuma/undefined', '[a] Certificate will expire in 7 days'),
      pagerduty('Uptime Kuma/undefined', '[a] Certificate will expire in 6 days'),
    ],
    ['webhook', { msg: 'Disk full', time: 1795840000 }, { msg: 'Disk full', time: 1795840060 }],
    ['webhook', { msg: 'x', request_id: 'a1' }, { msg: 'x', request_id: 'b2' }],
    ['webhook', '2026-11-28 03:00:01 Disk full', '2026-11-28 03:05:01 Disk full'],
    ['zabbix', { message: 'Disk at 91 %', host: 'a' }, { message: 'Disk at 93 %', host: 'a' }],
    ['webhook', { text: 'Load is 4.125 at 03:00' }, { text: 'Load is 5.250 at 03:10' }],
  ];
  for (const [type, first, second] of again)
    assert.equal(alertOf(type, first).dedup_key, alertOf(type, second).dedup_key, type);
});

test('XML is read as the object that it is, whatever its fields are made of', () => {
  const read = (xml: string) => alertOf('webhook', xml, { contentType: 'application/xml' });
  const alert = read(
    '<?xml version="1.0"?><alert severity="critical"><title>Disk A</title><dedup_key>7</dedup_key></alert>',
  );
  assert.deepEqual(
    [alert.title, alert.dedup_key, alert.severity, alert.action],
    ['Disk A', '7', 'sev1', 'trigger'],
  );
  const end = read('<alert status="resolved" title="Disk A"/>');
  assert.deepEqual([end.title, end.dedup_key, end.action], ['Disk A', 'Disk A', 'resolve']);
  const titled = read('<a><title lang="en">Disk B</title><status>ok</status></a>');
  assert.deepEqual([titled.title, titled.action], ['Disk B', 'resolve']);
  // One with a DOCTYPE is never expanded, and one that is broken is text: what it says is its key.
  for (const start of [
    '<?xml version="1.0"?>\n<!DOCTYPE a>\n',
    '<?xml version="1.0"?>\n<broken>',
  ]) {
    const [one, other] = ['Disk A', 'Disk B'].map((name) => read(`${start}<a>${name}</a>`));
    assert.deepEqual([one?.title, other?.title], ['Disk A', 'Disk B']);
    assert.notEqual(one?.dedup_key, other?.dedup_key);
  }
  const untitled = (host: string) => read(`<?xml version="1.0"?><a><host>${host}</host></a>`);
  assert.notEqual(untitled('a').dedup_key, untitled('b').dedup_key);
});

test('a list in XML is as many alerts', () => {
  const type = integrationTypes.find((one) => one.slug === 'webhook');
  const xml = '<alerts><alert><title>A</title></alert><alert><title>B</title></alert></alerts>';
  const sent = { ...posted, path: '/x', headers: {}, contentType: 'text/xml' };
  const reading = type?.read({ ...sent, body: new TextEncoder().encode(xml) }, about);
  assert.ok(reading && 'alerts' in reading);
  assert.deepEqual(
    reading.alerts.map(({ title }) => title),
    ['A', 'B'],
  );
});

test('mails have a key of what only their text names', () => {
  const smart = (device: string) =>
    mailOf(
      'SMART error (Health) detected on host: depot-5',
      `The following warning was logged:\n\nDevice: ${device} [SAT], FAILED SMART self-check.`,
    );
  const [first, second] = [smart('/dev/sda'), smart('/dev/sdb')];
  assert.notEqual(first.dedup_key, second.dedup_key);
  assert.equal(first.former_key, 'SMART error (Health) detected on host: depot-5');
  const raid = (disk: string) =>
    mailOf(
      'Fail event on /dev/md0:depot-5',
      `It could be related to component device ${disk}.\n\nFaithfully yours`,
    );
  assert.notEqual(raid('/dev/sdb1').dedup_key, raid('/dev/sdc1').dedup_key);
  const nagios = (state: string, address: string) =>
    mailOf(
      `** ${state === 'OK' ? 'RECOVERY' : 'PROBLEM'} Service Alert: Web/HTTP is ${state} **`,
      `***** Nagios *****\n\nService: HTTP\nHost: Web\nAddress: ${address}\nState: ${state}\n`,
    );
  assert.notEqual(
    nagios('CRITICAL', '192.0.2.1').dedup_key,
    nagios('CRITICAL', '192.0.2.2').dedup_key,
  );
  assert.equal(nagios('OK', '192.0.2.1').dedup_key, nagios('CRITICAL', '192.0.2.1').dedup_key);
  const port = (event: string, of: string) =>
    mailOf(
      'monit alert --  Connection',
      `${event} Service web \n\n\tDate:        x\n\tHost:        depot-1\n\tDescription: ${of}\n`,
    );
  const refused = (at: number) =>
    port('Connection failed', `failed protocol test [HTTP] at [::1]:${at} [TCP/IP] -- refused`);
  assert.notEqual(refused(7991).dedup_key, refused(7992).dedup_key);
  const back = port('Connection succeeded', 'connection succeeded to [::1]:7991 [TCP/IP]');
  assert.deepEqual([back.action, back.dedup_key], ['resolve', refused(7991).dedup_key]);
});

test('a subject that a template did not fill in is told apart by its text', () => {
  const subject = 'Problem: {EVENT.NAME} on $HOSTNAME$';
  const [one, other] = ['db-1', 'db-2'].map((host) => mailOf(subject, `Host: ${host}`));
  assert.deepEqual([one?.title, one?.former_key], ['Problem: on', subject]);
  assert.notEqual(one?.dedup_key, other?.dedup_key);
  assert.equal(mailOf(subject, 'Host: db-1').dedup_key, one?.dedup_key);
});

test('a title says where it is, once', () => {
  const titles: readonly (readonly [string, Json, string])[] = [
    [
      'zabbix',
      { 'EVENT.ID': '7', 'EVENT.VALUE': '1', 'EVENT.NAME': 'High CPU', 'HOST.NAME': 'depot-7' },
      'depot-7: High CPU',
    ],
    [
      'zabbix',
      {
        'EVENT.ID': '7',
        'EVENT.VALUE': '1',
        'EVENT.NAME': 'CPU of Depot-7',
        'HOST.NAME': 'depot-7',
      },
      'CPU of Depot-7',
    ],
    [
      'icinga2',
      { check_result: { output: 'no route' }, host: 'depot-7', service: 'ping', state: 2 },
      'depot-7/ping: no route',
    ],
    [
      'monit',
      monit('Does not exist', 'process is not running'),
      'depot-1: web: process is not running',
    ],
    [
      'alertmanager',
      { alerts: [{ labels: { alertname: 'Down', instance: 'db-1:9100' } }] },
      'Down on db-1:9100',
    ],
    [
      'alertmanager',
      {
        alerts: [
          { labels: { alertname: 'Down', instance: 'db-1:9100' }, annotations: { summary: 'S' } },
        ],
      },
      'S',
    ],
    [
      'riemann',
      { host: 'depot-7', service: 'cpu', state: 'critical', description: 'high' },
      'depot-7: high',
    ],
  ];
  for (const [type, body, title] of titles) assert.equal(alertOf(type, body).title, title);
});

test('what a template left is passed over in titles, and not shown in details', () => {
  const titles: readonly (readonly [Json, string])[] = [
    [{ title: '<no value>', summary: 'Disk full' }, 'Disk full'],
    [{ title: 'Disk of <no value>', summary: 'Disk full' }, 'Disk of'],
    [{ title: '[Kuma] [undefined] [shop] down' }, '[Kuma] [shop] down'],
    [{ title: '$HOSTNAME$ is down: $SERVICEDESC$' }, 'is down'],
    [{ title: 'Problem: {EVENT.NAME} on {HOST.NAME}', message: 'x' }, 'Problem: on'],
    [{ title: '{{ title }}', message: '{{ message }}' }, 'Checks'],
  ];
  for (const [body, title] of titles) assert.equal(alertOf('webhook', body).title, title);
  const { details } = alertOf('webhook', {
    title: 'Disk full',
    host: '{{ host }}',
    mount: '/var',
    value: '<no value>',
    text: 'Host $HOSTNAME$ is at 91 %',
    list: ['a', '{EVENT.NAME}'],
  });
  assert.deepEqual(details, { mount: '/var', text: 'Host is at 91 %', list: ['a'] });
});
