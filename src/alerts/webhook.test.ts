import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../test/http-event.ts';
import type { AlertEvent } from './alert.ts';
import { webhook } from './webhook.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Shop alerts',
};

function read(body: unknown, contentType = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = new TextEncoder().encode(text);
  return webhook.read({ ...posted, path: '/push-events', contentType, body: bytes }, about);
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
  const cases: { says: string; given: unknown; want: Partial<AlertEvent> }[] = [
    { says: 'the title is the key', given: { title: 'A' }, want: { dedup_key: 'A' } },
    { says: 'a number as title', given: { title: 5 }, want: { title: '5', dedup_key: '5' } },
    {
      says: 'an untitled alert',
      given: { body: 'x' },
      want: { title: 'Shop alerts', details: 'x' },
    },
    { says: 'a null title', given: { title: null, body: 'x' }, want: { title: 'Shop alerts' } },
    {
      says: 'a key beyond the safe integers',
      given: '{"title":"A","dedup_key":9007199254740993}',
      want: { dedup_key: '9007199254740993' },
    },
    {
      says: 'a word for error',
      given: { title: 'A', severity: 'Error' },
      want: { severity: 'sev2' },
    },
    {
      says: 'a word for warning',
      given: { title: 'A', severity: 'WARN' },
      want: { severity: 'sev3' },
    },
    { says: 'an unknown word', given: { title: 'A', status: 'odd' }, want: { action: 'trigger' } },
    { says: 'firing', given: { title: 'A', status: 'FIRING' }, want: { action: 'trigger' } },
    { says: 'resolved', given: { title: 'A', status: 'Resolved' }, want: { action: 'resolve' } },
    { says: 'ack', given: { title: 'A', status: 'ack' }, want: { action: 'acknowledge' } },
    {
      says: 'an untitled resolve',
      given: { status: 'resolve', dedup_key: 'k' },
      want: { action: 'resolve', dedup_key: 'k' },
    },
    {
      says: 'other fields',
      given: { title: 'A', host: 'db1' },
      want: { details: { host: 'db1' } },
    },
  ];
  for (const { says, given, want } of cases) {
    const alert = only(given);
    for (const [name, value] of Object.entries(want))
      assert.deepEqual(alert[name as keyof AlertEvent], value, says);
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
  const cases: { says: string; type: string; given: string; want: string }[] = [
    { says: 'a form', type: form, given: 'title=Disk+full&severity=error', want: 'Disk full' },
    { says: 'JSON as form', type: form, given: '{"title":"Disk full"}', want: 'Disk full' },
    { says: 'JSON as text', type: 'text/plain', given: '{"title":"Disk full"}', want: 'Disk full' },
    {
      says: 'JSON in a field',
      type: 'application/json',
      given: 'payload=%7B%22title%22%3A%22Disk%20full%22%7D',
      want: 'Disk full',
    },
    { says: 'JSON in JSON', type: '', given: '"{\\"title\\":\\"Disk full\\"}"', want: 'Disk full' },
    { says: 'text', type: 'text/plain', given: 'Disk full\non db1', want: 'Disk full' },
    { says: 'text as form', type: form, given: 'Disk full', want: 'Disk full' },
    {
      says: 'text with a sign',
      type: form,
      given: 'Disk full (use=99)',
      want: 'Disk full (use=99)',
    },
    { says: 'text in brackets', type: 'text/plain', given: '[db1] full', want: '[db1] full' },
    { says: 'no type', type: '', given: 'title=Disk full&body=x', want: 'Disk full' },
    {
      says: 'a byte order mark',
      type: '',
      given: '\ufeff{"title":"Disk full"}',
      want: 'Disk full',
    },
  ];
  for (const { says, type, given, want } of cases)
    assert.equal(only(given, type).title, want, says);
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

test('what cannot be an alert is refused with its place', () => {
  const cases = [
    { given: '', want: /^the body: is empty$/ },
    { given: ' \n', want: /^the body: is empty$/ },
    { given: '\0', want: /^the body: is empty$/ },
    { given: '{}', want: /^the body: is empty$/ },
    { given: '[]', want: /^the body: is an empty list$/ },
    { given: '[{"title":"A"},5]', want: /^\[1\]: must be an object$/ },
    { given: '{"title":', want: /^the body: is not JSON/ },
    { given: 'oops', want: /^the body: is not JSON/ },
    { given: JSON.stringify(Array(5001).fill('A')), want: /^the body: holds 5001 alerts/ },
  ];
  for (const { given, want } of cases) {
    const reading = read(given);
    assert.ok('unreadable' in reading, given);
    assert.match(reading.unreadable, want);
  }
  assert.ok('unreadable' in read('--x\r\n', 'multipart/form-data; boundary=x'));
});
