// The types of notification of Nagios, Icinga and Checkmk, by every way in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionOf } from '../../../test/alert-reading.ts';
import type { Json } from '../alert.ts';
import { readMail } from '../mail.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Mailbox',
};

function byMail(subject: string): string {
  const reading = readMail({ subject, from: 'a@b.test', text: 'x', headers: {} }, about);
  assert.ok('alerts' in reading);
  return reading.alerts[0]?.action ?? 'nothing';
}

const http =
  (slug: string, fields: (type: string, state: string) => Json) => (type: string, state: string) =>
    actionOf(slug, fields(type, state));

const service = { host: 'db-9', service: 'load' };
const ways: Readonly<Record<string, (type: string, state: string) => string>> = {
  nagios: http('nagios', (notificationType, state) => ({ ...service, notificationType, state })),
  'nagios, macros': http('nagios', (type, state) => ({
    NAGIOS_HOSTNAME: 'db-9',
    NAGIOS_SERVICEDESC: 'load',
    NAGIOS_NOTIFICATIONTYPE: type,
    NAGIOS_SERVICESTATE: state,
  })),
  icinga2: http('icinga2', (notification_type, service_state) => ({
    host_name: 'db-9',
    service_name: 'load',
    host_state: 'UP',
    notification_type,
    service_state,
  })),
  checkmk: http('checkmk', (notification_type, status) => ({
    site: 'main',
    what: 'SERVICE',
    ...service,
    notification_type,
    status,
  })),
  'mail of Nagios': (type, state) => byMail(`** ${type} Service Alert: db-9/load is ${state} **`),
  'mail of Icinga': (type, state) => byMail(`[${type}] load on db-9 is ${state}!`),
  'forwarded mail of Nagios': (type, state) =>
    byMail(`WG: [EXTERNAL] ** ${type} Service Alert: db-9/load is ${state} **`),
  'text for Slack': (type, state) =>
    actionOf('slack-webhook', { text: `** ${type} Service Alert: db-9/load is ${state} **` }),
};

const expected = [
  ['PROBLEM', 'CRITICAL', 'trigger'],
  ['RECOVERY', 'OK', 'resolve'],
  ['ACKNOWLEDGEMENT', 'CRITICAL', 'acknowledge'],
  // It sends no problem while it flaps.
  ['FLAPPINGSTART', 'CRITICAL', 'trigger'],
  ['FLAPPINGSTART', 'OK', 'trigger'],
  ...['FLAPPINGSTOP', 'FLAPPINGEND', 'FLAPPINGDISABLED'].flatMap((type) => endOf(type)),
  ...['DOWNTIMEEND', 'DOWNTIMECANCELLED', 'DOWNTIMEREMOVED'].flatMap((type) => endOf(type)),
  ['DOWNTIMESTART', 'CRITICAL', 'nothing'],
  ['DOWNTIMESTART', 'OK', 'nothing'],
  ['CUSTOM', 'CRITICAL', 'nothing'],
] as const;

function endOf(type: string) {
  return [
    [type, 'OK', 'resolve'],
    [type, 'WARNING', 'trigger'],
    [type, 'CRITICAL', 'trigger'],
    [type, 'UNKNOWN', 'trigger'],
  ] as const;
}

for (const [way, read] of Object.entries(ways))
  test(`at the end of flapping and downtime the state decides: ${way}`, () => {
    for (const [type, state, action] of expected)
      assert.equal(read(type, state), action, `${type} ${state}`);
  });

test('a host that is up at the end of a downtime is over', () => {
  const host = (notificationType: string, state: string) =>
    actionOf('nagios', { type: 'host', host: 'db-9', notificationType, state });
  assert.equal(host('DOWNTIMEEND', 'UP'), 'resolve');
  assert.equal(host('FLAPPINGSTOP', 'DOWN'), 'trigger');
  assert.equal(host('FLAPPINGSTOP', 'UNREACHABLE'), 'trigger');
  assert.equal(byMail('** FLAPPINGSTOP Host Alert: db-9 is UP **'), 'resolve');
});

test('Checkmk mails the end of flapping and of downtime with the state', () => {
  for (const [event, action] of [
    ['OK -> CRIT', 'trigger'],
    ['CRIT -> OK', 'resolve'],
    ['CRIT -> WARN', 'trigger'],
    ['Started Flapping', 'trigger'],
    ['Stopped Flapping (OK)', 'resolve'],
    ['Stopped Flapping (CRIT)', 'trigger'],
    ['Downtime Start (CRIT)', 'nothing'],
    ['Downtime End (OK)', 'resolve'],
    ['Downtime Cancelled (WARN)', 'trigger'],
    ['Acknowledged (CRIT)', 'acknowledge'],
    ['Custom Notification (OK)', 'nothing'],
  ] as const)
    assert.equal(byMail(`Checkmk: db-7/Filesystem / ${event}`), action, event);
});
