import { timelineOf } from '../layer-precedence.ts';
import type { Interval, Move, Schedule } from '../schedule.ts';
import { instantOf } from '../zone.ts';

type Span = { readonly type: Move['type']; readonly start: number; readonly end: number };

/**
 * What an edit changes of each person's time on call, in the order of time; those for whom it
 * changes nothing are left out. By which layer somebody is on call makes no difference.
 */
export function movesIn(
  before: Schedule,
  after: Schedule,
  { from, to }: Interval,
): ReadonlyMap<string, readonly Move[]> {
  const [old, edited] = [timelineOf(before).effectiveAt, timelineOf(after).effectiveAt];
  const spans = new Map<string, Span[]>();
  const last = to.epochMilliseconds;
  for (let start = from.epochMilliseconds; start < last; ) {
    const [had, has] = [old(start), edited(start)];
    const end = Math.min(had.end, has.end, last);
    const [loser, winner] = [had.holder?.user_id, has.holder?.user_id];
    if (loser !== winner) {
      if (loser !== undefined) add(spans, loser, { type: 'lost', start, end });
      if (winner !== undefined) add(spans, winner, { type: 'gained', start, end });
    }
    start = end;
  }
  return new Map([...spans].map(([user, all]) => [user, all.map((one) => moveOf(one, last))]));
}

function add(spans: Map<string, Span[]>, user: string, span: Span): void {
  const moves = spans.get(user) ?? [];
  spans.set(user, moves);
  const last = moves.at(-1);
  const continuesLast = last?.end === span.start && last.type === span.type;
  if (continuesLast) moves.splice(-1, 1, { ...last, end: span.end });
  else moves.push(span);
}

function moveOf({ type, start, end }: Span, last: number): Move {
  return { type, start: instantOf(start), end: end < last ? instantOf(end) : null };
}
