// Each tool whose guide names a way by mail: what the guide says is read so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mail } from './alert.ts';
import { tools } from './index.ts';
import { readMail } from './mail.ts';
import { mailNote } from './mail-guides.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Mailbox',
};

type Sent = string | Partial<Mail>;

const alertmanagerMail = (mark: string): Sent => ({
  subject: `[${mark}] DiskFull (db-1 critical)`,
  text: '1 alert for alertname=DiskFull\n\nView in Alertmanager',
});
const alertmanager = [alertmanagerMail('FIRING:1'), alertmanagerMail('RESOLVED')] as const;

const monit = (event: string): Sent => ({
  subject: `monit alert --  ${event} nginx`,
  text: `${event} Service nginx\n\n\tDate: Sat\n\tAction: alert\n\tHost: web-1\n\tDescription: failed protocol test [HTTP] at [127.0.0.1]:80`,
});
const netdata = (state: string): Sent => ({
  subject: `web-1 ${state}`,
  headers: {
    'x-netdata-alert-name': 'disk_full',
    'x-netdata-chart': 'disk_space._',
    'x-netdata-host': 'web-1',
    'x-netdata-severity': state,
  },
});

/** What each mails of a problem, and of its end. */
const pairs: Readonly<Record<string, readonly [Sent, Sent]>> = {
  alertmanager,
  prometheus: alertmanager,
  mimir: alertmanager,
  'aws-cloudwatch': ['ALARM: "cpu" in EU (Ireland)', 'OK: "cpu" in EU (Ireland)'],
  'azure-monitor': ['Fired:Sev1 Azure Monitor Alert cpu', 'Resolved:Sev1 Azure Monitor Alert cpu'],
  betterstack: ['Incident started: Shop', 'Incident resolved: Shop'],
  checkly: ['The API check "Shop" has failed.', 'The API check "Shop" has recovered.'],
  checkmk: ['Checkmk: db-1/Disk OK -> CRIT', 'Checkmk: db-1/Disk CRIT -> OK'],
  datadog: ['[Triggered] CPU of db-1', '[Recovered] CPU of db-1'],
  dynatrace: ['OPEN Problem P-1: Failure rate', 'RESOLVED Problem P-1: Failure rate'],
  'gcp-monitoring': ['[ALERT] CPU on db-1', '[RESOLVED] CPU on db-1'],
  grafana: ['[FIRING:1, RESOLVED:1] Disk (db-1)', '[RESOLVED] Disk (db-1)'],
  'healthchecks-io': ['DOWN | backup', 'UP | backup'],
  hetrixtools: ['[Offline] Shop', '[Online] Shop'],
  icinga2: ['[FLAPPINGSTART] Disk on db-1 is OK!', '[FLAPPINGEND] Disk on db-1 is OK!'],
  librenms: ['Alert for device sw-1 - Port down', 'Device sw-1 recovered from Port down'],
  monit: [monit('Connection failed'), monit('Connection succeeded')],
  nagios: [
    '** PROBLEM Service Alert: db-1/Disk is CRITICAL **',
    '** DOWNTIMEEND Service Alert: db-1/Disk is OK **',
  ],
  netdata: [netdata('WARNING'), netdata('CLEAR')],
  newrelic: ['[New Relic] Open: Apdex', '[New Relic] Closed: Apdex'],
  pingdom: ['DOWN alert: Shop (shop.example) is DOWN', 'UP alert: Shop (shop.example) is UP'],
  prtg: [
    '[PRTG Network Monitor (HQ)] db-1 Ping Down (Timeout)',
    '[PRTG Network Monitor (HQ)] db-1 Ping Down ended (now: Up) (OK)',
  ],
  site24x7: ['Shop is Down', 'Shop is Up'],
  statuscake: ['Website Down: Shop', 'Website Up: Shop'],
  'uptime-kuma': ['[Shop] [🔴 Down] timeout', '[Shop] [✅ Up] 200 - OK'],
  uptimerobot: ['Monitor is DOWN: Shop', 'Monitor is UP: Shop'],
  zabbix: ['Problem: db-1: Disk is full', 'Resolved in 5m: db-1: Disk is full'],
};

function alertOf(sent: Sent) {
  const mail = typeof sent === 'string' ? { subject: sent } : sent;
  const reading = readMail(
    { subject: '', from: 'monitor@example.com', text: 'x', headers: {}, ...mail },
    about,
  );
  assert.ok('alerts' in reading && reading.alerts[0], JSON.stringify(reading));
  return reading.alerts[0];
}

test('every guide that names a way by mail says what its tool is set to and mails', () => {
  const named = tools.map(({ slug }) => slug).filter((slug) => mailNote(slug).length > 0);
  assert.deepEqual(named.sort(), Object.keys(pairs).sort());
  for (const slug of named) assert.match(mailNote(slug)[0] ?? '', /\{email\}/, slug);
});

for (const [slug, [problem, end]] of Object.entries(pairs))
  test(`the mails of ${slug} are paired`, () => {
    const opened = alertOf(problem);
    const ended = alertOf(end);
    assert.deepEqual([opened.action, ended.action], ['trigger', 'resolve']);
    // By a weaker sign it looks for the problem by several keys.
    const keys = [ended.dedup_key, ...(ended.in_doubt?.keys ?? [])];
    assert.ok(keys.includes(opened.dedup_key), `${opened.dedup_key} is not among ${keys}`);
  });

test('the mail by which Amazon SNS asks to confirm a subscription opens an incident', () => {
  const subject = 'AWS Notification - Subscription Confirmation';
  const text = 'You have chosen to subscribe to the topic: arn:aws:sns:eu-west-1:1:alarms';
  const { action, details } = alertOf({ subject, text });
  assert.deepEqual([action, details], ['trigger', text]);
});
