// What tools send that are set up for another service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import { testPublished } from '../../../test/published.ts';
import { aboutSamples, alertsIn, ofStatus, type Sample } from '../../../test/tool-samples.ts';
import { typeOf } from '../../api/events/stored-events.ts';
import type { AlertEvent, Reading } from '../alert.ts';
import { dialectOf } from '../dialects.ts';

type Sent = {
  readonly method?: string;
  readonly query?: string;
  readonly body?: unknown;
  /** The type of the integration; absent: our own form. */
  readonly own?: string;
};

/** Read as an event that came by that path. */
function read(path: string, { method = 'POST', query = '', body = {}, own }: Sent = {}): Reading {
  const type = typeOf(own ?? 'webhook', path);
  assert.ok(type);
  const request = { ...posted, method, path, query, contentType: 'application/json' };
  return type.read(
    { ...request, body: new TextEncoder().encode(JSON.stringify(body)) },
    { receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'), integrationName: 'Checks' },
  );
}

const pairs = [
  ['/v2/enqueue', 'pagerduty-events-v2'],
  ['/v2/change/enqueue', 'pagerduty-events-v2'],
  ['/generic/2010-04-15/create_event.json', 'pagerduty-events-v2'],
  ['/v2/alerts', 'opsgenie-alert-api'],
  ['/v2/alerts/a%2Fb/close', 'opsgenie-alert-api'],
  ['/v1/json/alert/close', 'opsgenie-alert-api'],
  ['/api/v2/alerts', 'prometheus'],
  ['/integrations/generic/20131114/alert', 'victorops'],
  ['/api/v2/generic/incoming', 'goalert'],
  ['/integrations/v1/formatted_webhook', 'grafana-oncall'],
  ['/integrations/v1/alertmanager', 'prometheus'],
  ['/integrations/v1/alertmanagerV2', 'prometheus'],
  ['/integrations/v1/alertmanager_v2', 'prometheus'],
  ['/integrations/v1/legacy_alertmanager', 'prometheus'],
  ['/integrations/v1/grafana_alerting', 'grafana'],
  ['/integrations/v1/amazon_sns', 'aws-sns'],
  ['/integrations/v1/Stackdriver', 'gcp-monitoring'],
  ['/integrations/v1/sentry_platform', 'sentry'],
  ['/integrations/v1/pagerduty', 'pagerduty-webhook-v3'],
  ['/integration/enqueue', undefined],
  ['/v1/json/nagios', undefined],
  ['/v1/json/alertlogic', undefined],
  ['/push-events', undefined],
  ['/v2/alertsome', undefined],
] as const;

test('the path names the service that is stood in for, or none', () => {
  for (const [path, slug] of pairs)
    for (const own of ['webhook', 'nagios']) assert.equal(dialectOf(path, own), slug, path);
});

test('OnCall: what is not a tool name is formatted for OnCall, unless the integration names one', () => {
  for (const path of ['/integrations/v1/webhook', '/integrations/v1/fabric']) {
    for (const own of ['webhook', 'grafana-oncall'])
      assert.equal(dialectOf(path, own), 'grafana-oncall');
    for (const own of ['prtg', 'uptime-kuma', 'alertmanager'])
      assert.equal(dialectOf(path, own), undefined);
  }
});

const toolsOfOncall: Readonly<Partial<Record<string, string>>> = {
  alertmanager: 'alertmanager',
  prometheus: 'alertmanagerV2',
  grafana: 'grafana',
  'aws-cloudwatch': 'amazon_sns',
  appdynamics: 'appdynamics',
  datadog: 'datadog',
  elastalert: 'elastalert',
  jira: 'jira',
  kapacitor: 'kapacitor',
  newrelic: 'newrelic',
  pingdom: 'pingdom',
  prtg: 'prtg',
  sentry: 'sentry',
  'gcp-monitoring': 'stackdriver',
  uptimerobot: 'uptimerobot',
  zabbix: 'zabbix',
};

const actionAndKey = ({ action, dedup_key }: AlertEvent) => ({ action, dedup_key });

/** Of Opsgenie the address says what is done to which alert; our own form has no address at OnCall. */
const isElsewhere = ({ request, type }: Sample) =>
  request.path.includes('/v2/alerts/') || type.slug === 'webhook';

test('OnCall: what begins and ends a problem does so at the addresses for its tool', () => {
  const sent = [...ofStatus('firing'), ...ofStatus('resolved')];
  for (const sample of sent.filter((one) => !isElsewhere(one))) {
    const { slug } = sample.type;
    const { [slug]: oncall } = toolsOfOncall;
    const ways = [
      { oncall: 'webhook', own: slug },
      ...(oncall === undefined ? [] : [{ oncall, own: slug }]),
      // The address names the tool, and the integration none; of PRTG it is a script of OnCall.
      ...(oncall === undefined || slug === 'prtg' ? [] : [{ oncall, own: 'webhook' }]),
    ];
    for (const { oncall, own } of ways) {
      const path = `/integrations/v1/${oncall}`;
      const reading = typeOf(own, path)?.read({ ...sample.request, path }, aboutSamples);
      assert.ok(reading && 'alerts' in reading, sample.file);
      const want = alertsIn(sample).map(actionAndKey);
      assert.deepEqual(reading.alerts.map(actionAndKey), want, `${sample.file} ${path} ${own}`);
    }
  }
});

test('OnCall: the script for PRTG opens and ends a sensor', () => {
  const send = (title: string, state: string, own: string) => {
    const path = '/integrations/v1/prtg';
    const body = {
      alert_uid: '2001 11/21/2026',
      title,
      state,
      message: '100 %',
      ack_url_get: 'http://prtg/ack?passhash=1',
      link_to_upstream_details: 'http://prtg/2001',
    };
    return one(read(path, { body, own }));
  };
  for (const own of ['prtg', 'webhook']) {
    const [opens, key] = send('db-1 Ping Down at 3:00', 'alerting', own);
    const [ends, same] = send('db-1 Ping Up at 4:00', 'ok', own);
    assert.deepEqual([opens, ends, same], ['trigger', 'resolve', key]);
  }
});

const whole = (reading: Reading): AlertEvent => {
  assert.ok('alerts' in reading, JSON.stringify(reading));
  const [alert, ...others] = reading.alerts;
  assert.ok(alert && others.length === 0, JSON.stringify(reading));
  return alert;
};

const one = (reading: Reading) => {
  const { action, dedup_key, title } = whole(reading);
  return [action, dedup_key, title];
};

test('PagerDuty: an event needs a key and an action, and nothing else', () => {
  const send = (body: object) => read('/v2/enqueue', { body });
  const payload = { summary: 'Disk full', source: 'db-1', severity: 'critical' };
  const event = { event_action: 'trigger', dedup_key: 'one', payload };
  assert.deepEqual(one(send(event)), ['trigger', 'one', 'Disk full']);
  assert.deepEqual(one(send({ event_action: 'RESOLVE', dedup_key: 'one' })).slice(0, 2), [
    'resolve',
    'one',
  ]);
  const [action, key] = one(send({ event_action: 'trigger' }));
  assert.deepEqual([action, key?.length], ['trigger', 32]);
  for (const body of [{ event_action: 'resolve' }, { event_action: 'page', dedup_key: 'one' }, {}])
    assert.ok('unreadable' in send(body), JSON.stringify(body));
});

test('PagerDuty: without a key, what is reported is one, whatever its values', () => {
  const send = (event_action: string, payload: object) =>
    one(read('/v2/enqueue', { body: { event_action, payload } }))[1];
  const payload = { summary: 'Disk full', source: 'db-1' };
  const first = send('trigger', { ...payload, severity: 'critical', timestamp: '1' });
  assert.equal(send('resolve', { ...payload, severity: 'info', timestamp: '2' }), first);
  assert.notEqual(send('trigger', { ...payload, source: 'db-2' }), first);
});

test('PagerDuty: a key that a template left blank is none', () => {
  const payload = { summary: 'Disk full', source: 'db-1' };
  for (const dedup_key of ['{{ key }}', ' ', null]) {
    const send = (event_action: string, of: object) =>
      one(read('/v2/enqueue', { body: { event_action, dedup_key, payload: of } }))[1];
    const first = send('trigger', payload);
    assert.equal(send('resolve', payload), first);
    assert.notEqual(send('trigger', { ...payload, source: 'db-2' }), first);
    const end = read('/v2/enqueue', { body: { event_action: 'resolve', dedup_key } });
    // Of what a template left, another alert may have come with the same.
    if (dedup_key?.trim()) assert.equal(whole(end).raw_key, dedup_key);
    else assert.ok('unreadable' in end);
  }
  const version1 = (host: string) => {
    const event = { service_key: '*', event_type: 'trigger', incident_key: '{{ key }}' };
    const body = { ...event, description: `Disk of ${host}`, host };
    return one(read('/generic/2010-04-15/create_event.json', { body }))[1];
  };
  assert.notEqual(version1('db-1'), version1('db-2'));
});

test("PagerDuty: a field named as one of every object's is no action", () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    assert.ok('unreadable' in read('/v2/enqueue', { body: { event_action: name } }));
});

test('PagerDuty: links lead to the client, what it links and its images', () => {
  const reading = read('/v2/enqueue', {
    body: {
      event_action: 'trigger',
      dedup_key: 'one',
      payload: { summary: 'Disk full' },
      client: 'Tool',
      client_url: 'https://tool.test/1',
      links: [
        { href: 'https://tool.test/2', text: 'Runbook' },
        { href: 'https://tool.test/4', text: 'Wiki' },
      ],
      images: [
        { src: 'https://tool.test/3.png', alt: 'Load' },
        { src: 'https://tool.test/5.png', href: 'https://tool.test/5', alt: 'Graph' },
      ],
    },
  });
  const [alert] = 'alerts' in reading ? reading.alerts : [];
  assert.deepEqual(alert?.links, [
    { text: 'Client', href: 'https://tool.test/1' },
    { text: 'Runbook', href: 'https://tool.test/2' },
    { text: 'Wiki', href: 'https://tool.test/4' },
    { text: 'Load', href: 'https://tool.test/3.png' },
    { text: 'Graph', href: 'https://tool.test/5' },
    { text: 'Graph', href: 'https://tool.test/5.png' },
  ]);
});

test('Opsgenie: the address says what is done to which alert', () => {
  const alias = { query: 'identifierType=alias' };
  const close = read('/v2/alerts/a%2Fb%20c/close', alias);
  assert.deepEqual(one(close), ['resolve', 'a/b c', 'a/b c']);
  assert.equal(one(read('/v2/alerts/one/acknowledge', alias))[0], 'acknowledge');
  assert.equal(one(read('/v2/alerts/one', { ...alias, method: 'DELETE' }))[0], 'resolve');
  for (const action of ['notes', 'snooze'])
    assert.deepEqual(read(`/v2/alerts/one/${action}`, alias), {
      alerts: [],
      note: `${action} is not supported for alerts`,
    });
  for (const action of ['constructor', '__proto__', 'clsoe'])
    assert.deepEqual(read(`/v2/alerts/one/${action}`, alias), {
      unreadable: `${action}: is not an alert action`,
    });
  const unknown = read('/v2/alerts/7/close', { query: 'identifierType=tiny' });
  assert.deepEqual(unknown, { alerts: [], note: 'no alert has the id 7' });
});

test('Opsgenie: an alert has its alias as its key, else what its message is about', () => {
  const send = (body: object) => one(read('/v2/alerts', { body })).slice(0, 2);
  assert.deepEqual(send({ message: 'Disk full', alias: 'one' }), ['trigger', 'one']);
  assert.deepEqual(send({ message: '[FIRING:1] Disk full' }), ['trigger', 'Disk full']);
});

test('GoAlert and OnCall: without a key the title is one, without its state', () => {
  const goalert = (summary: string) =>
    one(read('/api/v2/generic/incoming', { body: { summary } }))[1];
  assert.equal(goalert('[Shop] [🔴 Down] timeout'), 'Shop');
  assert.equal(goalert('[Shop] [✅ Up] 200 - OK'), 'Shop');
  assert.equal(goalert('Disk full'), 'Disk full');
  const detailed = one(read('/api/v2/generic/incoming', { body: { details: 'Disk is full' } }));
  assert.deepEqual(detailed.slice(0, 1), ['trigger']);
  assert.equal(detailed[2], 'Disk is full');
  const oncall = (title: string, state: string) =>
    one(read('/integrations/v1/formatted_webhook', { body: { title, state } })).slice(0, 2);
  assert.deepEqual(oncall('Mail is down', 'alerting'), ['trigger', 'Mail']);
  assert.deepEqual(oncall('Mail is up', 'ok'), ['resolve', 'Mail']);
});

/** What Alertmanager sends has the hash of the group's key for its id. */
const ofAlertmanager = (message_type: string) => ({
  message_type,
  entity_id: 'f2c6'.repeat(16),
  entity_display_name: '[FIRING:1] TargetDown eu-1',
  state_message: 'Labels: alertname = TargetDown',
  monitoring_tool: 'Alertmanager',
});
const atSplunk = (body: object) => one(read('/integrations/generic/20131114/alert', { body }));

test('Splunk On-Call: what Alertmanager sends ends what it opened', () => {
  const [opens, ends] = ['CRITICAL', 'RECOVERY'].map((type) => atSplunk(ofAlertmanager(type)));
  assert.deepEqual(opens?.slice(0, 2), ['trigger', 'f2c6'.repeat(16)]);
  assert.deepEqual(ends?.slice(0, 2), ['resolve', 'f2c6'.repeat(16)]);
});

testPublished(
  'payloads/_outbound-as-seen/victorops-rest/',
  'Splunk On-Call: what a real Alertmanager sends ends what it opened',
  (folder) => {
    for (const file of ['firing-1.json', 'resolved-1.json']) {
      const [action, key] = atSplunk(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
      assert.equal(action, file.startsWith('firing') ? 'trigger' : 'resolve');
      assert.match(key ?? '', /^[0-9a-f]{64}$/);
    }
  },
);

/** What Netdata sends: its key is that of one change of the alarm. */
const ofNetdata = (event_action: string, change: string) => ({
  routing_key: 'k',
  event_action,
  dedup_key: change,
  payload: {
    summary: `db-1 disk_full ${change}`,
    source: 'db-1',
    severity: 'critical',
    custom_details: { alarm_id: '1795', chart: 'disk._var', name: 'disk_full' },
  },
});

test("PagerDuty: Netdata's alarm is one, though each transition has its own key", () => {
  const keys = [
    ofNetdata('trigger', 'c1'),
    ofNetdata('trigger', 'c2'),
    ofNetdata('resolve', 'c3'),
  ].map((body) => one(read('/v2/enqueue', { body }))[1]);
  assert.deepEqual([...new Set(keys)], ['db-1 | disk._var | disk_full']);
});

testPublished(
  'payloads/netdata/',
  'PagerDuty: the alarm of a real Netdata is one, though each transition has its own key',
  (folder) => {
    const alarm = 'web-01 | statsd_demo.queue_gauge | payments_queue_depth';
    const keys = ['firing-2.json', 'firing-7.json'].map((file) => {
      const body = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      assert.notEqual(body.dedup_key, alarm);
      return one(read('/v2/enqueue', { body }))[1];
    });
    assert.deepEqual(keys, [alarm, alarm]);
  },
);
