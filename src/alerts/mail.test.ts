import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertEvent, Mail } from './alert.ts';
import { readMail } from './mail.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Mailbox',
};

function read(mail: Partial<Mail>) {
  return readMail({ subject: '', from: 'a@b.test', text: '', headers: {}, ...mail }, about);
}

function only(mail: Partial<Mail>): AlertEvent {
  const reading = read(mail);
  assert.ok('alerts' in reading, JSON.stringify(reading));
  const [alert] = reading.alerts;
  assert.ok(alert, `no alert from ${mail.subject}`);
  return alert;
}

test('a mark in front resolves the rest of the subject', () => {
  const cases = [
    { subject: 'Disk full', action: 'trigger', key: 'Disk full' },
    { subject: '[RESOLVED] Disk full', action: 'resolve', key: 'Disk full' },
    { subject: '[resolved]Disk full', action: 'resolve', key: 'Disk full' },
    { subject: '[Resolved]: Disk full', action: 'resolve', key: 'Disk full' },
    { subject: 'Resolved: Disk full', action: 'resolve', key: 'Disk full' },
    { subject: 'RESOLVED:Disk full', action: 'resolve', key: 'Disk full' },
    { subject: 'Fwd: Re: [RESOLVED] Disk full', action: 'resolve', key: 'Disk full' },
    { subject: 'Fwd: Disk full', action: 'trigger', key: 'Disk full' },
    { subject: 'Not resolved: Disk full', action: 'trigger', key: 'Not resolved: Disk full' },
    { subject: 'Resolved issue count high', action: 'trigger', key: 'Resolved issue count high' },
    { subject: 'Report: Disk full', action: 'trigger', key: 'Report: Disk full' },
    { subject: '[RESOLVED]', action: 'resolve', key: '[RESOLVED]' },
  ];
  for (const { subject, action, key } of cases) {
    const alert = only({ subject });
    assert.deepEqual([alert.action, alert.dedup_key, alert.title], [action, key, subject]);
  }
});

test('tools that change the subject with the state keep one key', () => {
  const cases = [
    ['** PROBLEM Host Alert: web-01 is DOWN **', 'trigger', 'sev1'],
    ['** RECOVERY Host Alert: web-01 is UP **', 'resolve', undefined],
    ['** ACKNOWLEDGEMENT Host Alert: web-01 is DOWN **', 'acknowledge', undefined],
    ['[PROBLEM] Queue on web is UNKNOWN!', 'trigger', 'sev3'],
    ['[RECOVERY] Queue on web is OK!', 'resolve', undefined],
  ] as const;
  for (const [subject, action, severity] of cases) {
    const alert = only({ subject });
    assert.deepEqual([alert.action, alert.severity], [action, severity], subject);
    assert.equal(alert.dedup_key, subject[0] === '*' ? 'Host Alert: web-01' : 'Queue on web');
  }
});

test('mails that report no change of a problem open nothing', () => {
  const monit = 'Monit instance changed Service web-01\n\n\tHost:        web-01\n';
  const headers = { 'x-netdata-alert-name': 'ram', 'x-netdata-host': 'a' };
  const cases: Partial<Mail>[] = [
    { subject: '** CUSTOM Service Alert: a/b is OK **' },
    { subject: '** FLAPPINGSTART Service Alert: a/b is OK **' },
    { subject: '[DOWNTIMESTART] Queue on web is OK!' },
    { subject: 'monit alert --  Monit instance changed web-01', text: monit },
    { subject: 'x', headers: { ...headers, 'x-netdata-severity': 'undefined' } },
    { subject: 'Disk full', headers: { 'x-pager-notice': 'page' } },
    { subject: 'Out of office', headers: { 'auto-submitted': 'auto-replied' } },
  ];
  for (const mail of cases) assert.deepEqual(read(mail), { alerts: [] });
  assert.equal(only({ subject: 'A', headers: { 'auto-submitted': 'auto-generated' } }).title, 'A');
});

test('the events of Monit are paired by what they are about', () => {
  const cases = [
    ['Connection failed', 'Connection succeeded'],
    ['Does not exist', 'Exists'],
    ['Timeout', 'Timeout recovery'],
    ['Link down', 'Link up'],
    ['Download bytes exceeded', 'Download bytes ok'],
    ['Resource limit matched', 'Resource limit succeeded'],
    ['Checksum changed', 'Checksum not changed'],
    ['Invalid type', 'Type succeeded'],
    ['Data access error', 'Data access succeeded'],
  ] as const;
  const mail = (event: string) =>
    only({
      subject: `monit alert --  ${event} disk`,
      text: `${event} Service disk \n\n\tHost:        web-01\n`,
    });
  for (const [bad, good] of cases) {
    assert.deepEqual([mail(bad).action, mail(good).action], ['trigger', 'resolve'], bad);
    assert.equal(mail(good).dedup_key, mail(bad).dedup_key);
  }
});

test('a group of Alertmanager is known by its labels, not by its members', () => {
  const mail = (subject: string, count: number) =>
    only({ subject, text: `${count} alerts for alertname=Down  cluster=eu\n\nView\n` });
  const firing = mail('[FIRING:2] Down eu (a b)', 2);
  const resolved = mail('[RESOLVED] Down eu (a)', 1);
  assert.deepEqual([firing.action, resolved.action], ['trigger', 'resolve']);
  assert.equal(resolved.dedup_key, firing.dedup_key);
  const bare = only({ subject: '[FIRING:1] Down eu (a b)' });
  assert.equal(only({ subject: '[RESOLVED] Down eu (a b)' }).dedup_key, bare.dedup_key);
});

test('a mail without a subject is named after the integration and keyed by its text', () => {
  const alert = only({ text: 'disk full' });
  assert.deepEqual([alert.title, alert.details], ['Mailbox', 'disk full']);
  assert.notEqual(only({ text: 'other' }).dedup_key, alert.dedup_key);
  assert.ok('unreadable' in read({ subject: ' ', text: '\n' }));
});

test('a long subject is cut and stays whole in the details', () => {
  const subject = 'word '.repeat(60).trim();
  const alert = only({ subject, text: 'body' });
  assert.equal(alert.title.length, 199);
  assert.equal(alert.details, `${subject}\n\nbody`);
});

test('of what strangers make long no more than a pass is made', () => {
  const much = 20_000_000;
  const mails: Partial<Mail>[] = [
    { subject: '[FIRING:1] x', text: `1 alert for ${'='.repeat(2_200)}\n`.repeat(much / 2_213) },
    { subject: '[FIRING:1] x', text: `1 alert for${' '.repeat(much)}` },
    { subject: `** PROBLEM Host Alert: ${' is x'.repeat(much / 50)}` },
    { subject: `[PROBLEM] ${' is x'.repeat(much / 50)}` },
    { subject: 'monit alert -- x', text: `${'a Service '.repeat(much / 10)}\u2028` },
    { subject: 'monit alert -- x', text: `x Service y\n${'\t'.repeat(much)}` },
  ];
  for (const mail of mails) assert.equal(only(mail).action, 'trigger');
});
