// Tools that send what Alertmanager or Prometheus sends, and collectd, which nearly does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOf, alertsOf } from '../../../test/tool-message.ts';

const labels = { alertname: 'HighErrorRate', service: 'shop', severity: 'critical' };
const annotations = { summary: 'Errors of shop are above 5 %' };

test('rulers that take Pager for an Alertmanager fire, refresh and resolve', () => {
  for (const slug of ['loki', 'mimir', 'thanos', 'victoriametrics']) {
    const path = '/push-events/api/v2/alerts';
    const read = (endsAt: string) => alertOf(slug, [{ labels, annotations, endsAt }], { path });
    const firing = read('2026-11-21T03:04:00Z');
    const resolved = read('2026-11-21T02:59:00Z');
    assert.equal(firing.action, 'trigger', slug);
    assert.equal(firing.title, annotations.summary, slug);
    assert.equal(firing.severity, 'sev1', slug);
    assert.equal(firing.expires_at?.toString(), '2026-11-21T03:04:00Z', slug);
    assert.equal(resolved.action, 'resolve', slug);
    assert.equal(resolved.dedup_key, firing.dedup_key, slug);
  }
});

test('a group of an Alertmanager is read alert by alert, with or without severity', () => {
  for (const slug of ['mimir', 'signoz']) {
    const alerts = alertsOf(slug, {
      version: '4',
      groupKey: '{}:{}',
      status: 'firing',
      alerts: [
        { status: 'firing', labels, annotations, fingerprint: 'a1' },
        { status: 'resolved', labels: { alertname: 'DiskFull' }, fingerprint: 'b2' },
      ],
    });
    const read = alerts.map((one) => [one.action, one.dedup_key, one.title, one.severity]);
    assert.deepEqual(
      read,
      [
        ['trigger', 'a1', annotations.summary, 'sev1'],
        ['resolve', 'b2', 'DiskFull', undefined],
      ],
      slug,
    );
  }
});

const df = { alertname: 'collectd_df_percent_bytes', instance: 'web-01', service: 'collectd' };

test('notifications of collectd are read one by one, and resolve whatever they had been', () => {
  const notification = (severity: string, more = {}) => ({
    labels: { ...df, df: 'root', ...more, severity },
    annotations: { summary: `Host web-01: ${severity}` },
  });
  const [warning, failure, other] = alertsOf('collectd', [
    notification('WARNING'),
    notification('FAILURE'),
    notification('FAILURE', { df: 'home' }),
  ]);
  const okay = alertOf('collectd', [notification('OKAY')]);
  assert.equal(okay.action, 'resolve');
  assert.equal(warning?.dedup_key, okay.dedup_key);
  assert.equal(failure?.dedup_key, okay.dedup_key);
  assert.notEqual(other?.dedup_key, okay.dedup_key);
  assert.deepEqual([warning?.severity, failure?.severity], ['sev3', 'sev1']);
});

test('collectd 6 has the severity among the annotations', () => {
  const read = (severity: string) =>
    alertOf('collectd', [
      { labels: { ...df, df: 'root' }, annotations: { summary: 's', severity } },
    ]);
  assert.deepEqual([read('FAILURE').action, read('OKAY').action], ['trigger', 'resolve']);
  assert.equal(read('FAILURE').severity, 'sev1');
  assert.equal(read('OKAY').dedup_key, read('FAILURE').dedup_key);
});
