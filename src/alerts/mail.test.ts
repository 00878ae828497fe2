import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertEvent, Mail } from './alert.ts';
import { settled } from './in-doubt.ts';
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
    { subject: 'Not resolved: Disk full', action: 'trigger', key: 'Disk full' },
    { subject: 'Resolved issue count high', action: 'resolve', key: 'issue count high' },
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
    { subject: '** DOWNTIMESTART Service Alert: a/b is CRITICAL **' },
    { subject: '[DOWNTIMESTART] Queue on web is OK!' },
    { subject: 'monit alert --  Monit instance changed web-01', text: monit },
    { subject: 'x', headers: { ...headers, 'x-netdata-severity': 'undefined' } },
  ];
  for (const mail of cases)
    assert.deepEqual(read(mail), { alerts: [], note: 'it reports no change of a problem' });
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

test('the title of a mail without a subject is its first line, and its key its text', () => {
  const alert = only({ text: '\n Disk full on db-9 \nmore' });
  assert.deepEqual([alert.title, alert.details], ['Disk full on db-9', 'Disk full on db-9 \nmore']);
  // The first line may be a greeting.
  const greeted = ['Hello,\ndb-1 is down', 'Hello,\ndb-2 is down'].map((text) => only({ text }));
  assert.notEqual(greeted[0]?.dedup_key, greeted[1]?.dedup_key);
  assert.ok('unreadable' in read({ subject: ' ', text: '\n' }));
});

test('without a subject, a first line with a mark of state is read as one', () => {
  const [begun, ended] = ['PROBLEM: disk\nat 3:01', 'RESOLVED: disk\nat 3:07'].map((text) =>
    only({ text }),
  );
  assert.deepEqual([begun?.action, ended?.action], ['trigger', 'resolve']);
  assert.deepEqual([begun?.dedup_key, ended?.dedup_key], ['disk', 'disk']);
});

test('of a subject that is nothing but a state, the text tells', () => {
  const labels = (name: string) =>
    `Alerts:\nLabels:\n - alertname = ${name}\n - job = x\nAnnotations:\n - summary = ${name}\n`;
  const [disk, queue] = ['Disk', 'Queue'].map((name) =>
    only({ subject: '[FIRING:1]', text: labels(name) }),
  );
  assert.notEqual(disk?.dedup_key, queue?.dedup_key);
  const ended = only({ subject: '[RESOLVED]', text: labels('Disk') });
  assert.deepEqual([ended.action, ended.dedup_key], ['resolve', disk?.dedup_key]);
  assert.equal(only({ subject: '[DOWN]', text: 'db-1\nsince 3:01' }).title, '[DOWN] db-1');
});

test('of a subject that names no problem, the text tells', () => {
  const subjects = [
    ...['ALERT', 'Notification', 'Service Alert', 'Monitoring alert', 'Critical alert', 'Alerts'],
    ...['Alert: Alert', 'Fwd: [EXTERNAL] Alert', 'TrueNAS: Alerts', 'iDRAC Alert', 'P1 Alert'],
    ...[
      'Eaton Event Notification',
      'Alert from Nagios',
      'You have a new alert',
      'Neue Störung',
      'Störung',
      'Alerte',
      '障害',
      'System Error',
    ],
  ];
  for (const subject of subjects) {
    const [one, other] = ['db-1 disk', 'db-2 disk'].map((text) => only({ subject, text }));
    assert.notEqual(one?.dedup_key, other?.dedup_key, subject);
    assert.match(one?.title ?? '', /db-1 disk$/);
    // What is measured, and when, is another each time.
    const again = ['at 2026-11-28 03:00 91 %', 'at 2026-11-28 03:05 93 %'].map(
      (when) => only({ subject, text: `Hello,\ndisk of db-1 is full ${when}` }).dedup_key,
    );
    assert.equal(again[0], again[1], subject);
    const ended = only({ subject: `[RESOLVED] ${subject}`, text: 'db-1 disk' });
    assert.deepEqual([ended.action, ended.dedup_key], ['resolve', one?.dedup_key], subject);
    const marked = ['PROBLEM: db-1 disk', 'RESOLVED: db-1 disk'].map((text) =>
      only({ subject, text }),
    );
    assert.equal(marked[0]?.dedup_key, marked[1]?.dedup_key);
  }
  for (const subject of ['Alarm triggered', 'An error has occurred'])
    assert.notEqual(only({ subject, text: 'a' }).dedup_key, only({ subject, text: 'b' }).dedup_key);
  const named = [
    'Service Alert: web',
    'Alert 1',
    'Backup error',
    'High CPU',
    'Truenas-2 Alert',
    'Power failure',
    'Motion detected',
  ];
  for (const subject of named)
    assert.equal(only({ subject, text: 'a' }).dedup_key, only({ subject, text: 'b' }).dedup_key);
  assert.equal(
    only({ subject: 'Alert' }).dedup_key,
    only({ subject: '[RESOLVED] Alert' }).dedup_key,
  );
});

test('below a subject, the mark of a first line ends only what is open', () => {
  const alert = only({ subject: 'Server Alert', text: 'RECOVERY: disk' });
  assert.deepEqual(
    [alert.action, alert.dedup_key, alert.in_doubt],
    ['resolve', 'disk', { line: 'RECOVERY: disk', keys: [], trigger_key: 'RECOVERY: disk' }],
  );
});

test('the instant that a subject ends in is no part of its key', () => {
  const pairs = [
    [
      'Fired:Sev3 Azure Monitor Alert cpu on web ( microsoft.compute/virtualmachines ) at 11/28/2026 5:51:33 AM',
      'Resolved:Sev3 Azure Monitor Alert cpu on web ( microsoft.compute/virtualmachines ) at 11/28/2026 5:58:33 AM',
    ],
    ['[ALERT] Disk full - 2026-11-28 03:00:01', '[OK] Disk full - 2026-11-28 03:10:01'],
    ['web is DOWN since 10:00', 'web is UP since 10:05'],
    ['PROBLEM: web (28.11.2026 05:51)', 'OK: web (28.11.2026 05:58)'],
    [
      '** PROBLEM Host Alert: web is DOWN ** at 2026-11-28 03:00:01',
      '** RECOVERY Host Alert: web is UP **',
    ],
  ] as const;
  for (const [begun, ended] of pairs) {
    const [begins, ends] = [only({ subject: begun }), only({ subject: ended })];
    assert.deepEqual([begins.action, ends.action], ['trigger', 'resolve'], ended);
    assert.equal(ends.dedup_key, begins.dedup_key, ended);
    assert.equal(begins.title, begun);
  }
});

test('a weaker sign of an end is one below such a subject too', () => {
  const alert = only({ subject: 'New device is online', text: 'aa:bb joined' });
  assert.match(alert.in_doubt?.trigger_key ?? '', /^New device \| \w+ \| New device is online$/);
  const keys = ['ALERT', 'WARNING', 'Alert service is down', 'Problem service is down'].map(
    (subject) => only({ subject, text: 'x' }).dedup_key,
  );
  assert.equal(new Set(keys).size, keys.length);
});

test('the key of 0.1.0 is kept where it was another one', () => {
  const cases = [
    ['PROBLEM: Disk full', 'Disk full', 'PROBLEM: Disk full'],
    ['web is DOWN', 'web', 'web is DOWN'],
    ['RV: [RESOLVED] Disk full', 'Disk full', 'RV: [RESOLVED] Disk full'],
    ['[EXTERNAL] Disk full', 'Disk full', '[EXTERNAL] Disk full'],
    ['Fwd: Disk full', 'Disk full', undefined],
    ['[RESOLVED] Disk full', 'Disk full', undefined],
    ['** PROBLEM Host Alert: web-01 is DOWN **', 'Host Alert: web-01', undefined],
    ['[FIRING:2] Down (web)', 'Down (web)', undefined],
  ] as const;
  for (const [subject, key, former] of cases) {
    const alert = only({ subject });
    assert.deepEqual([alert.dedup_key, alert.former_key], [key, former], subject);
  }
});

test('a mail that ends something only if it is open says which line does', () => {
  const alert = only({ subject: 'Fwd: web is UP' });
  assert.deepEqual(alert.in_doubt, {
    line: 'web is UP',
    keys: ['web is DOWN'],
    trigger_key: 'web is UP',
  });
  assert.equal(only({ subject: 'Resolved: web' }).in_doubt, undefined);
});

test('what its source no longer watches is not taken to be over', () => {
  const removed = {
    'x-netdata-alert-name': 'ram',
    'x-netdata-host': 'a',
    'x-netdata-severity': 'removed',
  };
  const zabbix = 'NOTE: Escalation canceled: host "db-9" disabled.\nProblem started';
  const mails = [
    { subject: 'x', headers: removed },
    { subject: 'Problem: Disk is full', text: zabbix },
  ];
  const texts = mails.map((mail) => only(mail).unwatched);
  assert.deepEqual(texts, ['removed', 'NOTE: Escalation canceled: host "db-9" disabled.']);
  assert.equal(only({ subject: 'Problem: Disk is full', text: zabbix }).dedup_key, 'Disk is full');
});

test('two disks of a host, and two rules of a service, have keys of their own', () => {
  const smart = (disk: string) =>
    only({
      subject: 'SMART error (Health) detected on host: db-5',
      text: `The following was logged:\n\nDevice: /dev/${disk} [SAT], FAILED SMART self-check.\n`,
    }).dedup_key;
  assert.notEqual(smart('sda'), smart('sdb'));
  const monit = (event: string, description: string) =>
    only({
      subject: `monit alert --  ${event} shop`,
      text: `${event} Service shop \n\n\tHost:        web-01\n\tDescription: ${description}\n`,
    }).dedup_key;
  const at = (port: number) => `failed protocol test [HTTP] at [localhost]:${port} [TCP/IP]`;
  const [one, other] = [80, 443].map((port) => monit('Connection failed', at(port)));
  assert.notEqual(one, other);
  const ended = monit('Connection succeeded', 'connection succeeded to [localhost]:80 [TCP/IP]');
  assert.equal(ended, one);
  const limit = monit(
    'Resource limit matched',
    'cpu usage of 99.0% matches resource limit [cpu > 90%]',
  );
  const checked = monit(
    'Resource limit succeeded',
    'cpu usage check succeeded [current cpu usage = 1%]',
  );
  assert.equal(checked, limit);
  assert.notEqual(
    limit,
    monit('Resource limit matched', 'mem usage of 99.0% matches resource limit [mem > 90%]'),
  );
});

test('of the disks behind one controller each has a key of its own', () => {
  const smart = (device: string) =>
    only({
      subject: 'SMART error (Health) detected on host: db-5',
      text: `The following was logged:\n\nDevice: ${device}, FAILED SMART self-check.\n\nDevice info:\nST4000\n`,
    }).dedup_key;
  const devices = [
    ...['/dev/bus/0 [megaraid_disk_10] [SAT]', '/dev/bus/0 [megaraid_disk_11] [SAT]'],
    ...['/dev/twa0 [3ware_disk_01]', '/dev/twa0 [3ware_disk_02]', '/dev/sda [3ware_disk_01]'],
    ...['/dev/sg1 [cciss_disk_00] [SCSI]', '/dev/sg1 [cciss_disk_01] [SCSI]'],
    ...['/dev/arcmsr0 [areca_disk#01_enc#01]', '/dev/arcmsr0 [areca_disk#01_enc#02]', '/dev/nvme0'],
  ];
  const keys = devices.map(smart);
  assert.equal(new Set(keys).size, keys.length);
  assert.deepEqual(devices.map(smart), keys);
  assert.equal(smart('/dev/sda [SAT]'), smart('/dev/sda'));
});

test('what a text names is found where it is quoted', () => {
  const nagios = (state: string, text: string) =>
    only({ subject: `Fwd: ** ${state} Host Alert: web is DOWN **`, text }).dedup_key;
  const key = nagios('PROBLEM', 'Host: web\nState: DOWN\nAddress: 10.0.0.1');
  for (const text of [
    '> Host: web\n> Address: 10.0.0.1',
    '>> | Address: 10.0.0.1',
    '\tAddress:10.0.0.1',
  ])
    assert.equal(nagios('RECOVERY', text), key, text);
  assert.notEqual(nagios('RECOVERY', '> Address: 10.0.0.2'), key);
  const group = (text: string) => only({ subject: '[FIRING:1] x (a)', text }).dedup_key;
  assert.equal(group('> 1 alert for a=b\n'), group('1 alert for a=b\n'));
});

test('an end finds what a mail without its address or its value opened', () => {
  const address = 'Address: 10.0.0.1';
  const cases = [
    ['** PROBLEM Host Alert: w is DOWN **', '', '** RECOVERY Host Alert: w is UP **', address],
    ['[FIRING] High CPU on web', '', '[RESOLVED] High CPU 12% on web', ''],
  ] as const;
  for (const [begins, of, ends, to] of cases) {
    const begun = only({ subject: begins, text: of });
    const end = settled(only({ subject: ends, text: to }), (key) =>
      key === begun.dedup_key ? [begun.title] : [],
    );
    assert.deepEqual([end.action, end.dedup_key], ['resolve', begun.dedup_key], ends);
  }
  // What is open with another address is another host.
  const other = only({ subject: cases[0][0], text: 'Address: 10.0.0.2' });
  const end = settled(only({ subject: cases[0][2], text: address }), (key) =>
    key === other.dedup_key ? [other.title] : [],
  );
  assert.notEqual(end.dedup_key, other.dedup_key);
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
