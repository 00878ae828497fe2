import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alertOf } from '../../../test/alert-reading.ts';
import { testPublished } from '../../../test/published.ts';
import type { Json } from '../alert.ts';

const folder = 'payloads/_outbound-as-seen/slack-incoming-webhook/';

const slack = (body: Json) => alertOf('slack-webhook', body);
const sample = (at: URL, name: string) => {
  const isForm = name.endsWith('.txt');
  const contentType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return alertOf('slack-webhook', readFileSync(new URL(name, at), 'utf8'), { contentType });
};

/** Its template for Slack has the labels of the group in the title, and no state but the mark. */
const ofAlertmanager = (mark: string, color: string) => ({
  channel: '#ops',
  username: 'Alertmanager',
  attachments: [
    {
      title: `[${mark}] TargetDown eu-1 (db critical)`,
      title_link: 'https://alertmanager.example.com/#/alerts?receiver=slack',
      fallback: `[${mark}] TargetDown eu-1 (db critical) | https://alertmanager.example.com`,
      color,
      mrkdwn_in: ['fallback', 'pretext', 'text'],
    },
  ],
});

test('what Alertmanager sends to Slack begins and ends one problem', () => {
  const alerts = [
    slack(ofAlertmanager('FIRING:2', 'danger')),
    slack(ofAlertmanager('FIRING:1', 'danger')),
    slack(ofAlertmanager('RESOLVED', 'good')),
  ];
  assert.deepEqual(
    alerts.map(({ action, dedup_key }) => [action, dedup_key]),
    ['trigger', 'trigger', 'resolve'].map((action) => [action, 'TargetDown eu-1 (db critical)']),
  );
  assert.equal(alerts[0]?.title, '[FIRING:2] TargetDown eu-1 (db critical)');
});

/** Its notifier for Slack posts a form; its title has the value, and its link says what it is about. */
const ofNetdata = (status: string, color: string, value: string) => {
  const link = 'https://netdata.example.com/alarm?host=db-1&chart=disk._var&alarm=disk_full';
  const title = `disk full = ${value}`;
  const attachment = { fallback: `db-1 ${status}`, color, title, title_link: link };
  const payload = { channel: '#ops', text: `db-1 ${status}`, attachments: [attachment] };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return alertOf('slack-webhook', body, { contentType: 'application/x-www-form-urlencoded' });
};

test('what Netdata sends to Slack is one problem, whatever its value', () => {
  const alerts = [
    ofNetdata('needs attention', 'warning', '91%'),
    ofNetdata('is critical', 'danger', '97%'),
    ofNetdata('recovered', 'good', '50%'),
  ];
  assert.deepEqual(
    alerts.map(({ action, dedup_key }) => [action, dedup_key]),
    ['trigger', 'trigger', 'resolve'].map((action) => [action, 'db-1 | disk._var | disk_full']),
  );
  assert.equal(alerts[0]?.severity, 'sev3');
});

testPublished(folder, 'what a real Alertmanager sends to Slack is read', (at) => {
  const [opened, ended] = [sample(at, 'firing-1.json'), sample(at, 'resolved-1.json')];
  assert.deepEqual([opened.action, ended.action], ['trigger', 'resolve']);
  assert.equal(opened.title, '[FIRING:2] TargetDown eu-1 (gone eu a warning)');
  assert.equal(opened.dedup_key, 'TargetDown eu-1 (gone eu a warning)');
  assert.equal(
    ended.dedup_key,
    'QueueDepthHigh eu-1 (127.0.0.1:18098 demo payments eu a payments critical billing)',
  );
  assert.equal(opened.links?.length, 2);
});

testPublished(folder, 'what a real Netdata sends to Slack is one problem', (at) => {
  const names = ['firing-2.txt', 'firing-3.txt', 'resolved-2.txt'];
  const alerts = names.map((name) => sample(at, name));
  assert.deepEqual(
    alerts.map(({ action }) => action),
    ['trigger', 'trigger', 'resolve'],
  );
  assert.deepEqual(
    [...new Set(alerts.map(({ dedup_key }) => dedup_key))],
    ['web-01 | statsd_demo.queue_gauge | payments_queue_depth'],
  );
  assert.equal(alerts[0]?.severity, 'sev3');
});

test('what Uptime Kuma sends to Slack has the key of its monitor', () => {
  const message = (text: string, color: string) => ({
    text: 'Uptime Kuma Alert',
    attachments: [
      {
        color,
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Uptime Kuma Alert' } },
          { type: 'section', fields: [{ type: 'mrkdwn', text: `*Message*\n${text}` }] },
        ],
      },
    ],
  });
  const opened = slack(message('[Shop] [🔴 Down] connect ECONNREFUSED', '#e01e5a'));
  const ended = slack(message('[Shop] [✅ Up] 200 - OK', '#2eb886'));
  assert.deepEqual([opened.action, opened.dedup_key], ['trigger', 'Shop']);
  assert.deepEqual([ended.action, ended.dedup_key], ['resolve', 'Shop']);
  assert.equal(opened.title, 'Uptime Kuma Alert: [Shop] [🔴 Down] connect ECONNREFUSED');
});

test('texts are read without the markup of Slack, and pair by their stem', () => {
  const cases = [
    ['<https://a.test|db-1> is *down*', 'trigger', 'db-1 is down', 'db-1'],
    ['<https://a.test|db-1> is back up', 'resolve', 'db-1 is back up', 'db-1'],
    [':fire: Disk of `db-1` is full\nMore', 'trigger', ':fire: Disk of db-1 is full', undefined],
    ['RESOLVED: Disk of db-1', 'resolve', 'RESOLVED: Disk of db-1', 'Disk of db-1'],
    ['db-1 could not be resolved', 'trigger', 'db-1 could not be resolved', undefined],
    ['db-1 has not recovered', 'trigger', 'db-1 has not recovered', undefined],
  ] as const;
  for (const [text, action, title, key] of cases) {
    const alert = slack({ text });
    assert.deepEqual([alert.action, alert.title], [action, title]);
    if (key !== undefined) assert.equal(alert.dedup_key, key);
  }
});

test('mentions are no part of a text, and what is set apart in front is a mark', () => {
  const cases = [
    ['<!here> ALERT: web', '<!here> RESOLVED: web', 'RESOLVED: web'],
    ['@here [FIRING] web', '@here [RESOLVED] web', '[RESOLVED] web'],
    ['<@U123> <!subteam^S1|@ops> Problem: web', '<@U123> Resolved: web', 'Resolved: web'],
    ['*FIRING* web', '*RESOLVED* web', '[RESOLVED] web'],
    ['`CRITICAL` web', '`OK` web', '[OK] web'],
    ['*Alert:* web', '*Resolved:* web', '[Resolved] web'],
  ] as const;
  for (const [begins, ends, title] of cases) {
    const [begun, ended] = [slack({ text: begins }), slack({ text: ends })];
    assert.deepEqual([begun.action, begun.dedup_key], ['trigger', 'web'], begins);
    assert.deepEqual([ended.action, ended.dedup_key, ended.title], ['resolve', 'web', title]);
    assert.equal(ended.in_doubt, undefined, ends);
  }
  const changed = { color: 'danger', title: '[OK -> CRITICAL] db' };
  assert.equal(slack({ attachments: [changed] }).action, 'trigger');
});

test('of attachments the mark in the title comes before the color', () => {
  const attachment = (title: string, color: string) => slack({ attachments: [{ title, color }] });
  assert.equal(attachment('[Alerting] Latency', 'good').action, 'trigger');
  assert.equal(attachment('Latency', '#36a64f').action, 'resolve');
  assert.equal(attachment('Latency', 'danger').action, 'trigger');
  assert.equal(attachment('[OK] Latency', '#36a64f').dedup_key, 'Latency');
});

test('blocks are read without attachments, and different ones have different keys', () => {
  const blocks = (text: string) =>
    slack({
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'New alert' } },
        { type: 'section', text: { type: 'mrkdwn', text } },
      ],
    });
  assert.equal(blocks('*Latency* of api-1').title, 'New alert: Latency of api-1');
  assert.notEqual(blocks('api-1').dedup_key, blocks('api-2').dedup_key);
});

test('words of an end elsewhere in a sentence end nothing', () => {
  for (const text of [
    'Disk is up to 99% on db1',
    'CPU is up 300%',
    'api is online but failing',
    'The backup was healthy, now failing',
    'web has not been resolved',
    'Closed-loop pump failure',
    'Cleared cache failed',
    'Fixed IP conflict on eth0',
  ])
    assert.equal(slack({ text }).action, 'trigger', text);
  for (const text of [
    'OK web',
    'RESOLVED: web',
    '*Closed* - web',
    'web is up',
    'web is back online after 5 minutes',
    'web has been resolved by Ada',
    'web is OK (200)',
  ])
    assert.equal(slack({ text }).action, 'resolve', text);
});
