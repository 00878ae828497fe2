import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushed } from '../../../test/http-event.ts';
import type { Json } from '../alert.ts';
import { likelyTitle } from './ladder.ts';
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
  const described = { slug: 'pumps', name: 'Pumps', description: '', guide: { steps: [] } };
  let times = 0;
  const type = integrationTypeOf({ ...described, forms: [{ when: ['pump'] }] }, () => {
    times += 1;
    return 'Valves';
  });
  const body = new TextEncoder().encode('[{"a":1},{"a":2},{"a":3}]');
  const reading = type.read(
    { ...pushed, path: '/x', contentType: 'application/json', body },
    { receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'), integrationName: 'Pumps' },
  );
  assert.ok('alerts' in reading && reading.alerts.length === 3);
  assert.equal(reading.note, 'it looks like Valves, and the integration is of type Pumps');
  assert.equal(times, 1);
});
