import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from './integration.ts';
import { afterText, recipientOf, type SimulatedNotice, simulationBody } from './simulation.ts';

const event: Event = {
  id: 'a'.repeat(24),
  received_at: '2026-11-21T03:00:00Z',
  source: 'http',
  path: '/push-events',
  body: '{"title":"Disk full"}',
  body_encoding: 'utf-8',
  content_type: 'application/json',
  outcome: 'opened',
};

test('an event is simulated as it was sent, at its time', () => {
  assert.deepEqual(simulationBody('i', event), {
    integration_id: 'i',
    event: { body: event.body, content_type: 'application/json' },
    at: event.received_at,
  });
});

test('what cannot be sent again is not simulated', () => {
  const others: Partial<Event>[] = [
    { source: 'mail' },
    { body_encoding: 'base64' },
    { body_cut_from: 100_000 },
    { path: '/test-event' },
  ];
  for (const more of others) assert.equal(simulationBody('i', { ...event, ...more }), null);
});

test('a notice names whom it is for, and a person behind a schedule stays the person', () => {
  const notice: SimulatedNotice = {
    after_seconds: 0,
    channel: 'email',
    deliverable: true,
    reason: null,
  };
  assert.equal(recipientOf({ ...notice, person: 'Ada', route: 'Payments' }), 'Ada (Payments)');
  assert.equal(recipientOf({ ...notice, chat: '#ops' }), '#ops');
});

test('times are in the largest unit', () => {
  assert.equal(afterText(0), 'immediately');
  assert.equal(afterText(90), 'after 1 minute');
  assert.equal(afterText(7_200), 'after 2 hours');
  assert.equal(afterText(7_260), 'after 2 hours 1 minute');
});
