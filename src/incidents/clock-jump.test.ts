import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildAlert, buildIntegration, eve, Life, later, noon } from '../../test/incident-life.ts';
import { afterJump, type Jump } from './clock-jump.ts';
import { type Escalation, type Incident, wakeAt, withEscalation } from './incident.ts';

const minute = 60_000;
const back: Jump = { ms: -10 * minute, mayBeTime: false };
const forward: Jump = { ms: 10 * minute, mayBeTime: false };
const unsure: Jump = { ms: 10 * minute, mayBeTime: true };

const jumped = (incident: Incident, jump: Jump, at = 2): Incident => {
  const outcome = afterJump(incident, jump, later(at));
  assert.ok(outcome, 'it is touched');
  return outcome.incident;
};

type Wait = keyof Pick<
  Escalation,
  | 'stepAt'
  | 'takenBy'
  | 'ackTimeoutAt'
  | 'putOffUntil'
  | 'resolveAt'
  | 'expiresAt'
  | 'quietAt'
  | 'heardAt'
>;
const pages: readonly Wait[] = ['stepAt', 'takenBy', 'ackTimeoutAt', 'putOffUntil'];
const ends: readonly Wait[] = ['resolveAt', 'expiresAt', 'quietAt'];

/** An incident of which nothing but that waits, in half an hour. */
const waiting = (wait: Wait): Incident =>
  withEscalation(new Life().incident, {
    stepAt: null,
    takenBy: null,
    [wait]: later(30),
  });

describe('what waits by a clock that jumps', () => {
  for (const wait of [...pages, ...ends])
    for (const [name, jump] of [
      ['back', back],
      ['forward', forward],
    ] as const)
      test(`is moved with it, ${name}: ${wait}`, () => {
        const { escalation } = jumped(waiting(wait), jump);
        assert.deepEqual(escalation[wait], later(30 + jump.ms / minute));
      });

  for (const wait of pages)
    test(`is not moved if time may have passed and it pages: ${wait}`, () =>
      assert.equal(afterJump(waiting(wait), unsure, later(2)), null));

  for (const wait of ends)
    test(`is moved if time may have passed and it ends something: ${wait}`, () =>
      assert.deepEqual(jumped(waiting(wait), unsure).escalation[wait], later(40)));

  test('is nothing of an incident that is resolved, or waits for nothing', () => {
    const life = new Life();
    life.does({ type: 'resolve', by: eve }, 1);
    assert.equal(afterJump(life.incident, back, later(2)), null);
    const other = new Life();
    other.does({ type: 'acknowledge', by: eve }, 1);
    assert.equal(afterJump(other.incident, back, later(2)), null);
  });
});

describe('what people or sources gave as a time stays', () => {
  test('until when somebody muted the incident', () => {
    const life = new Life({
      integration: buildIntegration({ autoResolve: { after: 1, unit: 'days' } }),
    });
    life.does({ type: 'mute', by: eve, until: later(90) }, 1);
    const moved = jumped(life.incident, back);
    assert.deepEqual(moved.muted_until, later(90));
    assert.deepEqual(moved.escalation.resolveAt, later(24 * 60 - 10));
    assert.equal(moved.escalation.stepRemainingMs, life.incident.escalation.stepRemainingMs);
  });

  test('until when a server says that its alert holds', () => {
    const senders = [{ sender: 'prom', endsAt: later(9), aheadMs: 1_000 }];
    const incident = withEscalation(new Life().incident, { senders });
    const [sender] = jumped(incident, back).escalation.senders ?? [];
    assert.deepEqual(sender, { sender: 'prom', endsAt: later(9), aheadMs: 601_000 });
  });
});

test('an incident whose clock is set back escalates after the wait that it has', () => {
  const life = new Life();
  assert.deepEqual(wakeAt(life.incident), later(3), 'by when a page must be taken');
  life.incident = withEscalation(jumped(life.incident, back), { takenBy: null });
  // Two minutes after noon it was eight minutes to noon; three minutes later the wait is over.
  life.does({ type: 'timer' }, -6);
  assert.equal(life.incident.escalation.nextStep, 1);
  life.does({ type: 'timer' }, -5);
  assert.equal(life.incident.escalation.nextStep, 2);
});

test('silence of a tool goes on being counted', () => {
  const quiet = { after: 20, unit: 'minutes' } as const;
  const life = new Life({ integration: buildIntegration({ resolveWhenQuiet: quiet }) });
  life.incident = withEscalation(jumped(life.incident, back), {
    stepAt: null,
    takenBy: null,
  });
  life.does({ type: 'timer' }, 9);
  assert.equal(life.incident.status, 'triggered');
  life.does({ type: 'timer' }, 10);
  assert.equal(life.incident.status, 'resolved');
});

test('triggers are counted within a minute of the new clock', () => {
  const life = new Life({ alert: buildAlert() });
  const recentTriggers = [noon.epochMilliseconds];
  const incident = withEscalation(life.incident, {
    recentTriggers,
    suppressedAt: recentTriggers,
    repeatedAt: recentTriggers,
    storm: { until: later(1), eventId: 'event' },
    stormNotifiedAt: noon,
  });
  const { escalation } = jumped(incident, back);
  const shifted = [later(-10).epochMilliseconds];
  assert.deepEqual(escalation.recentTriggers, shifted);
  assert.deepEqual(escalation.suppressedAt, shifted);
  assert.deepEqual(escalation.repeatedAt, shifted);
  assert.deepEqual(escalation.storm?.until, later(-9));
  assert.deepEqual(escalation.stormNotifiedAt, later(-10));
});

test('the timeline has the jump, and what it did', () => {
  for (const [jump, text] of [
    [
      back,
      /^The database’s clock was set back by 10 minutes\. The timers .* moved by the same amount$/,
    ],
    [forward, /^The database’s clock was set forward by 10 minutes\. /],
    [
      unsure,
      /^The database’s clock moved forward by 10 minutes more than Pager measured, .* keep their times\. /,
    ],
  ] as const) {
    const incident = withEscalation(new Life().incident, { resolveAt: later(60) });
    const [entry, ...others] = afterJump(incident, jump, later(2))?.entries ?? [];
    assert.equal(entry?.type, 'clock_jumped');
    assert.match(entry.text, text);
    assert.deepEqual(entry.details, { ms: jump.ms, may_be_time: jump.mayBeTime });
    assert.deepEqual(others, []);
  }
});
