import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import type { AlertEvent, Mail, Reading } from '../alert.ts';
import { typeOf } from '../index.ts';
import type { Form } from './notation.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Home-made',
};

function readAs(slug: string, body: unknown, forms: readonly Form[]): Reading {
  const type = typeOf(slug);
  assert.ok(type);
  return type.read(requestOf(body), about, { revision: 1, forms });
}

function requestOf(body: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return { ...posted, path: '/push-events', contentType: 'application/json', body: bytes };
}

function only(reading: Reading): AlertEvent {
  assert.ok('alerts' in reading, JSON.stringify(reading));
  const [alert, ...rest] = reading.alerts;
  assert.ok(alert && rest.length === 0, JSON.stringify(reading));
  return alert;
}

const noteOf = (reading: Reading) => ('alerts' in reading ? reading.note : undefined);

const unknown = { probe: { id: 7, label: 'Pump 7' }, condition: 'BROKEN', cause: 'no pressure' };
const forms: readonly Form[] = [
  {
    when: ['probe.id'],
    name: 'probe.label',
    message: 'cause',
    key: [['probe.id']],
    state: [{ at: 'condition', trigger: 'broken', resolve: 'working' }],
    severity: { at: 'condition', sev1: 'broken' },
  },
];

test('a mapping says where an unknown tool has its title, key, state and severity', () => {
  const broken = only(readAs('webhook', unknown, forms));
  assert.equal(broken.title, 'Pump 7: no pressure');
  assert.equal(broken.dedup_key, '7');
  assert.equal(broken.severity, 'sev1');
  const ended = only(readAs('webhook', { ...unknown, condition: 'WORKING', cause: '' }, forms));
  assert.deepEqual([ended.action, ended.dedup_key], ['resolve', '7']);
});

test('a mapping without forms changes nothing', () => {
  const own = { title: 'Disk full', severity: 'critical', dedup_key: 'disk' };
  assert.deepEqual(readAs('webhook', own, []), typeOf('webhook')?.read(requestOf(own), about));
  assert.equal(only(readAs('webhook', own, [])).dedup_key, 'disk');
});

test('what a mapping does not say is read as the type says', () => {
  const group = {
    status: 'firing',
    alerts: [
      {
        status: 'resolved',
        labels: { alertname: 'DiskFull', host: 'db-1' },
        annotations: { summary: 'Disk of db-1 is full' },
        fingerprint: 'aa11',
      },
    ],
  };
  const alert = only(readAs('grafana', group, [{ key: [['labels.host', 'labels.alertname']] }]));
  assert.equal(alert.title, 'Disk of db-1 is full');
  assert.equal(alert.dedup_key, 'db-1 | DiskFull');
  assert.equal(alert.action, 'resolve');
});

test('a mapping that finds no key is not used: alerts never share one key by mistake', () => {
  const own = { title: 'Disk full', dedup_key: 'disk' };
  const reading = readAs('webhook', own, [{ key: [['nowhere.id']] }]);
  assert.equal(only(reading).dedup_key, 'disk');
  assert.match(noteOf(reading) ?? '', /the mapping found no key/);
});

test('a body that no form of a mapping fits is read by the type', () => {
  const reading = readAs('webhook', { title: 'Other' }, forms);
  assert.equal(only(reading).title, 'Other');
  assert.match(noteOf(reading) ?? '', /no form that fits/);
});

test('of a list that a mapping fits in part, no alert is lost', () => {
  const reading = readAs('webhook', [unknown, { title: 'Other', dedup_key: 'other' }], forms);
  assert.ok('alerts' in reading);
  assert.equal(reading.alerts.length, 2);
  assert.equal(reading.alerts[1]?.dedup_key, 'other');
  assert.match(noteOf(reading) ?? '', /no form that fits/);
});

test('what of a list cannot be read is noted', () => {
  const reading = readAs('grafana', [{ title: 'Disk full' }, {}], []);
  assert.equal(only(reading).title, 'Disk full');
  assert.ok(noteOf(reading));
});

test('a mapping reads mail: subject, from and text are its places', () => {
  const type = typeOf('email');
  const mail: Mail = {
    subject: 'Job 4711 nightly failed',
    from: 'jobs@example.com',
    text: 'host: db-1\nexit: 3',
    headers: {},
  };
  const by: Form = {
    key: [['subject > take /Job \\d+ (\\w+)/']],
    state: [{ at: 'subject', trigger: '/failed$/', resolve: '/done$/' }],
  };
  const read = (subject: string) =>
    only(
      type?.read({ source: 'mail', ...mail, subject }, about, { revision: 1, forms: [by] }) ?? {
        unreadable: '',
      },
    );
  const [failed, done] = [read('Job 4711 nightly failed'), read('Job 4712 nightly done')];
  assert.deepEqual([failed.action, failed.dedup_key], ['trigger', 'nightly']);
  assert.deepEqual([done.action, done.dedup_key], ['resolve', 'nightly']);
  assert.equal(failed.title, 'Job 4711 nightly failed');
});
