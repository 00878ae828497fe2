// Samples of tools that are set up for another incident service, in that service's own form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import { typeOf } from '../index.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Moved',
};

function alertOf(slug: string, sent: object) {
  const body = new TextEncoder().encode(JSON.stringify(sent));
  const contentType = 'application/json';
  const request = { ...posted, path: '/push-events', contentType, body };
  const reading = typeOf(slug)?.read(request, about);
  assert.ok(reading && 'alerts' in reading, JSON.stringify(reading));
  assert.equal(reading.alerts.length, 1);
  return reading.alerts[0];
}

const samples = [
  {
    slug: 'victorops',
    problem: {
      message_type: 'CRITICAL',
      entity_id: 'db-1/disk',
      entity_display_name: 'Disk of db-1 is full',
      state_message: 'DISK CRITICAL - free space: /var 2%',
      monitoring_tool: 'nagios',
    },
    end: { message_type: 'RECOVERY', entity_id: 'db-1/disk', state_message: 'DISK OK' },
    title: 'Disk of db-1 is full',
    key: 'db-1/disk',
  },
  {
    slug: 'goalert',
    problem: { summary: 'Disk of db-1 is full', details: '2 % free', dedup: 'db-1/disk' },
    end: { summary: 'Disk of db-1 is full', action: 'close', dedup: 'db-1/disk' },
    title: 'Disk of db-1 is full',
    key: 'db-1/disk',
  },
  {
    slug: 'grafana-oncall',
    problem: {
      alert_uid: '08d6891a-835c-e661-39fa-96b6a9e26552',
      title: 'Disk of db-1 is full',
      state: 'alerting',
      message: '2 % free',
      link_to_upstream_details: 'https://grafana.example.com/d/1',
    },
    end: { alert_uid: '08d6891a-835c-e661-39fa-96b6a9e26552', title: 'Fine again', state: 'ok' },
    title: 'Disk of db-1 is full',
    key: '08d6891a-835c-e661-39fa-96b6a9e26552',
  },
];

for (const { slug, problem, end, title, key } of samples)
  test(`what a tool sends to ${slug} opens an incident and ends it`, () => {
    const opened = alertOf(slug, problem);
    assert.deepEqual([opened?.action, opened?.title, opened?.dedup_key], ['trigger', title, key]);
    const ended = alertOf(slug, end);
    assert.deepEqual([ended?.action, ended?.dedup_key], ['resolve', key]);
  });
