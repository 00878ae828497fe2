import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noSource, type Source, trialBody } from './trial.ts';

const rule = { name: 'Disks' };
const id = 'a'.repeat(24);
const sample: Source = { ...noSource, kind: 'sample', integrationId: id, title: 'Disk full' };

test('a rule is tried on an event of the log by its id', () => {
  assert.deepEqual(trialBody(rule, { ...noSource, eventId: id }), { rule, event_id: id });
  assert.equal(trialBody(rule, noSource), undefined);
});

test('a sample has an integration, a title, and details that are JSON', () => {
  const event = { integration_id: id, title: 'Disk full' };
  assert.deepEqual(trialBody(rule, sample), { rule, event });
  assert.deepEqual(trialBody(rule, { ...sample, details: '{"host":"db-1"}' }), {
    rule,
    event: { ...event, details: { host: 'db-1' } },
  });
  for (const missing of [{ title: ' ' }, { integrationId: '' }, { details: '{' }])
    assert.equal(trialBody(rule, { ...sample, ...missing }), undefined);
});
