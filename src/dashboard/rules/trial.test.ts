import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../integration/integration.ts';
import { noSource, type Source, trialBody, trialSimulation } from './trial.ts';

const rule = { name: 'Disks' };
const id = 'a'.repeat(24);
const typed = { title: 'Disk full', details: '' };
const sample: Source = { ...noSource, kind: 'sample', integrationId: id, sample: typed };
const saturday = '2026-03-07T03:00:00Z';

test('a rule is tried on an event of the log by its id', () => {
  assert.deepEqual(trialBody(rule, { ...noSource, eventId: id }), { rule, event_id: id });
  assert.equal(trialBody(rule, noSource), undefined);
});

test('a sample has an integration, a title, and details that are JSON', () => {
  const event = { integration_id: id, title: 'Disk full' };
  assert.deepEqual(trialBody(rule, sample), { rule, event });
  assert.deepEqual(
    trialBody(rule, { ...sample, sample: { ...typed, details: '{"host":"db-1"}' } }),
    {
      rule,
      event: { ...event, details: { host: 'db-1' } },
    },
  );
  const incomplete: readonly Partial<Source>[] = [
    { sample: { ...typed, title: ' ' } },
    { integrationId: '' },
    { sample: { ...typed, details: '{' } },
    { when: { at: undefined } },
  ];
  for (const missing of incomplete)
    assert.equal(trialBody(rule, { ...sample, ...missing }), undefined);
});

test('both are tried at another time', () => {
  const when = { at: saturday };
  const event = { integration_id: id, title: 'Disk full', at: saturday };
  assert.deepEqual(trialBody(rule, { ...sample, when }), { rule, event });
  const past = { ...noSource, eventId: id, when };
  assert.deepEqual(trialBody(rule, past), { rule, event_id: id, at: saturday });
});

test('what is tried is simulated at the same time, unless it cannot be sent again', () => {
  const when = { at: saturday };
  assert.deepEqual(trialSimulation({ ...sample, when }, []), {
    integration_id: id,
    event: { title: 'Disk full' },
    at: saturday,
  });
  const logged: Event = {
    id: 'e',
    received_at: '2026-03-03T02:30:00Z',
    source: 'http',
    path: '/push-events',
    body: '{}',
    body_encoding: 'utf-8',
    outcome: 'opened',
  };
  const past = { ...noSource, integrationId: id, eventId: 'e' };
  const sent = { integration_id: id, event: { body: '{}' } };
  assert.deepEqual(trialSimulation(past, [logged]), { ...sent, at: logged.received_at });
  assert.deepEqual(trialSimulation({ ...past, when }, [logged]), { ...sent, at: saturday });
  assert.equal(trialSimulation(past, [{ ...logged, source: 'mail' }]), undefined);
  assert.equal(trialSimulation(past, []), undefined);
});
