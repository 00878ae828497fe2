import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jumpOf, jumpText, type Observer, undoes } from './clock-jump.ts';
import type { NotedClock } from './ports/clocks.ts';

const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');
const seconds = (count: number) => noon.add({ milliseconds: Math.round(count * 1_000) });
const hour = 3_600;

/** Noted at noon, on a machine that was started an hour before. */
const noted = (fields: Partial<NotedClock> = {}): NotedClock => ({
  id: 'own',
  host: 'one',
  boot: 'boot',
  ahead_ms: 0,
  booted_at: seconds(-hour),
  read_at: noon,
  ...fields,
});

type Moment = {
  readonly id?: string;
  readonly boot?: string;
  /** Since noon, as it passed. */
  readonly passed: number;
  readonly jump: number;
  /** By which the machine's own clock was set. */
  readonly wall?: number;
  readonly trip?: number;
  /** When the clocks last agreed; null: the server has just started. */
  readonly agreedAt?: number | null;
};

/** What a server reads so long after noon. */
function observer(moment: Moment): Observer {
  const { id = 'own', boot = 'boot', passed, jump, wall = 0, trip = 0, agreedAt = 0 } = moment;
  const at = (since: number) => {
    const ms = since * 1_000;
    const now = noon.epochMilliseconds + ms;
    return { wall: now + wall * 1_000, steady: ms, up: hour * 1_000 + ms + 0.25 };
  };
  const database = seconds(passed + jump).epochMilliseconds;
  const agreed = agreedAt === null ? null : seconds(agreedAt).epochMilliseconds;
  const reading = { database, before: at(passed - trip), after: at(passed + trip) };
  return { id, boot, reading, agreedAt: agreed };
}

const jumpIn = (all: readonly NotedClock[], moment: Moment) => {
  const jump = jumpOf(all, observer(moment));
  return jump && { seconds: jump.ms / 1_000, mayBeTime: jump.mayBeTime };
};
const sure = (jump: number) => ({ seconds: jump, mayBeTime: false });
const unsure = (jump: number) => ({ seconds: jump, mayBeTime: true });

describe('a jump of the database’s clock', () => {
  const alone = [noted()];
  const other = (at: number) => noted({ id: 'other', boot: 'other', read_at: seconds(at) });

  test('is none of up to 5 s, nor of what the round trip explains', () => {
    for (const jump of [0, 5, -5]) assert.equal(jumpIn(alone, { passed: 2, jump }), null);
    assert.equal(jumpIn(alone, { passed: 20, jump: 14, trip: 10 }), null);
    assert.deepEqual(jumpIn(alone, { passed: 20, jump: -16, trip: 10 }), sure(-6));
  });

  test('back is sure, whoever sees it', () => {
    for (const jump of [-6, -90, -600, -2 * hour]) {
      assert.deepEqual(jumpIn(alone, { passed: 2, jump }), sure(jump));
      assert.deepEqual(jumpIn([...alone, other(1)], { passed: 2, jump }), sure(jump));
    }
  });

  test('forward is sure if the clock of the server’s machine was set with it', () =>
    assert.deepEqual(jumpIn(alone, { passed: 2, jump: 600, wall: 600 }), sure(600)));

  test('forward is sure if a server on another machine has stopped noting its clocks too', () =>
    assert.deepEqual(jumpIn([...alone, other(1)], { passed: 2, jump: 600 }), sure(600)));

  test('forward may be a pause of the machine, if nothing else speaks for it', () => {
    assert.deepEqual(jumpIn(alone, { passed: 2, jump: 600 }), unsure(600));
    const long = other(-hour);
    assert.deepEqual(jumpIn([...alone, long], { passed: 2, jump: 600 }), unsure(600));
  });

  test('forward is none if another server has run all the time: only this machine was paused', () =>
    assert.equal(jumpIn([...alone, other(600)], { passed: 2, jump: 600 }), null));

  test('is not confirmed by another container of the same machine, which was paused with it', () => {
    const [own, beside] = [noted({ boot: 'kernel 1' }), noted({ id: 'two', boot: 'kernel 2' })];
    const moment = { boot: 'kernel 1', passed: 2, jump: 600 };
    assert.deepEqual(jumpIn([own, { ...beside, read_at: seconds(1) }], moment), unsure(600));
    const elsewhere = { ...beside, boot: 'another 2', read_at: seconds(1) };
    assert.deepEqual(jumpIn([own, elsewhere], moment), sure(600));
  });

  test('is none if another server has moved what waits, and what was noted with it', () => {
    const moved = noted({ booted_at: seconds(-hour - 600), read_at: seconds(-600) });
    assert.equal(jumpIn([moved], { passed: 2, jump: -600 }), null);
  });

  test('while no server ran is seen by what the last one on this machine noted', () => {
    const start = { id: 'new', passed: 300, agreedAt: null };
    assert.equal(jumpIn(alone, { ...start, jump: 0 }), null);
    assert.deepEqual(jumpIn(alone, { ...start, jump: -90 }), sure(-90));
    assert.deepEqual(jumpIn(alone, { ...start, jump: 90, wall: 90 }), sure(90));
    assert.deepEqual(jumpIn(alone, { ...start, jump: 90 }), unsure(90));
  });

  test('while the machine was off is seen as far as the clock went back behind the last note', () => {
    const start = { id: 'new', boot: 'later', passed: 60, agreedAt: null };
    assert.deepEqual(jumpIn(alone, { ...start, jump: -600 }), sure(-540));
    assert.equal(jumpIn(alone, { ...start, jump: -30 }), null);
    assert.deepEqual(jumpIn(alone, { ...start, jump: -29 }), unsure(31));
    assert.deepEqual(jumpIn(alone, { ...start, jump: 0 }), unsure(60));
    assert.equal(jumpIn([...alone, other(59)], { ...start, jump: 0 }), null);
    assert.equal(jumpIn([], { ...start, jump: 0 }), null);
  });

  test('is not what a machine that was off is reported for: Pager was stopped', () => {
    const start = { id: 'new', boot: 'later', passed: 600, agreedAt: null };
    const stop = jumpOf(alone, observer({ ...start, jump: 0 }));
    assert.deepEqual(stop, { ms: 600_000, mayBeTime: true, isStop: true });
    assert.match(jumpText(stop, 2), /^Pager was stopped for 10 minutes\. .* 2 incidents/);
    const paused = jumpOf(alone, observer({ passed: 2, jump: 600 }));
    assert.equal(paused?.isStop, undefined);
  });

  test('that undoes the last one is seen by whoever has just started', () => {
    const jump = (ms: number) => ({ ms, mayBeTime: false });
    assert.equal(undoes(jump(-30_000), { ms: 31_000 }), true);
    assert.equal(undoes(jump(-30_000), { ms: -30_000 }), false);
    assert.equal(undoes(jump(-30_000), { ms: 600_000 }), false);
    assert.equal(undoes(jump(-30_000), undefined), false);
  });
});
