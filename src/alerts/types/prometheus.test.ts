import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { posted } from '../../../test/http-event.ts';
import type { AlertEvent } from '../alert.ts';
import { readPrometheus } from './prometheus.ts';

const receivedAt = Temporal.Instant.from('2026-11-21T03:00:00Z');
const labels = { alertname: 'DiskFull', instance: 'db1', severity: 'critical' };

function read(body: unknown, path = '/api/v2/alerts') {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const request = { ...posted, path, contentType: 'application/json', body: bytes };
  return readPrometheus(request, { receivedAt, integrationName: 'Prometheus' });
}

function first(body: unknown): AlertEvent {
  const reading = read(body);
  assert.ok('alerts' in reading, JSON.stringify(reading));
  const [alert] = reading.alerts;
  assert.ok(alert);
  return alert;
}

test('an alert from Prometheus itself has ended when its end has come', () => {
  const cases = [
    { endsAt: '2026-11-21T02:59:59Z', action: 'resolve', expires: undefined },
    { endsAt: '2026-11-21T03:00:00Z', action: 'resolve', expires: undefined },
    { endsAt: '2026-11-21T03:04:00Z', action: 'trigger', expires: '2026-11-21T03:04:00Z' },
    { endsAt: '0001-01-01T00:00:00Z', action: 'trigger', expires: undefined },
    { endsAt: 'nonsense', action: 'trigger', expires: undefined },
    { endsAt: undefined, action: 'trigger', expires: undefined },
  ];
  for (const { endsAt, action, expires } of cases) {
    const alert = first([{ labels, endsAt }]);
    assert.equal(alert.action, action, String(endsAt));
    assert.equal(alert.expires_at?.toString(), expires, String(endsAt));
  }
});

test('each alert of a mixed group is judged by its own status', () => {
  const reading = read({
    status: 'firing',
    alerts: [
      { status: 'firing', labels, fingerprint: 'a1' },
      { status: 'resolved', labels, fingerprint: 'b2', endsAt: '2026-11-21T09:00:00Z' },
      { labels, fingerprint: 'c3' },
    ],
  });
  assert.ok('alerts' in reading);
  assert.deepEqual(
    reading.alerts.map((alert) => [alert.dedup_key, alert.action, alert.expires_at]),
    [
      ['a1', 'trigger', undefined],
      ['b2', 'resolve', undefined],
      ['c3', 'trigger', undefined],
    ],
  );
});

test('the title is the best text there is', () => {
  const cases = [
    { annotations: { summary: 'S', title: 'T' }, want: 'S' },
    { annotations: { title: 'T', message: 'M' }, want: 'T' },
    { annotations: { message: 'M', description: 'D' }, want: 'M' },
    { annotations: { summary: ' ', description: 'D\nmore' }, want: 'D more' },
    { annotations: {}, want: 'DiskFull on db1' },
    { annotations: 'broken', want: 'DiskFull on db1' },
    { annotations: { summary: 'Disk of <no value> is full' }, want: 'Disk of is full' },
    {
      annotations: { summary: '<error expanding template: at <.x>: nil>' },
      want: 'DiskFull on db1',
    },
  ];
  for (const { annotations, want } of cases)
    assert.equal(first([{ labels, annotations }]).title, want);
  assert.equal(first([{ title: 'T', labels: { instance: 'db1' } }]).title, 'T');
  assert.equal(first([{}]).title, 'Prometheus');
});

test('links are those a browser may follow', () => {
  const annotations = {
    runbook_url: 'https://runbooks.test/x',
    dashboardURL: 'javascript:alert(1)',
    dashboard: 'http://grafana.test/d/1',
  };
  assert.deepEqual(first([{ labels, annotations, generatorURL: 'http://prom.test/g' }]).links, [
    { href: 'http://prom.test/g', text: 'Source' },
    { href: 'https://runbooks.test/x', text: 'Runbook' },
    { href: 'http://grafana.test/d/1', text: 'Dashboard' },
  ]);
});

test('firing and resolved of one label set have one key, in any order of labels', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string(), { minKeys: 1 }), (set) => {
      const reversed = Object.fromEntries(Object.entries(set).reverse());
      const firing = first([{ labels: set, endsAt: '2026-11-21T04:00:00Z' }]);
      const resolved = first([{ labels: reversed, endsAt: '2026-11-21T02:00:00Z' }]);
      assert.equal(firing.action, 'trigger');
      assert.equal(resolved.action, 'resolve');
      assert.equal(resolved.dedup_key, firing.dedup_key);
      assert.notEqual(first([{ labels: { ...set, more: '1' } }]).dedup_key, firing.dedup_key);
    }),
    { numRuns: 50 },
  );
});

test('of a list or group, what is no alert is noted with its place, and the others count', () => {
  const alert = (instance: string) => ({ labels: { ...labels, instance } });
  const cases = [
    { input: [alert('a'), null, alert('b')], at: '1 of 3 in the list cannot be read: [1]' },
    {
      input: { alerts: [alert('a'), 'x', alert('b')] },
      at: '1 of 3 in the list cannot be read: alerts[1]',
    },
    {
      input: [{ alerts: [alert('a'), 7] }, alert('b'), null],
      at: '2 of 4 in the list cannot be read: [0].alerts[1]',
    },
  ];
  for (const { input, at } of cases) {
    const reading = read(input);
    assert.ok('alerts' in reading);
    assert.equal(reading.note, `${at}: must be an object`);
    const want = [alert('a'), alert('b')].map((one) => first([one]).dedup_key);
    assert.deepEqual(
      reading.alerts.map(({ dedup_key }) => dedup_key),
      want,
    );
  }
});

test('what is not from Prometheus is refused with its place', () => {
  const cases = [
    { input: {}, want: 'alerts: must be a list' },
    { input: { alerts: {} }, want: 'alerts: must be a list' },
    { input: { alerts: [null] }, want: 'alerts[0]: must be an object' },
    { input: ['x', null], want: '[0]: must be an object' },
    { input: [{ alerts: [7] }, 'x'], want: '[0].alerts[0]: must be an object' },
    {
      input: Array(5001).fill({}),
      want: 'the body: contains 5001 alerts, but one request can contain at most 5000',
    },
  ];
  for (const { input, want } of cases) assert.deepEqual(read(input), { unreadable: want });
});

test('what Alertmanager cut is noted on the event and on each of its alerts', () => {
  const alerts = [
    { labels, status: 'firing' },
    { labels: { alertname: 'x' }, status: 'resolved' },
  ];
  const noteOf = (truncatedAlerts: unknown) => {
    const reading = read({ version: '4', status: 'firing', truncatedAlerts, alerts });
    assert.ok('alerts' in reading);
    assert.deepEqual(
      reading.alerts.map(({ omitted }) => omitted),
      [omittedOf(truncatedAlerts), omittedOf(truncatedAlerts)],
    );
    return [reading.note, ...reading.alerts.map(({ note }) => note)];
  };
  const omittedOf = (value: unknown) =>
    new Map<unknown, number>([
      [7, 7],
      ['1', 1],
      [0, 0],
      [-1, 0],
    ]).get(value);
  const seven = 'the sender omitted 7 more alerts of this group';
  assert.deepEqual(noteOf(7), [seven, seven, seven]);
  assert.deepEqual(noteOf('1')[0], 'the sender omitted 1 more alert of this group');
  for (const none of [0, undefined, null, 'many', -1])
    assert.deepEqual(noteOf(none), [undefined, undefined, undefined]);
});

test('names are read in any case, as Alertmanager reads them', () => {
  const past = '2026-11-21T02:00:00Z';
  const exact = first([{ labels, annotations: { summary: 'full' }, endsAt: past }]);
  const folded = first([{ LABELS: labels, Annotations: { summary: 'full' }, endsat: past }]);
  assert.deepEqual(
    [folded.action, folded.dedup_key, folded.title],
    [exact.action, exact.dedup_key, exact.title],
  );
  assert.equal(folded.action, 'resolve');
  // One that is written exactly so goes before.
  assert.equal(first([{ labels, endsat: past, endsAt: '0001-01-01T00:00:00Z' }]).action, 'trigger');
});

test('an alert from Prometheus itself has at least four minutes to be repeated', () => {
  for (const [endsAt, expires] of [
    ['2026-11-21T03:00:01Z', '2026-11-21T03:04:00Z'],
    ['2026-11-21T03:03:59Z', '2026-11-21T03:04:00Z'],
    ['2026-11-21T03:20:00Z', '2026-11-21T03:20:00Z'],
  ])
    assert.equal(first([{ labels, endsAt }]).expires_at?.toString(), expires);
});
