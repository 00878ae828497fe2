import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Life, later } from '../../test/incident-life.ts';
import { awaitingNothing } from '../incidents/page-results.ts';
import { wakeOf } from './wake.ts';

/** A page of its first step was taken. */
const incident = awaitingNothing(new Life().incident);
const nothing = { opened: [], changed: [], entries: [], intents: [], allClear: [] };
const wakesAt = (minutes: number) => wakeOf({ ...nothing, changed: [incident] }, later(minutes));

test('the loop of incidents is told of what is due before it looks again by itself', () => {
  const { stepAt } = incident.escalation;
  assert.deepEqual(stepAt, later(5));
  assert.equal(wakesAt(0).incidents, false);
  assert.equal(wakesAt(5 - 1.1 / 60).incidents, false);
  assert.equal(wakesAt(5 - 1 / 60).incidents, true);
  assert.equal(wakesAt(6).incidents, true);
  assert.equal(wakeOf({ ...nothing, opened: [incident] }, later(5)).incidents, true);
});
