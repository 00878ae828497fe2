// What the samples of other incident services and of NetBox do not show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOf, alertsOf, readingOf } from '../../../test/tool-message.ts';

const actionOf = (slug: string, message: object): string | undefined =>
  alertsOf(slug, message)[0]?.action;

test('of the webhooks of Opsgenie only creation, acknowledgement and end count', () => {
  const alert = { alertId: 'e1', alias: 'disk-db1', message: 'Disk of db1', priority: 'P1' };
  const cases = {
    Create: 'trigger',
    Acknowledge: 'acknowledge',
    Close: 'resolve',
    Delete: 'resolve',
    AddNote: undefined,
    EscalateNext: undefined,
    UnAcknowledge: undefined,
    UpdatePriority: undefined,
  };
  for (const [action, expected] of Object.entries(cases))
    assert.equal(actionOf('opsgenie-webhook', { action, alert }), expected, action);
  assert.equal(alertOf('opsgenie-webhook', { action: 'Create', alert }).priority, 'p1');
});

const pagerduty = (type: string, data: object) => ({
  event: { id: '01BZ', event_type: type, resource_type: 'incident', data },
});

test('of the webhooks of PagerDuty only state counts', () => {
  const data = { id: 'PFQ', title: 'Disk', urgency: 'low', priority: { summary: 'P2' } };
  const cases = {
    'incident.triggered': 'trigger',
    'incident.reopened': 'trigger',
    'incident.acknowledged': 'acknowledge',
    'incident.resolved': 'resolve',
    'incident.unacknowledged': undefined,
    'incident.annotated': undefined,
    'incident.responder.added': undefined,
    'pagey.ping': undefined,
  };
  for (const [type, expected] of Object.entries(cases))
    assert.equal(actionOf('pagerduty-webhook-v3', pagerduty(type, data)), expected, type);
  const alert = alertOf('pagerduty-webhook-v3', pagerduty('incident.triggered', data));
  assert.deepEqual([alert.severity, alert.priority], ['sev3', 'p2']);
});

test('a message of version 2 of the webhooks of PagerDuty holds several incidents', () => {
  const message = (event: string, id: string) => ({ event, incident: { id, title: `T ${id}` } });
  const alerts = alertsOf('pagerduty-webhook-v3', {
    messages: [message('incident.trigger', 'A'), message('incident.resolve', 'B')],
  });
  assert.deepEqual(
    alerts.map((one) => [one.action, one.dedup_key, one.title]),
    [
      ['trigger', 'A', 'T A'],
      ['resolve', 'B', 'T B'],
    ],
  );
});

test('in NetBox a status that fails opens an incident, and other changes open none', () => {
  const change = (event: string, status: string) => ({
    event,
    model: 'device',
    username: 'admin',
    request_id: '7886',
    data: { id: 4, display: 'core-1', status: { value: status, label: status } },
  });
  const failed = alertOf('netbox', change('updated', 'failed'));
  const active = alertOf('netbox', change('updated', 'active'));
  assert.equal(failed.title, 'core-1 is failed');
  assert.deepEqual([failed.action, active.action], ['trigger', 'resolve']);
  assert.equal(active.dedup_key, failed.dedup_key);
  for (const other of [change('created', 'failed'), change('deleted', 'active')])
    assert.deepEqual(alertsOf('netbox', other), []);
  assert.deepEqual(alertsOf('netbox', change('updated', 'planned')), []);
  const job = alertOf('netbox', {
    event: 'job_failed',
    model: 'job',
    data: { id: 9, name: 'Sync of sites', status: { value: 'failed' } },
  });
  assert.equal(job.title, 'Sync of sites failed');
  assert.ok('alerts' in readingOf('netbox', { event: 'job_started', model: 'job', data: {} }));
});
