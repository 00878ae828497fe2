import type { Absence } from './layer.ts';
import {
  type Era,
  type LayerChain,
  type Stretch,
  type Timeline,
  timelineOf,
} from './layer-precedence.ts';
import { type Idle, idleIn } from './people-without-shifts.ts';
import { NEVER } from './restriction.ts';
import type { Interval, Schedule } from './schedule.ts';
import { instantOf } from './zone.ts';

/** Why nobody is on call. */
export type Reason =
  | { readonly type: Absence }
  /** Somebody has the turn who is inactive or cannot be paged, and nobody below them steps in. */
  | { readonly type: 'missing'; readonly user_id: string; readonly text: string }
  /** An override takes somebody off, and nobody below them steps in. */
  | {
      readonly type: 'taken_off';
      readonly user_id: string;
      readonly override_id: string;
      readonly comment?: string;
      readonly author?: string;
    }
  /** The schedule was not made yet, or is archived. */
  | { readonly type: 'not_in_force' };

/** A longest stretch in which nobody is on call, and where it comes from. */
export type Gap = {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  /**
   * What has somebody missing or taken off; else the highest layer that had somebody until the gap
   * began, or the override when no layer did. Of a gap that begins with the interval, with a
   * revision or at an edge of the hours by design, the layer that ends it, or else the lowest. Null
   * when no revision has layers then.
   */
  readonly layer: number | 'override' | null;
  readonly reason: Reason;
};

export type Coverage = {
  /** Without the hours in which nobody is meant to be on call. */
  readonly gaps: readonly Gap[];
  /** The rest of the time in which nobody is on call: what was declared to be so. */
  readonly byDesign: readonly Gap[];
  /** Who has turns and never a shift. */
  readonly idle: readonly Idle[];
};

/** All the time in which nobody is on call, in order. */
export const allGaps = ({ gaps, byDesign }: Pick<Coverage, 'gaps' | 'byDesign'>): readonly Gap[] =>
  [...gaps, ...byDesign].toSorted((one, other) => Temporal.Instant.compare(one.start, other.start));

/** Why a person cannot be paged, such as `is not active`; null when they can. */
type Missing = (userId: string) => string | null;

/**
 * Exactly when in an interval nobody is on call: nothing is sampled, so finding no gap proves that
 * there is none. Whoever is missing and not inactive counts as nobody, and nobody below steps in:
 * the page would go to them. The work grows with the turns, windows and overrides of the interval;
 * bound that.
 */
export function coverageOf(schedule: Schedule, interval: Interval, missing: Missing): Coverage {
  const timeline = timelineOf(schedule);
  const [from, to] = [interval.from.epochMilliseconds, interval.to.epochMilliseconds];
  const gaps: Span[] = [];
  const heldUntil = new Map<string, number>();
  for (let at = from; at < to; ) {
    const stretch = timeline.effectiveAt(at);
    const isGap = !stretch.holder || missing(stretch.holder.user_id) !== null;
    const design = isGap ? timeline.byDesignAt(at) : NEVER;
    const end = Math.min(stretch.end, design.end, to);
    const last = gaps.at(-1);
    const isContinued = last?.end === at;
    if (stretch.holder) heldUntil.set(stretch.holder.user_id, end);
    if (isGap && isContinued && last.isByDesign === design.isOpen) last.end = end;
    else if (isGap)
      gaps.push({ start: at, end, isByDesign: design.isOpen, isFirst: at === from || isContinued });
    at = end;
  }
  const rendered = (isByDesign: boolean) =>
    gaps
      .filter((gap) => gap.isByDesign === isByDesign)
      .map((gap) => ({
        start: instantOf(gap.start),
        end: instantOf(gap.end),
        ...causeOf(gap, timeline, missing),
      }));
  return {
    gaps: rendered(false),
    byDesign: rendered(true),
    idle: idleIn(schedule, interval, heldUntil),
  };
}

type Span = {
  readonly start: number;
  end: number;
  readonly isByDesign: boolean;
  /** Nobody is known to have been on call just before it. */
  readonly isFirst: boolean;
};
type Cause = Pick<Gap, 'layer' | 'reason'>;

function causeOf(gap: Span, timeline: Timeline, missing: Missing): Cause {
  const { start } = gap;
  const { holder } = timeline.effectiveAt(start);
  if (holder) {
    const { user_id, layer } = holder;
    return { layer, reason: { type: 'missing', user_id, text: missing(user_id) ?? '' } };
  }
  const era = timeline.eraAt(start);
  if (era.layers.length === 0) return { layer: null, reason: { type: 'not_in_force' } };
  const left = timeline.absentAt(start);
  if (left) return leftBy(left, missing);
  if (gap.isFirst || start === era.start) {
    return absenceOf(era, timeline.topmostIn(era, gap.end), start);
  }
  const before = timeline.topmostIn(era, start - 1);
  if (!before.holder) return { layer: 'override', reason: { type: 'ended' } };
  return absenceOf(era, before, start);
}

/** Of a layer whose person is inactive, or was taken off. */
function leftBy({ layer, holder, takenOff }: LayerChain, missing: Missing): Cause {
  if (holder) {
    const { user_id } = holder;
    const text = missing(user_id) ?? 'is not active';
    return { layer: holder.layer, reason: { type: 'missing', user_id, text } };
  }
  const { id = '', replaces_user_id = '', comment, author } = takenOff ?? {};
  return {
    layer,
    reason: {
      type: 'taken_off',
      user_id: replaces_user_id,
      override_id: id,
      ...(comment !== undefined && { comment }),
      ...(author !== undefined && { author }),
    },
  };
}

/** Why the layer that has somebody at another instant, or else the lowest, has nobody at this. */
function absenceOf(era: Era, other: Stretch, at: number): Cause {
  const layer = typeof other.holder?.layer === 'number' ? other.holder.layer : 0;
  return { layer, reason: { type: era.layers[layer]?.absenceAt(at) ?? 'turn_with_nobody' } };
}
