import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushed } from '../../../test/http-event.ts';
import { about, described } from '../../../test/pump-tool.ts';
import type { Json } from '../alert.ts';
import { typeOf } from '../index.ts';
import { likelyTitle } from './likely-title.ts';
import { pathOf, valueAt } from './path.ts';
import { integrationTypeOf } from './tool.ts';

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`member_${index}`, index]));

const at = (place: string, item: Json): Json | undefined =>
  valueAt(pathOf(place), { item, root: item, request: pushed }, 'loose');

test('the names of a large object are gone through once, however many places are looked up', () => {
  let times = 0;
  const item = new Proxy(
    { ...many(1_000), Host_Name: 'db1', hostname: 'db2' },
    {
      ownKeys(target) {
        times += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  assert.equal(at('HOST-NAME', item), 'db1', 'of names that are alike the first');
  const after = times;
  for (let place = 0; place < 100; place += 1) assert.equal(at(`absent${place}`, item), undefined);
  // And once for what something wraps around it.
  assert.ok(times <= after + 2, `${times}`);
});

test('what is called like a title is found in one go through the names of an object', () => {
  let times = 0;
  const item = new Proxy(
    { ...many(1_000), Text: 'second', MESSAGE: 'first' },
    {
      ownKeys(target) {
        times += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  assert.equal(likelyTitle(item), 'first');
  assert.equal(times, 1);
});

test('a long text that holds JSON is parsed once, and one that holds none stays as it is', () => {
  const inner = JSON.stringify({ monitor: many(1_000) });
  const item = { data: inner, text: `[${'x'.repeat(2_000)}` };
  assert.equal(typeof at('data.monitor', item), 'object');
  assert.equal(at('data.monitor', item), at('data.monitor', item));
  for (const _ of [1, 2]) assert.equal(at('text.monitor', item), undefined);
});

test('which tool an unknown list looks like is asked once', () => {
  let times = 0;
  const type = integrationTypeOf({ ...described, forms: [{ when: ['pump'] }] }, () => {
    times += 1;
    return { name: 'Valves', read: () => ({ alerts: [] }) };
  });
  const body = new TextEncoder().encode('[{"a":1},{"a":2},{"a":3}]');
  const reading = type.read(
    { ...pushed, path: '/x', contentType: 'application/json', body },
    about,
  );
  assert.ok('alerts' in reading && reading.alerts.length === 3);
  assert.equal(reading.note, 'it looks like Valves, and the integration is of type Pumps');
  assert.equal(times, 1);
});

test('what stands outside a list is looked up once, and is cut, for all that is in it', () => {
  let times = 0;
  const root = new Proxy(
    { title: 'long '.repeat(1_000), alerts: [] },
    {
      getOwnPropertyDescriptor(target, name) {
        if (name === 'title') times += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    },
  );
  const path = pathOf('^title');
  for (let item = 0; item < 100; item += 1) {
    const title = valueAt(path, { item: { item }, root, request: pushed }, 'exact');
    assert.equal(String(title).length, 2_000);
  }
  assert.equal(times, 1);
  assert.equal(String(valueAt(path, { item: root, root, request: pushed }, 'exact')).length, 5_000);
});

test('in a list of more than an event may have, no place is looked up', () => {
  let times = 0;
  const forms = ['pump', 'valve'].map((name) => ({
    when: [name],
    omit: ['login.token', 'login.token | token'],
    read() {
      times += 1;
      return { alerts: [] };
    },
  }));
  const type = integrationTypeOf({ ...described, forms }, () => undefined);
  const of = (elements: number, element = '{"pump":1,"login":{"token":"of the pump"}}') => ({
    ...pushed,
    path: '/x',
    contentType: 'application/json',
    body: new TextEncoder().encode(`[${Array(elements).fill(element).join(',')}]`),
  });
  assert.deepEqual(type.secretsIn?.(of(2)), { texts: ['of the pump'], values: [], names: [] });
  const unread = { texts: [], values: [], names: ['token'] };
  assert.deepEqual(type.secretsIn?.(of(5_001)), unread);
  assert.deepEqual(type.secretsIn?.(of(1, '{"pump":')), unread, 'nor in what is not read');
  assert.match(
    JSON.stringify(type.read(of(5_001), about)),
    /"unreadable":"the body: contains 5001/,
  );
  assert.equal(times, 0);
});

test('lists that are empty, or no lists, give no alerts one key, and hide none', () => {
  const grafana = typeOf('grafana');
  assert.ok(grafana);
  const read = (json: Json) => {
    const body = new TextEncoder().encode(JSON.stringify(json));
    const request = { ...pushed, path: '/x', contentType: 'application/json', body };
    const reading = grafana.read(request, about);
    assert.ok('alerts' in reading);
    return { note: reading.note, keys: reading.alerts.map((one) => one.dedup_key) };
  };
  const named = (summary: string) => ({ labels: {}, annotations: { summary } });
  const two = read({ status: 'firing', alerts: [named('Disk full on a'), named('CPU on b')] });
  assert.deepEqual(two.keys, ['Disk full on a', 'CPU on b']);
  const leftover = read({ status: 'firing', alerts: '{{ .Alerts }}', title: 'Disk full' });
  assert.deepEqual(leftover.keys, ['Disk full']);
  assert.match(leftover.note ?? '', /Grafana/);
});

test('a form without conditions hints at another tool, whatever is called like a title', () => {
  const kuma = typeOf('uptime-kuma');
  const alert = { status: 'firing', labels: { alertname: 'A' }, fingerprint: 'f' };
  const json = { version: 1, status: 'firing', alerts: [alert], title: 'Disk full' };
  const body = new TextEncoder().encode(JSON.stringify(json));
  const reading = kuma?.read(
    { ...pushed, path: '/x', contentType: 'application/json', body },
    about,
  );
  assert.ok(reading && 'alerts' in reading);
  assert.match(
    reading.note ?? '',
    /^it looks like .+, and the integration is of type Uptime Kuma: it is read as .+ sends it$/,
  );
});
