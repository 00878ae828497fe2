import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Life, later } from '../../test/incident-life.ts';
import { wakeAt } from './incident.ts';
import { postpone } from './undecided.ts';

const none = {
  stepAt: null,
  takenBy: null,
  ackTimeoutAt: null,
  resolveAt: null,
  expiresAt: null,
};
const { incident } = new Life();

describe('what could not be decided is tried again in a minute', () => {
  for (const timer of ['stepAt', 'takenBy', 'ackTimeoutAt', 'resolveAt', 'expiresAt'] as const)
    test(`when ${timer} is due`, () => {
      const escalation = { ...incident.escalation, ...none, [timer]: later(1) };
      const outcome = postpone({ ...incident, escalation }, 'no luck', later(2));
      assert.deepEqual(wakeAt(outcome.incident), later(3));
      assert.deepEqual(outcome.entries[0]?.type, 'undecided');
    });

  test('when a mute ends', () => {
    const muted = { ...incident, muted_until: later(1) };
    const outcome = postpone(muted, 'no luck', later(2));
    assert.deepEqual(outcome.incident.muted_until, later(3));
  });

  test('and what is not due stays as it is', () => {
    const outcome = postpone(incident, 'no luck', later(2));
    assert.deepEqual(outcome.incident.escalation, incident.escalation);
  });
});
