import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  byMail,
  entryTypes,
  eve,
  Life,
  later,
  paged,
  withSteps,
} from '../../test/incident-life.ts';
import type { IncidentEvent } from './lifecycle.ts';
import { awaitsPages, escalateUndeliverable } from './nobody-reached.ts';

const threeSteps = withSteps([byMail('ada', 5), byMail('lin', 5), byMail('boss')]);
const mute: IncidentEvent = { type: 'mute', by: eve, until: null };
const admins = ['nobody_paged boss by email'];

/** A life in which so many steps have fired, and then one of their pages fails for good. */
class Failing extends Life {
  constructor(stepsRun: number, ...events: IncidentEvent[]) {
    super({ integration: threeSteps });
    for (let step = 1; step < stepsRun; step += 1) this.wakes(5 * step);
    for (const event of events) this.does(event, this.minute);
  }

  get minute(): number {
    return this.now.since(later(0)).total('minutes');
  }

  fails(failed: { readonly paged: readonly number[]; readonly at: number }) {
    this.now = later(failed.at);
    const pagedSteps = new Set(failed.paged);
    const { configuration, now } = this;
    const outcome = escalateUndeliverable(this.incident, { pagedSteps, configuration, now });
    this.incident = outcome.incident;
    return outcome;
  }
}

describe('when a page fails for good', () => {
  test('and it was the last of its step, the next step runs at once', () => {
    const life = new Failing(1);
    const outcome = life.fails({ paged: [], at: 1 });
    assert.deepEqual(entryTypes(outcome), ['step_failed']);
    assert.equal(outcome.entries[0]?.text, 'Every page of step 1 of 3 failed: step 2 runs at once');
    assert.deepEqual(outcome.entries[0]?.details, { cycle: 0, step: 0 });
    assert.deepEqual(life.wakes(1), ['page lin by email']);
    assert.deepEqual([life.wakes(5.999), life.wakes(6)], [[], ['page boss by email']]);
  });

  test('another page of the step is enough to wait for', () => {
    const life = new Failing(2);
    const before = life.incident;
    life.fails({ paged: [1], at: 6 });
    assert.equal(life.incident, before);
  });

  test('one of an earlier step is not', () => {
    const life = new Failing(2);
    assert.deepEqual(entryTypes(life.fails({ paged: [0], at: 6 })), ['step_failed']);
    assert.equal(life.escalation.pagedInCycle, true);
  });

  test('the same news twice says and does nothing more', () => {
    const life = new Failing(1);
    life.fails({ paged: [], at: 1 });
    const due = life.incident;
    for (const at of [1, 2]) assert.deepEqual(entryTypes(life.fails({ paged: [], at })), []);
    assert.equal(life.incident, due);
  });

  test('a round of which no page is left counts on none, also when its timer is due', () => {
    const life = new Failing(1);
    life.fails({ paged: [], at: 7 });
    assert.equal(life.escalation.pagedInCycle, false);
  });

  test('while it is muted the next step waits for the end of the mute', () => {
    const life = new Failing(1, mute);
    const { entries } = life.fails({ paged: [], at: 1 });
    const text = 'Every page of step 1 of 3 failed: step 2 runs when the mute ends';
    assert.equal(entries[0]?.text, text);
    assert.deepEqual(entryTypes(life.fails({ paged: [], at: 2 })), []);
    assert.deepEqual(life.wakes(30), []);
    assert.deepEqual(paged(life.does({ type: 'unmute', by: eve }, 30)), ['page lin by email']);
  });

  test('an acknowledgement stops the step that was about to fire', () => {
    const life = new Failing(1);
    life.fails({ paged: [], at: 1 });
    life.does({ type: 'acknowledge', by: eve }, 1);
    assert.deepEqual(life.wakes(1), []);
    assert.equal(awaitsPages(life.incident), false);
  });

  test('and no step and no page is left, the admins are paged', () => {
    const life = new Failing(3);
    const outcome = life.fails({ paged: [], at: 11 });
    assert.deepEqual([entryTypes(outcome), paged(outcome)], [['nobody_paged'], admins]);
    assert.equal(awaitsPages(life.incident), false);
  });

  test('unless a page of the round arrived, or still may', () => {
    const life = new Failing(3);
    const before = life.incident;
    life.fails({ paged: [0], at: 11 });
    assert.equal(life.incident, before);
  });
});
