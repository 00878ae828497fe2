import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { posted } from '../../test/http-event.ts';
import type { Json } from './alert.ts';
import { typeOf } from './index.ts';
import { mailTime } from './source-time.ts';

const receivedAt = Temporal.Instant.from('2026-11-28T10:10:00Z');
const about = { receivedAt, integrationName: 'Checks' };

function read(slug: string, json: Json) {
  const body = new TextEncoder().encode(JSON.stringify(json));
  const path = '/push-events';
  const request = { ...posted, path, contentType: 'application/json', body };
  const reading = typeOf(slug)?.read(request, about);
  assert.ok(reading && 'alerts' in reading, slug);
  return reading.alerts.map(({ action, sourceTime }) => [
    action,
    sourceTime?.by,
    sourceTime?.at.toString(),
  ]);
}

const alert = (status: string, fields: object = {}) => ({
  status,
  labels: { alertname: 'DiskFull' },
  annotations: {},
  fingerprint: 'aa',
  startsAt: '2026-11-28T05:00:00.123456789Z',
  endsAt: '2026-11-28T05:30:00Z',
  ...fields,
});
const none = '0001-01-01T00:00:00Z';

for (const slug of [
  'prometheus',
  'alertmanager',
  'mimir',
  'loki',
  'thanos',
  'victoriametrics',
  'signoz',
  'grafana',
])
  test(`${slug}: a firing of a group tells when it began, an end when it ended`, () => {
    const group = (status: string, fields?: object) => ({
      version: '4',
      status,
      groupKey: '{}:{a="b"}',
      groupLabels: {},
      commonLabels: {},
      commonAnnotations: {},
      externalURL: 'http://x',
      alerts: [alert(status, fields)],
    });
    assert.deepEqual(read(slug, group('firing', { endsAt: none })), [
      ['trigger', 'group', '2026-11-28T05:00:00.123Z'],
    ]);
    assert.deepEqual(read(slug, group('resolved')), [['resolve', 'group', '2026-11-28T05:30:00Z']]);
    // What is to come counts as now, and without an instant nothing is told.
    assert.deepEqual(read(slug, group('firing', { startsAt: '2027-01-01T00:00:00Z' })), [
      ['trigger', 'group', '2026-11-28T10:10:00Z'],
    ]);
    assert.deepEqual(read(slug, group('resolved', { endsAt: none }))[0]?.slice(1), [
      undefined,
      undefined,
    ]);
  });

describe('a mail', () => {
  const date = (time: string) => `Sat, 28 Nov 2026 ${time} +0000`;
  const sourceTime = (written: string, received?: string) => {
    const headers = {
      date: date(written),
      ...(received && { received: `by x; ${date(received)}` }),
    };
    const { at, mayBeLate, isSure } = mailTime({ headers }, receivedAt) ?? {};
    return [at?.toString(), mayBeLate, isSure];
  };

  test('is late only if it arrived more than a minute after it was written', () => {
    assert.deepEqual(sourceTime('10:09:00'), ['2026-11-28T10:09:00Z', false, true]);
    assert.deepEqual(sourceTime('10:08:59'), ['2026-11-28T10:08:59Z', true, true]);
    assert.deepEqual(sourceTime('10:30:00')[0], '2026-11-28T10:10:00Z');
  });

  test('is sure of its date if the first server took it within five minutes', () => {
    assert.deepEqual(sourceTime('09:00:00', '09:04:00'), ['2026-11-28T09:00:00Z', true, true]);
    assert.deepEqual(sourceTime('09:00:00', '09:06:00'), ['2026-11-28T09:00:00Z', true, false]);
    assert.deepEqual(sourceTime('09:00:00'), ['2026-11-28T09:00:00Z', true, false]);
    assert.deepEqual(sourceTime('09:10:00', '09:04:00')[2], false);
  });

  test('tells nothing without a date, and is never late after five days', () => {
    assert.equal(mailTime({ headers: {} }, receivedAt), undefined);
    const headers = { date: 'Mon, 23 Nov 2026 10:09:00 +0000' };
    assert.equal(mailTime({ headers }, receivedAt)?.mayBeLate, false);
  });
});
