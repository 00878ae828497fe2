import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted, webhookType } from '../../test/http-event.ts';
import { memoryOf } from './memory.ts';

const about = { receivedAt: Temporal.Instant.from('2026-01-01T00:00:00Z'), integrationName: 'x' };

/** How many times its text a body takes once it is read. */
function timesOf(body: string): number {
  const bytes = new TextEncoder().encode(body);
  const request = { ...posted, path: '', contentType: 'application/json', body: bytes } as const;
  return memoryOf(webhookType.read(request, about)) / bytes.length;
}

test('what is read of small objects is known to take far more than their text', () => {
  const list = (one: string) => `{"title":"x","body":[${Array(100_000).fill(one).join(',')}]}`;
  const measured: readonly [string, number][] = [
    ['{}', 21],
    ['[]', 13],
    ['0', 4],
    ['{"a":1}', 8],
    ['"1abc"', 4],
  ];
  for (const [one, times] of measured) {
    const ratio = timesOf(list(one));
    assert.ok(ratio >= times && ratio <= 3 * times, `${one}: ${ratio}`);
  }
});

test('an ordinary alert takes a few times its text', () => {
  const labels = { alertname: 'HighLatency', instance: 'web-1', job: 'web', severity: 'page' };
  const ratio = timesOf(JSON.stringify({ title: 'Slow', body: labels, status: 'firing' }));
  assert.ok(ratio < 15, String(ratio));
});

test('a refusal takes what its words take', () => {
  assert.equal(memoryOf({ unreadable: 'x' }), 26);
});
