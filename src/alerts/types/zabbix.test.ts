import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { alertOf, alertsOf } from '../../../test/tool-message.ts';
import { zabbixMediaType } from './zabbix-media-type.ts';

type MediaType = {
  type: string;
  script: string;
  parameters: { name: string; value: string }[];
  message_templates: { event_source: string; operation_mode: string; subject: string }[];
};

function mediaType(): MediaType {
  // What is imported, of which the test reads these fields.
  const file = parse(zabbixMediaType) as { zabbix_export: { media_types: MediaType[] } };
  const [media] = file.zabbix_export.media_types;
  assert.ok(media);
  return media;
}

/** What the script of the media type posts where Zabbix has filled in these macros. */
function posts(macros: Record<string, string>, status = 200) {
  const filled = mediaType().parameters.map(({ name, value }) => [
    name,
    value.replace(/^\{(.*)\}$/, (whole, macro: string) => macros[macro] ?? whole),
  ]);
  const sent: { url: string; body: string; headers: string[] }[] = [];
  class HttpRequest {
    headers: string[] = [];
    addHeader(header: string) {
      this.headers.push(header);
    }
    post(url: string, body: string) {
      sent.push({ url, body, headers: this.headers });
      return 'answer';
    }
    getStatus() {
      return status;
    }
  }
  const value = JSON.stringify(Object.fromEntries(filled));
  const script = `(function (value) { ${mediaType().script} })(value)`;
  const result: unknown = runInNewContext(script, { value, HttpRequest });
  const [request] = sent;
  assert.ok(request);
  return { result, ...request };
}

const problem = {
  url: 'https://pager.example.test/hooks/abc',
  'EVENT.ID': '2719',
  'EVENT.NAME': 'High CPU "utilization"',
  'EVENT.NSEVERITY': '4',
  'EVENT.SEVERITY': 'Renamed',
  'EVENT.UPDATE.ACTION': '',
  'EVENT.VALUE': '1',
  'TRIGGER.ID': '23271',
  '$ZABBIX.URL': 'https://zabbix.example.test/',
};

test('the media type posts a problem, its update and its recovery', () => {
  const { result, url, body, headers } = posts(problem);
  assert.equal(result, 'OK');
  assert.equal(url, problem.url);
  assert.deepEqual(headers, ['Content-Type: application/json']);
  const alert = alertOf('zabbix', body);
  assert.equal(alert.action, 'trigger');
  assert.equal(alert.dedup_key, '2719');
  assert.equal(alert.title, 'High CPU "utilization"');
  assert.equal(alert.severity, 'sev2');
  const href = 'https://zabbix.example.test/tr_events.php?triggerid=23271&eventid=2719';
  assert.deepEqual(alert.links?.[0], { href, text: 'Event' });

  const ack = { ...problem, 'EVENT.UPDATE.ACTION': 'acknowledged, commented' };
  assert.equal(alertOf('zabbix', posts(ack).body).action, 'acknowledge');
  for (const action of ['commented', 'unacknowledged', 'changed severity from High to Low'])
    assert.deepEqual(
      alertsOf('zabbix', posts({ ...problem, 'EVENT.UPDATE.ACTION': action }).body),
      [],
    );

  const recovery = alertOf('zabbix', posts({ ...problem, 'EVENT.VALUE': '0' }).body);
  assert.equal(recovery.action, 'resolve');
  assert.equal(recovery.dedup_key, alert.dedup_key);
});

test('the media type fails where the event was not taken, so that Zabbix sends it again', () => {
  assert.throws(() => posts(problem, 429), /Pager answered 429: answer/);
});

test('a test of the media type, whose macros are not filled in, alerts nobody', () => {
  assert.deepEqual(alertsOf('zabbix', posts({}).body), []);
});

test('the media type is a webhook with messages for problems, recoveries and updates', () => {
  const { type, message_templates: templates, parameters } = mediaType();
  assert.equal(type, 'WEBHOOK');
  const modes = ['PROBLEM', 'RECOVERY', 'UPDATE'];
  for (const source of ['TRIGGERS', 'SERVICE'])
    assert.deepEqual(
      templates.filter((one) => one.event_source === source).map((one) => one.operation_mode),
      modes,
    );
  assert.equal(parameters.find(({ name }) => name === 'URL')?.value, '{url}');
});

test('the media types for PagerDuty, Opsgenie, VictorOps and OnCall pair their messages', () => {
  const opsgenie = { message: 'High CPU', alias: '2719', source: 'Zabbix', priority: 'P2' };
  const closed = { path: '/v2/alerts/2719/close', query: 'identifierType=alias' };
  const pagerduty = { event_action: 'trigger', dedup_key: '7', payload: { summary: 'High CPU' } };
  const victorops = { entity_id: '7', message_type: 'CRITICAL', monitoring_tool: 'Zabbix' };
  const rootly = { alert_id: '7', alert_name: 'High CPU', original_source: 'Zabbix' };
  const oncall = { alert_uid: '7', title: 'High CPU', state: 'alerting' };
  const pairs = [
    [alertOf('zabbix', opsgenie), alertOf('zabbix', { user: 'Zabbix', note: '' }, closed)],
    [
      alertOf('zabbix', pagerduty),
      alertOf('zabbix', { event_action: 'resolve', dedup_key: '7', routing_key: 'r' }),
    ],
    [
      alertOf('zabbix', { ...victorops, entity_display_name: 'High CPU' }),
      alertOf('zabbix', { ...victorops, message_type: 'RECOVERY' }),
    ],
    [alertOf('zabbix', oncall), alertOf('zabbix', { ...oncall, state: 'ok' })],
    [
      alertOf('zabbix', { ...rootly, state: 'firing', acknowledged: 'No' }),
      alertOf('zabbix', { ...rootly, state: 'resolved', acknowledged: 'Yes' }),
    ],
  ] as const;
  for (const [alarm, resolved] of pairs) {
    assert.equal(alarm.action, 'trigger');
    assert.equal(alarm.title, 'High CPU');
    assert.equal(resolved.action, 'resolve');
    assert.equal(resolved.dedup_key, alarm.dedup_key);
  }
  const update = { ...oncall, message: 'Current problem status is PROBLEM, acknowledged: Yes.' };
  assert.equal(alertOf('zabbix', update).action, 'acknowledge');
  const comment = { ...victorops, message_type: 'ACKNOWLEDGEMENT' };
  const unseen = {
    ...comment,
    state_message: 'Current problem status is PROBLEM, acknowledged: No.',
  };
  assert.deepEqual(alertsOf('zabbix', unseen), []);
  assert.equal(alertOf('zabbix', comment).action, 'acknowledge');
  const note = { path: '/v2/alerts/2719/notes' };
  assert.deepEqual(alertsOf('zabbix', { note: 'looking into it' }, note), []);
  assert.deepEqual(alertsOf('zabbix', { ...victorops, message_type: 'INFO' }), []);
});

test('a canceled escalation is no end: Zabbix watches it no longer', () => {
  const sent = (message: string) => ({
    'EVENT.ID': '771',
    'EVENT.VALUE': '1',
    'EVENT.NAME': 'Disk is full',
    'ALERT.MESSAGE': message,
  });
  const note = 'NOTE: Escalation canceled: host "db-9" disabled.';
  const canceled = alertOf('zabbix', sent(`${note}\nProblem: Disk is full`));
  assert.deepEqual([canceled.action, canceled.unwatched], ['resolve', note]);
  assert.equal(canceled.dedup_key, '771');
  const begun = alertOf('zabbix', sent('Problem started'));
  assert.deepEqual([begun.action, begun.unwatched], ['trigger', undefined]);
});
