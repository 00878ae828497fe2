import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertEvent, Json, Reading } from '../../alerts/alert.ts';
import { withinNodes } from '../../alerts/reading/nodes.ts';
import { linesOf, readingIn } from './reading-lines.ts';

const alert = { action: 'trigger', dedup_key: 'disk\n1', title: 'Disk "1"\nfull' } as const;
const expires_at = Temporal.Instant.from('2026-11-21T03:00:00.123456789Z');

test('a reading comes back from a thread as it went', async () => {
  const whole: AlertEvent = {
    ...alert,
    severity: 'sev1',
    priority: 'p2',
    expires_at,
    links: [{ href: 'https://a.test/', text: 'Source' }],
    details: { list: [1, 'two', null, { three: true }], ['__proto__']: 'own' },
  };
  const readings: readonly Reading[] = [
    { alerts: [] },
    { alerts: [], note: 'it asks for nothing' },
    { alerts: [whole, alert], note: 'two lines\nof a note' },
    { alerts: Array.from({ length: 2_000 }, (_, n) => ({ ...whole, dedup_key: `${n}` })) },
    { unreadable: 'the body: is empty' },
  ];
  for (const reading of readings) assert.deepEqual(await readingIn(linesOf(reading)), reading);
});

test('of details with very many values the largest become text, and the others stay', () => {
  const large = Array(1_000).fill(0);
  const cases: readonly { name: string; value: Json; want: Json }[] = [
    { name: 'few', value: { a: [1, 2] }, want: { a: [1, 2] } },
    { name: 'a list', value: { a: large, b: [1] }, want: { a: JSON.stringify(large), b: [1] } },
    { name: 'in a list', value: [large, { b: 1 }], want: [JSON.stringify(large), { b: 1 }] },
    { name: 'a large object', value: large, want: JSON.stringify(large) },
    { name: 'a text', value: 'a'.repeat(1_000), want: 'a'.repeat(1_000) },
  ];
  for (const { name, value, want } of cases) assert.deepEqual(withinNodes(value, 100), want, name);
});

test('details of an alert with more values than a thread hands over are shortened', async () => {
  const details = { host: 'db-1', list: Array(30_000).fill({}) };
  const reading = await readingIn(linesOf({ alerts: [{ ...alert, details }] }));
  assert.ok('alerts' in reading);
  const shortened = reading.alerts[0]?.details;
  assert.deepEqual(shortened, { host: 'db-1', list: JSON.stringify(details.list) });
});
