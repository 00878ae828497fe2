import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import type { AlertEvent, Json, JsonObject } from '../alert.ts';
import { typeOf } from '../index.ts';
import type { Form } from './notation.ts';
import { mappingProblems } from './problems.ts';
import { suggestedForm } from './suggest.ts';

const state = { status: 'down' };
const ofPair = (body: JsonObject) =>
  suggestedForm({ ...body, ...state }, { ...body, status: 'up' });

test('of fields like an id all that are the same are the key, unless one is the problem’s own', () => {
  const cases: readonly (readonly [JsonObject, readonly string[] | undefined])[] = [
    [{ account_id: 5, host: 'db1', check: 'disk' }, ['account_id', 'host', 'check']],
    [{ tenantId: 't', monitor: { name: 'API' } }, ['tenantId', 'monitor.name']],
    [{ host: 'db1', service: 'ssh', text: 'refused' }, ['host', 'service']],
    [{ probe: { id: 7, label: 'Pump 7' } }, ['probe.id']],
    [{ host: 'db1', incident_id: 9 }, ['incident_id']],
    [{ host: 'db1', problem: { id: 9 } }, ['problem.id']],
    [{ host: 'db1', eventGroupId: 9, AlertKey: '' }, ['eventGroupId']],
    [{ host: 'db1', fingerprint: 'aa' }, ['fingerprint']],
    [{ host: 'db1', alert_rule_id: 3, event_id: 9 }, ['host', 'alert_rule_id', 'event_id']],
    // Whose they are says nothing of the problem.
    [{ account_id: 5, project: { name: 'shop' }, text: 'Disk of db1 is full' }, undefined],
    [{ host: '{{host}}', check: 'disk', service: '' }, ['check']],
    [{ host: 'db1', tags: [{ name: 'prod' }] }, ['host']],
    [{ hosts: [{ name: 'db1' }] }, ['hosts[0].name']],
    [
      { host: 'db1', host_output: 'x', checked_at: '03:00', resource_type: 'vm' },
      ['host', 'resource_type'],
    ],
  ];
  for (const [body, key] of cases)
    assert.deepEqual(ofPair(body).key, key && [key], JSON.stringify(body));
});

const alertsBy = (form: Form, body: Json): readonly AlertEvent[] => {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const request = { ...posted, path: '/push-events', contentType: 'application/json', body: bytes };
  const about = { receivedAt: Temporal.Instant.fromEpochMilliseconds(0), integrationName: 'Tool' };
  const reading = typeOf('webhook')?.read(request, about, { revision: 1, forms: [form] });
  assert.ok(reading && 'alerts' in reading);
  return reading.alerts;
};

const keysBy = (form: Form, body: Json) =>
  alertsBy(form, body).map(({ action, dedup_key }) => `${action} ${dedup_key}`);

test('of a list of alerts each opens and ends an incident of its own', () => {
  const alert = (host: string, status: string) => ({
    account: { id: 5 },
    id: `${host}-1`,
    host,
    status,
    summary: `Disk of ${host}`,
  });
  const firing = { sent: 1, title: 'Two alerts', alerts: [alert('a', 'BAD'), alert('b', 'BAD')] };
  const ended = { sent: 2, title: 'One alert', alerts: [alert('b', 'GOOD')] };
  const form = suggestedForm(firing, ended);
  assert.deepEqual(form, {
    each: 'alerts',
    title: ['summary'],
    key: [['id', 'host', 'account.id']],
    state: [{ at: ['status'], trigger: 'bad', resolve: 'good' }],
  });
  assert.deepEqual(keysBy(form, firing), ['trigger a-1 | a | 5', 'trigger b-1 | b | 5']);
  assert.deepEqual(keysBy(form, ended), ['resolve b-1 | b | 5']);
  // The list itself, without anything around it.
  const { each: _, ...ofElements } = form;
  assert.deepEqual(suggestedForm(firing.alerts, ended.alerts), ofElements);
});

test('what stands around a list of alerts tells their state, and is part of their key', () => {
  const body = (status: string) => ({
    status,
    host: 'db1',
    groupKey: '{}',
    data: { problems: [{ check: 'disk' }, { check: 'cpu' }] },
  });
  const form = suggestedForm(body('BAD'), body('GOOD'));
  assert.deepEqual(
    [form.each, form.key, form.state?.[0]?.at],
    ['data.problems', [['^host', '^groupKey', 'check']], ['^status']],
  );
  assert.deepEqual(keysBy(form, body('GOOD')), [
    'resolve db1 | {} | disk',
    'resolve db1 | {} | cpu',
  ]);
});

test('a list of what is said of one alert is no list of alerts', () => {
  const body = (status: string) => ({
    incident: { id: 3, name: 'Disk', status },
    tags: [{ key: 'team', name: 'a' }],
    events: [{ id: 1, type: status, host: 'db1' }],
  });
  const form = suggestedForm(body('open'), body('closed'));
  assert.deepEqual(
    [form.each, form.key, form.state?.[0]?.at],
    [undefined, [['incident.id']], ['incident.status']],
  );
});

test('a list that only one of the two has is none of alerts', () => {
  const form = suggestedForm(
    { id: 1, status: 'down', alerts: [{ id: 2, status: 'down' }] },
    { id: 1, status: 'up' },
  );
  assert.deepEqual([form.each, form.key], [undefined, [['id']]]);
});

test('a list with a name that no place can have stays as it is', () => {
  const body = (status: string) => ({ 'a | alerts': [{ id: 1, status }], 'x | y': { id: 1 } });
  const form = suggestedForm(body('down'), body('up'));
  assert.deepEqual(form.each, undefined);
  assert.deepEqual(Object.keys(form).length === 0 ? [] : mappingProblems([form]), []);
});

test('of many lists of alerts the first is taken', () => {
  const body = (status: string) => ({
    lists: Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `list_${n}`,
        Array.from({ length: 30 }, (_unused, id) => ({ id, host: `h${id}`, status })),
      ]),
    ),
  });
  assert.equal(suggestedForm(body('down'), body('up')).each, 'lists.list_0');
});
