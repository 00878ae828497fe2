import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { posted } from '../../test/http-event.ts';
import type { Reading } from './alert.ts';
import { integrationTypes } from './index.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Any',
};

const anyBody = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.json({ maxDepth: 5 }).map((text) => new TextEncoder().encode(text)),
  fc
    .dictionary(
      fc.constantFrom('title', 'body', 'severity', 'status', 'dedup_key', 'links', 'alerts'),
      fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
    )
    .map((value) => new TextEncoder().encode(JSON.stringify(value))),
);
const anyType = fc.constantFrom(
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
);

function assertBounded(reading: Reading): void {
  if ('unreadable' in reading) {
    assert.ok(reading.unreadable.length > 0 && reading.unreadable.length <= 300);
    return;
  }
  for (const alert of reading.alerts) {
    assert.ok(alert.title !== '' && Array.from(alert.title).length <= 200);
    assert.ok(alert.dedup_key !== '' && alert.dedup_key.length <= 500);
    const stored = JSON.stringify(alert);
    assert.ok(!stored.includes('\\u0000') && !/\\ud[89a-f]/.test(stored));
  }
}

test('types are listed by slug, each once', () => {
  const slugs = integrationTypes.map((type) => type.slug);
  assert.deepEqual(slugs, [...new Set(slugs)].sort());
});

test('whatever is sent, reading never throws and what it returns can be stored', () => {
  fc.assert(
    fc.property(anyBody, anyType, (body, contentType) => {
      for (const type of integrationTypes)
        assertBounded(type.read({ ...posted, path: '/push-events', contentType, body }, about));
    }),
    { numRuns: 150 },
  );
});

test('whatever is mailed, reading never throws and what it returns can be stored', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 500 });
  const anyHeader = fc.constantFrom('x-netdata-alert-name', 'x-netdata-host', 'x-mailer');
  fc.assert(
    fc.property(anyText, anyText, fc.dictionary(anyHeader, anyText), (subject, text, headers) => {
      for (const type of integrationTypes)
        assertBounded(type.read({ source: 'mail', subject, from: '', text, headers }, about));
    }),
    { numRuns: 100 },
  );
});
