import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { buildAlert, buildIntegration, Life, later, noon } from '../../test/incident-life.ts';
import { withEscalation } from './incident.ts';
import { deafMs, type Spell } from './missed-events.ts';

const minute = 60_000;
const spell = (from: number, to: number): Spell => ({ from: later(from), to: later(to) });

test('the deaf time between two instants is that of all spells, each counted once', () => {
  for (const [spells, minutes] of [
    [[], 0],
    [[spell(2, 5)], 3],
    [[spell(-5, 1)], 1],
    [[spell(8, 20)], 2],
    [[spell(-5, 20)], 10],
    [[spell(2, 5), spell(3, 4), spell(5, 6)], 4],
    [[spell(7, 9), spell(1, 2)], 3],
    [[spell(10, 12), spell(-3, 0)], 0],
  ] as const)
    assert.equal(deafMs(spells, noon, later(10)) / minute, minutes, JSON.stringify(spells));
  assert.equal(deafMs([spell(0, 3_000)], noon, later(4_000)) / minute, 1_440);
});

test('however spells overlap, the deaf time is what a look at every minute finds', () => {
  const anySpell = fc.tuple(fc.integer({ min: -20, max: 40 }), fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(fc.array(anySpell, { maxLength: 6 }), (all) => {
      const spells = all.map(([from, length]) => spell(from, from + length));
      const minutes = Array.from({ length: 30 }, (_, at) => at).filter((at) =>
        all.some(([from, length]) => at >= from && at < from + length),
      );
      assert.equal(deafMs(spells, noon, later(30)) / minute, minutes.length);
    }),
  );
});

const again = (at: number, expires: number | null) =>
  ({
    type: 'suppressed' as const,
    alert: buildAlert(),
    eventId: `${at}`,
    isLogged: true,
    remember: 0,
    expiresAt: expires === null ? null : later(expires),
  }) as const;

describe('an alert that its source must repeat', () => {
  const life = () => new Life({ alert: buildAlert({ expires_at: later(4) }) });
  const wake = (one: Life, at: number, deaf: readonly Spell[] = []) => {
    one.does({ type: 'timer', deaf }, at);
    return one.incident.status;
  };

  test('does not end while Pager was deaf: the time is counted anew from there', () => {
    const one = life();
    assert.equal(wake(one, 4, [spell(0.5, 3.5)]), 'triggered');
    assert.equal(one.escalation.expiresAt?.equals(later(7)), true);
    assert.equal(wake(one, 7, [spell(0.5, 3.5)]), 'resolved');
  });

  test('stays acknowledged', () => {
    const one = life();
    one.does({ type: 'acknowledge', by: { type: 'user', name: 'Ada', via: 'api' } }, 1);
    assert.equal(wake(one, 5, [spell(2, 5)]), 'acknowledged');
  });

  test('ends at its time if Pager listened, or was deaf before the last report', () => {
    assert.equal(wake(life(), 4), 'resolved');
    const one = life();
    one.does(again(3, 7), 3);
    assert.equal(wake(one, 7, [spell(-10, 3)]), 'resolved');
  });

  test('counts each spell once, however often its timer runs', () => {
    const one = life();
    const spells = [spell(1, 3), spell(5, 6)];
    for (const at of [4, 5, 6]) assert.equal(wake(one, at, spells), 'triggered');
    assert.equal(one.escalation.expiresAt?.equals(later(7)), true);
  });

  test('of an earlier release has been reported four minutes before its time at the latest', () => {
    const one = life();
    const { heardAt: _h, expiresAfterMs: _e, ...escalation } = one.incident.escalation;
    one.incident = { ...one.incident, escalation };
    assert.equal(wake(one, 4, [spell(1, 3)]), 'triggered');
    assert.equal(wake(one, 6, [spell(1, 3)]), 'resolved');
  });
});

describe('an integration that resolves when it is quiet', () => {
  const quietly = () =>
    new Life({
      integration: buildIntegration({ resolveWhenQuiet: { after: 10, unit: 'minutes' } }),
    });
  const wake = (one: Life, at: number, deaf: readonly Spell[] = []) => {
    one.does({ type: 'timer', deaf }, at);
    return one.incident.status;
  };

  test('resolves after the last report, not after the first', () => {
    const one = quietly();
    for (const at of [4, 8, 12]) one.does(again(at, null), at);
    assert.equal(wake(one, 21.9), 'triggered');
    assert.equal(wake(one, 22), 'resolved');
    assert.equal(one.incident.resolved_by_timer, true);
  });

  test('counts the triggers of a storm, and not the time in which Pager was deaf', () => {
    const one = quietly();
    for (let at = 0; at < 12; at += 0.02) one.does(again(at, null), at);
    assert.equal(wake(one, 15), 'triggered');
    assert.equal(wake(one, 22, [spell(13, 16)]), 'triggered');
    assert.equal(wake(one, 25, [spell(13, 16)]), 'resolved');
  });

  test('counts triggers that a server of 0.1.0 counted without noting when they came', () => {
    const one = quietly();
    one.incident = withEscalation(one.incident, { suppressedAt: [later(7).epochMilliseconds] });
    assert.equal(wake(one, 10), 'triggered');
    assert.equal(wake(one, 17), 'resolved');
  });

  test('resolves what is acknowledged, too, and leaves alone what does not say so', () => {
    const one = quietly();
    one.does({ type: 'acknowledge', by: { type: 'user', name: 'Ada', via: 'api' } }, 1);
    assert.equal(wake(one, 10), 'resolved');
    const other = new Life();
    assert.notEqual(wake(other, 10_000), 'resolved');
  });
});
