import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import { about, described } from '../../../test/pump-tool.ts';
import type { AlertEvent } from '../alert.ts';
import { typeOf } from '../index.ts';
import type { CodedForm, Tool } from './notation.ts';
import { integrationTypeOf } from './tool.ts';

const pumps: Tool = {
  ...described,
  forms: [
    {
      when: ['pump.state', '@header.x-pump'],
      title: 'pump.name',
      key: [['pump > hash']],
      state: [{ at: 'pump.state', else: 'trigger' }],
    },
    { when: ['@header.x-pump'], state: [{ at: '@header.x-pump', else: 'nothing' }] },
  ],
};

function readBy(tool: Tool, json: unknown): readonly AlertEvent[] {
  const body = new TextEncoder().encode(JSON.stringify(json));
  const headers = { 'x-pump': '7' };
  const request = { ...posted, headers, path: '/x', contentType: 'application/json', body };
  const type = integrationTypeOf(tool, () => undefined);
  const reading = type.read(request, about);
  assert.ok('alerts' in reading, JSON.stringify(reading));
  return reading.alerts;
}

const pump = { pump: { state: 'dry', name: 'Pump 7' } };

test('a body that something is wrapped around is read as without it', () => {
  const alerts = readBy(pumps, pump);
  assert.equal(alerts[0]?.title, 'Pump 7');
  for (const name of ['data', 'payload', 'Event', 'anything'])
    assert.deepEqual(readBy(pumps, { [name]: pump }), alerts, name);
  assert.deepEqual(readBy(pumps, { data: pump, sent: 1 }), alerts);
});

test('a form for headers alone reads only what no form reads for its body', () => {
  assert.equal(readBy(pumps, { PUMP: { STATE: 'dry', NAME: 'Pump 7' } })[0]?.title, 'Pump 7');
  assert.deepEqual(readBy(pumps, { valve: 'open' }), []);
});

test('what code finds no title or key of has those of the ladders', () => {
  const nameless: CodedForm = {
    read: () => ({ alerts: [{ action: 'trigger', title: '', dedup_key: '' }] }),
  };
  const read = (json: unknown) => readBy({ ...described, forms: [nameless] }, json);
  const [named, unnamed, other] = [{ text: '[OK] Valve' }, { a: 1 }, { a: 2 }].map(
    (json) => read(json)[0],
  );
  assert.deepEqual([named?.title, named?.dedup_key], ['[OK] Valve', 'Valve']);
  assert.equal(unnamed?.title, 'Pumps');
  assert.notEqual(unnamed?.dedup_key, other?.dedup_key);
});

const group = (summary: string) => ({
  status: 'firing',
  alerts: [{ labels: {}, annotations: {}, generatorURL: `https://prometheus.test/${summary}` }],
});

test('groups of Alertmanager are read in a list, and within what a relay wraps around them', () => {
  const type = typeOf('alertmanager');
  const read = (json: unknown) => {
    const body = new TextEncoder().encode(JSON.stringify(json));
    return type?.read({ ...posted, path: '/x', contentType: 'application/json', body }, about);
  };
  const plain = read(group('a'));
  assert.ok(plain && 'alerts' in plain && plain.alerts.length === 1);
  assert.deepEqual(read([group('a')]), plain);
  assert.deepEqual(read({ data: group('a') }), plain);
  const both = read([group('a'), group('b')]);
  assert.ok(both && 'alerts' in both);
  const keys = both.alerts.map((alert) => alert.dedup_key);
  assert.equal(new Set(keys).size, 2, 'alerts without labels keep keys of their own');
});

test('a body of another tool is read as it sends it, and named in the log', () => {
  const read = (json: unknown) => {
    const body = new TextEncoder().encode(JSON.stringify(json));
    const request = { ...posted, path: '/x', contentType: 'application/json', body };
    const reading = typeOf('webhook')?.read(request, about);
    assert.ok(reading && 'alerts' in reading && reading.alerts[0]);
    const { action, dedup_key, former_key } = reading.alerts[0];
    return { note: reading.note, action, dedup_key, former_key };
  };
  const monitor = { heartbeat: { status: 0 }, monitor: { id: 1, name: 'Shop' }, msg: 'Shop down' };
  const hint =
    'it looks like Uptime Kuma, and the integration is of type Webhook: it is read as Uptime Kuma sends it';
  const down = read(monitor);
  assert.deepEqual([down.note, down.action, down.dedup_key], [hint, 'trigger', '1']);
  assert.match(down.former_key ?? '', /^[0-9a-f]{32}$/);
  const up = read({ ...monitor, heartbeat: { status: 1 } });
  assert.deepEqual([up.note, up.action, up.dedup_key], [hint, 'resolve', '1']);
  // What has a title or a key of its own is ours.
  const own = read({ ...monitor, title: 'Shop down' });
  assert.deepEqual([own.note, own.dedup_key], [undefined, 'Shop down']);
  assert.equal(read({ ...monitor, dedup_key: 'shop' }).dedup_key, 'shop');
  assert.equal(read({ disk: 'full' }).note, undefined);
  // What that tool calls no problem opens an incident all the same.
  const pending = read({ ...monitor, heartbeat: { status: 2 } });
  assert.deepEqual([pending.action, pending.note?.includes('it is read as')], ['trigger', false]);
});

test('what is refused in the form of Prometheus is read if another tool sends it', () => {
  const read = (slug: string, json: unknown) => {
    const body = new TextEncoder().encode(JSON.stringify(json));
    const request = { ...posted, path: '/x', contentType: 'application/json', body };
    const reading = typeOf(slug)?.read(request, about);
    assert.ok(reading);
    return 'unreadable' in reading ? reading.unreadable : reading.note;
  };
  const monitor = { heartbeat: { status: 0 }, monitor: { id: 1, name: 'Shop' }, msg: 'Shop down' };
  const hint = 'it looks like Uptime Kuma, and the integration is of type';
  const types = { prometheus: 'Prometheus', loki: 'Grafana Loki', mimir: 'Grafana Mimir' };
  for (const [slug, name] of Object.entries(types)) {
    const known = `${hint} ${name}: it is read as Uptime Kuma sends it`;
    assert.equal(read(slug, monitor), known);
    assert.equal(read(slug, [monitor]), known);
    assert.equal(read(slug, { disk: 'full' }), 'alerts: must be a list');
    const many = { alerts: Array.from({ length: 5_001 }, () => ({ labels: { a: 'b' } })) };
    assert.match(read(slug, many) ?? '', /5000$/);
    assert.equal(read(slug, [{ labels: { alertname: 'Disk' } }]), undefined);
  }
  const known = `${hint} Opsgenie Alert API: it is read as Uptime Kuma sends it`;
  assert.equal(read('opsgenie-alert-api', monitor), known);
});

test('what says that a request succeeded ends no alert within it', () => {
  const read = (json: unknown) => readBy({ ...described, forms: [{ when: ['pump'] }] }, json)[0];
  assert.equal(
    read({ status: 'ok', alert: { title: 'Pump 7', state: 'firing' } })?.action,
    'trigger',
  );
  assert.equal(read({ status: 'ok', title: 'Pump 7' })?.action, 'resolve');
  assert.equal(read({ status: 'OK', event_type: 'alert', title: 'Pump 7' })?.action, 'resolve');
  assert.equal(
    read({ status: 'resolved', alert: { title: 'Pump 7', state: 'firing' } })?.action,
    'resolve',
  );
});
