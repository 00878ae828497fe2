import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildIntegration, entryTypes, eve, Life, later, paged } from '../../test/incident-life.ts';
import { wakeAt } from './incident.ts';

const until = (at: number) => ({ type: 'mute', by: eve, until: later(at) }) as const;
const forever = { type: 'mute', by: eve, until: null } as const;
const unmute = { type: 'unmute', by: eve } as const;
const lin = ['page lin by email'];

describe('while an incident is muted', () => {
  test('the step timer stands still and goes on from there when the mute ends', () => {
    const life = new Life();
    life.does(until(60), 2);
    assert.deepEqual(wakeAt(life.incident), later(60));
    assert.deepEqual(life.wakes(5), []);
    assert.deepEqual(entryTypes(life.does({ type: 'timer' }, 60)), ['unmuted']);
    assert.deepEqual(life.wakes(62.999), []);
    assert.deepEqual(life.wakes(63), lin);
  });

  test('muting it again keeps what was left of the timer', () => {
    const life = new Life();
    life.does(until(60), 2);
    life.does(until(90), 30);
    life.wakes(90);
    assert.deepEqual(life.escalation.stepAt, later(93));
  });

  test('nothing wakes it when it is muted for good, and a person can end that', () => {
    const life = new Life();
    life.does(forever, 2);
    assert.equal(wakeAt(life.incident), null);
    life.does(unmute, 100);
    assert.deepEqual(life.wakes(103), lin);
  });

  test('a step asked for meanwhile fires when the mute ends', () => {
    const life = new Life();
    life.does(until(60), 2);
    assert.deepEqual(paged(life.does({ type: 'escalate', by: eve }, 10)), []);
    assert.deepEqual(life.wakes(60), lin);
  });

  test('an ack timeout starts the cycle, which pages when the mute ends', () => {
    const life = new Life({ integration: buildIntegration({ ackTimeoutMinutes: 10 }) });
    life.does({ type: 'acknowledge', by: eve }, 1);
    life.does(until(60), 2);
    assert.deepEqual(life.wakes(11), []);
    assert.equal(life.incident.status, 'triggered');
    assert.deepEqual(life.wakes(60), ['page ada by email']);
  });

  test('an acknowledgement ends the timer for good', () => {
    const life = new Life();
    life.does(until(60), 2);
    life.does({ type: 'acknowledge', by: eve }, 3);
    life.wakes(60);
    assert.deepEqual([life.escalation.stepAt, life.wakes(100)], [null, []]);
  });

  test('the resolve timer runs on', () => {
    const life = new Life({
      integration: buildIntegration({ autoResolve: { after: 1, unit: 'hours' } }),
    });
    life.does(forever, 2);
    life.wakes(60);
    assert.equal(life.incident.status, 'resolved');
  });

  test('reopening it unmutes it', () => {
    const life = new Life();
    life.does(forever, 2);
    life.does({ type: 'resolve', by: eve }, 3);
    const reopened = life.does({ type: 'reopen', by: eve, anotherIsOpen: false }, 4);
    assert.deepEqual(paged(reopened), ['page ada by email']);
  });

  test('unmuting what is not muted is noted', () => {
    assert.deepEqual(entryTypes(new Life().does(unmute, 1)), ['unchanged']);
  });
});
