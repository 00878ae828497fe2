// What must hold of shifts whatever happens: read from what was recorded, and from the schedules as
// they were declared.
import assert from 'node:assert/strict';
import type { ShiftChanges } from '../../src/engine/ports/shifts.ts';
import { isAfter } from '../../src/oncall/order.ts';
import { scheduleAsOf } from '../../src/oncall/revisions/history.ts';
import { shiftsIn } from '../../src/oncall/shifts.ts';
import { isAnnounced, type ShiftEvent } from '../../src/shifts/advance.ts';
import { recordedStretches, stretchText } from '../recorded-shifts.ts';
import type { FragileLedger } from './fragile-ledger.ts';

type Seen = {
  readonly events: ShiftEvent[];
  /** The shift that has started and not ended, and whether its start was announced. */
  open: { readonly id: string; readonly announced: boolean } | null;
};

/** Checks each committed advance of shift cursors against all before. */
export function createShiftCheck(): (changes: readonly ShiftChanges[]) => void {
  const seen = new Map<string, Seen>();
  const decided = new Set<string>();

  function follow(one: Seen, event: ShiftEvent): void {
    const { type, at, shift } = event;
    const what = `the ${type} of ${shift.id}`;
    const last = one.events.at(-1);
    assert.ok(!last || Temporal.Instant.compare(last.at, at) <= 0, `${what} is out of order`);
    if (type === 'start') assert.equal(one.open, null, `${what} comes before another's end`);
    else {
      assert.equal(one.open?.id, shift.id, `${what} is recorded twice, or without a start`);
      assert.equal(one.open.announced, isAnnounced(event), `${what} is half of a story`);
    }
    one.open = type === 'start' ? { id: shift.id, announced: isAnnounced(event) } : null;
    one.events.push(event);
  }

  return (changes) => {
    for (const { schedule, advanced, intents } of changes) {
      const one: Seen = seen.get(schedule.id) ?? { events: [], open: null };
      seen.set(schedule.id, one);
      for (const event of advanced.events) follow(one, event);
      const news = advanced.events.filter(isAnnounced);
      assert.ok(news.length <= 2, `${schedule.id} has more news than an end and a start`);
      const about = news.map(({ type, shift }) => `shift/${shift.id}/${type}/`);
      for (const { key, kind } of intents) {
        assert.ok(!decided.has(key), `${key} is decided twice`);
        decided.add(key);
        const isExplained = kind === 'shift_change' || about.some((start) => key.startsWith(start));
        assert.ok(isExplained, `${key} is about nothing that happened`);
      }
    }
  };
}

/** In the end all shifts that there were are recorded, and no others. */
export function checkAllRecorded(ledger: FragileLedger, from: Temporal.Instant): void {
  const all = [...ledger.shiftEvents.values()];
  for (const { schedule, cursor, history } of ledger.shiftCursors.values()) {
    const events = all.filter(
      ({ shift }) => ledger.shifts.get(shift.id)?.oncall_schedule_id === schedule.id,
    );
    const now = cursor.advanced_to;
    const there = shiftsIn(scheduleAsOf(history), { from, to: now });
    const recorded = recordedStretches({ events, running: cursor.running, now });
    assert.deepEqual(recorded.map(stretchText), there.map(stretchText), schedule.id);
    const shifts = events.filter(({ type }) => type === 'end').map(({ shift }) => shift);
    for (const { user_id, start, end } of history.inactive ?? [])
      for (const shift of shifts) {
        // Who left and returned at one instant was never inactive.
        if (end?.equals(start)) continue;
        const isMeanwhile =
          shift.user_id === user_id &&
          isAfter(shift.end, start) &&
          (end === null || isAfter(end, shift.start));
        assert.ok(!isMeanwhile || shift.start.equals(shift.end), `${shift.id} is of nobody active`);
      }
  }
}
