import { timelineOf } from '../layer-precedence.ts';
import type { Interval, Move, Schedule } from '../schedule.ts';
import { instantOf } from '../zone.ts';

/** A longest stretch in which an edit puts another person on call; null is nobody. */
export type Change = {
  readonly start: Temporal.Instant;
  /** Null if it continues beyond the interval that was compared. */
  readonly end: Temporal.Instant | null;
  readonly before: string | null;
  readonly after: string | null;
};

type ChangeSpan = Pick<Change, 'before' | 'after'> & {
  readonly start: number;
  readonly end: number;
};

/** Where an edit changes who is on call. By which layer somebody is makes no difference. */
export const changesIn = (
  before: Schedule,
  after: Schedule,
  interval: Interval,
): readonly Change[] =>
  changeSpans(before, after, interval).map(({ start, end, ...holders }) => ({
    start: instantOf(start),
    end: endOf(end, interval),
    ...holders,
  }));

type Span = { readonly type: Move['type']; readonly start: number; readonly end: number };

/**
 * What an edit changes of each person's time on call, in the order of time; those for whom it
 * changes nothing are left out.
 */
export function movesIn(
  before: Schedule,
  after: Schedule,
  interval: Interval,
): ReadonlyMap<string, readonly Move[]> {
  const spans = new Map<string, Span[]>();
  for (const { start, end, before: loser, after: winner } of changeSpans(before, after, interval)) {
    if (loser !== null) add(spans, loser, { type: 'lost', start, end });
    if (winner !== null) add(spans, winner, { type: 'gained', start, end });
  }
  return new Map([...spans].map(([user, all]) => [user, all.map((one) => moveOf(one, interval))]));
}

function changeSpans(
  before: Schedule,
  after: Schedule,
  { from, to }: Interval,
): readonly ChangeSpan[] {
  const [old, edited] = [timelineOf(before).effectiveAt, timelineOf(after).effectiveAt];
  const spans: ChangeSpan[] = [];
  const until = to.epochMilliseconds;
  for (let start = from.epochMilliseconds; start < until; ) {
    const [had, has] = [old(start), edited(start)];
    const end = Math.min(had.end, has.end, until);
    const [loser, winner] = [had.holder?.user_id ?? null, has.holder?.user_id ?? null];
    const last = spans.at(-1);
    const continuesLast = last?.end === start && last.before === loser && last.after === winner;
    if (continuesLast) spans.splice(-1, 1, { ...last, end });
    else if (loser !== winner) spans.push({ start, end, before: loser, after: winner });
    start = end;
  }
  return spans;
}

function add(spans: Map<string, Span[]>, user: string, span: Span): void {
  const moves = spans.get(user) ?? [];
  spans.set(user, moves);
  const last = moves.at(-1);
  const continuesLast = last?.end === span.start && last.type === span.type;
  if (continuesLast) moves.splice(-1, 1, { ...last, end: span.end });
  else moves.push(span);
}

const moveOf = ({ type, start, end }: Span, interval: Interval): Move => ({
  type,
  start: instantOf(start),
  end: endOf(end, interval),
});

const endOf = (end: number, { to }: Interval): Temporal.Instant | null =>
  end < to.epochMilliseconds ? instantOf(end) : null;
