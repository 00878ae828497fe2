import { queryLimits } from '../../limits/queries.ts';
import { timelineOf } from '../layer-precedence.ts';
import type { Interval, Move, Schedule } from '../schedule.ts';
import { endFrom } from '../wholes.ts';
import { instantOf } from '../zone.ts';

/** A longest stretch in which an edit puts another person on call; null is nobody. */
export type Change = {
  readonly start: Temporal.Instant;
  /** Null if no end is found. */
  readonly end: Temporal.Instant | null;
  readonly before: string | null;
  readonly after: string | null;
};

/** What is compared, and how far whatever continues beyond it is followed; absent: not at all. */
export type Compared = Interval & { readonly followedTo?: Temporal.Instant };

/** An interval in which changes are followed to their ends, if these come within another year. */
export const withinAndBeyond = ({ from, to }: Interval): Compared => ({
  from,
  to,
  followedTo: to.add({ hours: 366 * 24 }),
});

type ChangeSpan = Pick<Change, 'before' | 'after'> & {
  readonly start: number;
  readonly end: number;
};

/** Where an edit changes who is on call. By which layer somebody is makes no difference. */
export const changesIn = (
  before: Schedule,
  after: Schedule,
  interval: Compared,
): readonly Change[] => {
  const endOf = endsOf(before, after, interval);
  return changeSpans(before, after, interval).map(({ start, end, ...holders }) => ({
    start: instantOf(start),
    end: endOf(end, (loser, winner) => loser === holders.before && winner === holders.after),
    ...holders,
  }));
};

type Span = { readonly type: Move['type']; readonly start: number; readonly end: number };

/**
 * What an edit changes of each person's time on call, in the order of time; those for whom it
 * changes nothing are left out.
 */
export function movesIn(
  before: Schedule,
  after: Schedule,
  interval: Compared,
): ReadonlyMap<string, readonly Move[]> {
  const spans = new Map<string, Span[]>();
  for (const { start, end, before: loser, after: winner } of changeSpans(before, after, interval)) {
    if (loser !== null) add(spans, loser, { type: 'lost', start, end });
    if (winner !== null) add(spans, winner, { type: 'gained', start, end });
  }
  const endOf = endsOf(before, after, interval);
  return new Map(
    [...spans].map(([user, all]) => [
      user,
      all.map(({ type, start, end }): Move => {
        const isLost = type === 'lost';
        const continues: Continues = (loser, winner) =>
          loser !== winner && (isLost ? loser : winner) === user;
        return { type, start: instantOf(start), end: endOf(end, continues) };
      }),
    ]),
  );
}

/** Whether a change goes on while one person is on call before, and another after. */
type Continues = (loser: string | null, winner: string | null) => boolean;

/** Answers the end of what was cut at the end of the interval, and of all else the end that it has. */
function endsOf(before: Schedule, after: Schedule, { to, followedTo = to }: Compared) {
  const [old, edited] = [timelineOf(before).effectiveAt, timelineOf(after).effectiveAt];
  const bounds = { limit: followedTo.epochMilliseconds, most: queryLimits.moveSteps };
  const stretchAt = (at: number) => ({ start: at, end: Math.min(old(at).end, edited(at).end) });
  return (end: number, continues: Continues): Temporal.Instant | null => {
    if (end < to.epochMilliseconds) return instantOf(end);
    const isOn = (at: number) =>
      continues(old(at).holder?.user_id ?? null, edited(at).holder?.user_id ?? null);
    const followed = endFrom(end, { stretchAt, isOn }, bounds);
    return followed === null ? null : instantOf(followed);
  };
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
