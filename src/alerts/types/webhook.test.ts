import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import type { AlertEvent } from '../alert.ts';
import { readWebhook } from './webhook.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Shop alerts',
};

function read(body: unknown, contentType = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = new TextEncoder().encode(text);
  const request = { ...posted, path: '/push-events', contentType, body: bytes };
  return readWebhook(request, about);
}

function only(body: unknown, contentType?: string): AlertEvent {
  const reading = read(body, contentType);
  assert.ok('alerts' in reading, JSON.stringify(reading));
  assert.equal(reading.alerts.length, 1);
  const [alert] = reading.alerts;
  assert.ok(alert);
  return alert;
}

test('every field is read', () => {
  const alert = only({
    title: 'Disk full',
    body: { host: 'db1' },
    severity: 'critical',
    priority: 'P2',
    status: 'trigger',
    dedup_key: 'disk-db1',
    links: ['https://a.test/x', { href: 'https://b.test', text: 'Graph' }, 'javascript:alert(1)'],
  });
  assert.deepEqual(alert, {
    action: 'trigger',
    dedup_key: 'disk-db1',
    title: 'Disk full',
    details: { host: 'db1' },
    severity: 'sev1',
    priority: 'p2',
    links: [{ href: 'https://a.test/x' }, { href: 'https://b.test', text: 'Graph' }],
  });
});

test('what is missing or of another type is made the best of', () => {
  const cases: { name: string; input: unknown; want: Partial<AlertEvent> }[] = [
    { name: 'the title is the key', input: { title: 'A' }, want: { dedup_key: 'A' } },
    { name: 'a number as title', input: { title: 5 }, want: { title: '5', dedup_key: '5' } },
    {
      name: 'an untitled alert',
      input: { body: 'x' },
      want: { title: 'Shop alerts', details: 'x' },
    },
    {
      name: 'a body that is not ours',
      input: { problem: { summary: 'Disk full', at: 7 } },
      want: { title: 'Disk full' },
    },
    {
      name: 'what a template left',
      input: { title: '{{ title }}', dedup_key: '<no value>', body: 'x' },
      want: { title: 'Shop alerts', dedup_key: only({ body: 'x' }).dedup_key },
    },
    { name: 'a null title', input: { title: null, body: 'x' }, want: { title: 'Shop alerts' } },
    {
      name: 'a key beyond the safe integers',
      input: '{"title":"A","dedup_key":9007199254740993}',
      want: { dedup_key: '9007199254740993' },
    },
    {
      name: 'a word for error',
      input: { title: 'A', severity: 'Error' },
      want: { severity: 'sev2' },
    },
    {
      name: 'a word for warning',
      input: { title: 'A', severity: 'WARN' },
      want: { severity: 'sev3' },
    },
    { name: 'an unknown word', input: { title: 'A', status: 'odd' }, want: { action: 'trigger' } },
    { name: 'firing', input: { title: 'A', status: 'FIRING' }, want: { action: 'trigger' } },
    { name: 'resolved', input: { title: 'A', status: 'Resolved' }, want: { action: 'resolve' } },
    { name: 'ack', input: { title: 'A', status: 'ack' }, want: { action: 'acknowledge' } },
    {
      name: 'an untitled resolve',
      input: { status: 'resolve', dedup_key: 'k' },
      want: { action: 'resolve', dedup_key: 'k' },
    },
    {
      name: 'other fields',
      input: { title: 'A', host: 'db1' },
      want: { details: { host: 'db1' } },
    },
  ];
  for (const { name, input, want } of cases) {
    const alert = only(input);
    for (const [field, value] of Object.entries(want))
      assert.deepEqual(alert[field as keyof AlertEvent], value, name);
  }
  assert.equal(only({ title: 'A', severity: 'odd', priority: 7 }).severity, undefined);
});

test('an untitled trigger and its resolve share a key, other bodies do not', () => {
  const key = (body: unknown) => only(body).dedup_key;
  assert.equal(key({ body: { a: 1, b: 2 } }), key({ status: 'resolved', body: { b: 2, a: 1 } }));
  assert.notEqual(key({ body: 'x' }), key({ body: 'y' }));
});

test('bodies are read by what they are', () => {
  const form = 'application/x-www-form-urlencoded';
  const cases: { name: string; type: string; input: string; want: string }[] = [
    { name: 'a form', type: form, input: 'title=Disk+full&severity=error', want: 'Disk full' },
    { name: 'JSON as form', type: form, input: '{"title":"Disk full"}', want: 'Disk full' },
    { name: 'JSON as text', type: 'text/plain', input: '{"title":"Disk full"}', want: 'Disk full' },
    {
      name: 'JSON in a field',
      type: 'application/json',
      input: 'payload=%7B%22title%22%3A%22Disk%20full%22%7D',
      want: 'Disk full',
    },
    { name: 'JSON in JSON', type: '', input: '"{\\"title\\":\\"Disk full\\"}"', want: 'Disk full' },
    { name: 'text', type: 'text/plain', input: 'Disk full\non db1', want: 'Disk full' },
    { name: 'text as form', type: form, input: 'Disk full', want: 'Disk full' },
    {
      name: 'text with a sign',
      type: form,
      input: 'Disk full (use=99)',
      want: 'Disk full (use=99)',
    },
    { name: 'text in brackets', type: 'text/plain', input: '[db1] full', want: '[db1] full' },
    { name: 'no type', type: '', input: 'title=Disk full&body=x', want: 'Disk full' },
    {
      name: 'a byte order mark',
      type: '',
      input: '\ufeff{"title":"Disk full"}',
      want: 'Disk full',
    },
  ];
  for (const { name, type, input, want } of cases)
    assert.equal(only(input, type).title, want, name);
  assert.equal(only('Disk full\non db1', 'text/plain').details, 'Disk full\non db1');
});

test('a list is read alert by alert', () => {
  const reading = read([{ title: 'A' }, 'B', { title: 'C', status: 'ok' }]);
  assert.ok('alerts' in reading);
  assert.deepEqual(
    reading.alerts.map(({ title, action }) => [title, action]),
    [
      ['A', 'trigger'],
      ['B', 'trigger'],
      ['C', 'resolve'],
    ],
  );
});

test('of a list, what cannot be an alert is noted with its place, and the others are alerts', () => {
  const texts = ['[{"title":"A"},null,{"title":"B"},{}]', '[{"title":"A"},[5],{"title":"B"},7]'];
  for (const text of texts) {
    const reading = read(text);
    assert.ok('alerts' in reading, text);
    assert.deepEqual(
      reading.alerts.map(({ title }) => title),
      ['A', 'B'],
    );
    assert.equal(reading.note, '2 of 4 in the list cannot be read: [1]: must be an object');
  }
});

test('what cannot be an alert is refused with its place', () => {
  const cases = [
    { input: '', want: /^the body: is empty$/ },
    { input: ' \n', want: /^the body: is empty$/ },
    { input: '\0', want: /^the body: is empty$/ },
    { input: '{}', want: /^the body: is empty$/ },
    { input: '[]', want: /^the body: is an empty list$/ },
    { input: '[null,5]', want: /^\[0\]: must be an object$/ },
    { input: '[null]', want: /^the body: must be an object$/ },
    { input: '{"title":', want: /^the body: is not JSON/ },
    { input: 'oops', want: /^the body: is not JSON/ },
    { input: JSON.stringify(Array(5001).fill('A')), want: /^the body: contains 5001 alerts/ },
  ];
  for (const { input, want } of cases) {
    const reading = read(input);
    assert.ok('unreadable' in reading, input);
    assert.match(reading.unreadable, want);
  }
  assert.ok('unreadable' in read('--x\r\n', 'multipart/form-data; boundary=x'));
});

test('of JSON that a template broke the log of events says that it was repaired', () => {
  const reading = read('{"title": "Disk "root" is full"}');
  assert.ok('alerts' in reading);
  assert.equal(reading.alerts[0]?.title, 'Disk "root" is full');
  assert.match(reading.note ?? '', /was repaired/);
});

test('a status is read as any tool writes it', () => {
  const ends = ['pass', 'ended', 'available', 'running', 'operational', 'green', 'all_clear'];
  const others = ['back_online', 'deactivated', 'erfolg', '[RESOLVED]', 'alert.resolved'];
  for (const status of [
    ...ends,
    ...others,
    'auto_resolved',
    'resolved_by_user',
    'incident-resolved',
  ])
    assert.equal(only({ title: 'A', status }).action, 'resolve', status);
  const begins = ['inactive', 'stopped', 'unresolved', 'not resolved', 'partially_resolved'];
  for (const status of [...begins, 'alert.triggered', 'recovering', 'OK -> CRITICAL', 'reopened'])
    assert.equal(only({ title: 'A', status }).action, 'trigger', status);
});

test('the end in the title of what is severe is in doubt', () => {
  for (const title of ['up', 'Recovery', '[RESOLVED] Disk full']) {
    assert.ok(only({ title, severity: 'critical' }).in_doubt, title);
    assert.equal(only({ title, severity: 'info' }).in_doubt, undefined, title);
  }
  assert.equal(only({ title: 'A', severity: 'critical', status: 'ok' }).in_doubt, undefined);
});
