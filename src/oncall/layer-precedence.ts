import { type LayerTimeline, layerTimelineOf } from './layer.ts';
import type { Override, Revision, Schedule } from './schedule.ts';

/** Who is on call, and by what; stretches of the same source belong to the same shift. */
export type Holder = {
  readonly user_id: string;
  readonly layer: number | 'override';
  readonly source: string;
};

/** A span in which one holder, or nobody, is effective; the next may have the same one. */
export type Stretch = {
  readonly start: number;
  readonly end: number;
  readonly holder: Holder | null;
};

/** The span in which a revision is in force; null before the first. */
export type Era = {
  readonly start: number;
  readonly end: number;
  readonly revision: Revision | null;
  /** Whom each layer has; none when the revision is archived. */
  readonly layers: readonly LayerTimeline[];
};

/** A schedule prepared for evaluating many instants. */
export type Timeline = {
  readonly eraAt: (at: number) => Era;
  readonly effectiveAt: (at: number) => Stretch;
};

const timelines = new WeakMap<Schedule, Timeline>();

/** The timeline of a schedule, made once as long as the schedule is kept. */
export function timelineOf(schedule: Schedule): Timeline {
  const cached = timelines.get(schedule);
  if (cached) return cached;
  const eraAt = erasOf(schedule.revisions);
  const overridesAt = coversOf(schedule.overrides);
  const effectiveAt = (at: number): Stretch => {
    const era = eraAt(at);
    const empty = { start: era.start, end: era.end, holder: null };
    if (!era.revision || era.revision.archived) return empty;
    const cover = overridesAt(at);
    // An override may last for ages: where it replaces everyone, no turn below it is counted.
    const below = cover.replacesEveryone ? empty : topmostAt(era, at);
    return {
      start: Math.max(below.start, cover.start),
      end: Math.min(below.end, cover.end),
      holder: cover.overrides.reduce(takeOver, below.holder),
    };
  };
  const timeline = { eraAt, effectiveAt };
  timelines.set(schedule, timeline);
  return timeline;
}

/** The last layer of an era that has someone, and the span in which that is sure to be so. */
export function topmostAt(era: Era, at: number): Stretch {
  let { start, end } = era;
  for (let layer = era.layers.length - 1; layer >= 0; layer -= 1) {
    const piece = era.layers[layer]?.pieceAt(at);
    if (!piece) continue;
    start = Math.max(start, piece.start);
    end = Math.min(end, piece.end);
    if (piece.turn) return { start, end, holder: { ...piece.turn, layer } };
  }
  return { start, end, holder: null };
}

/** What one layer of an era has, for itself. */
export function layerAt(era: Era, layer: number, at: number): Stretch {
  const piece = era.layers[layer]?.pieceAt(at);
  if (!piece) return { start: era.start, end: era.end, holder: null };
  return {
    start: Math.max(piece.start, era.start),
    end: Math.min(piece.end, era.end),
    holder: piece.turn && { ...piece.turn, layer },
  };
}

function erasOf(revisions: readonly Revision[]): (at: number) => Era {
  const starts = revisions.map((revision) => revision.from.epochMilliseconds);
  const eras = new Map<number, Era>();
  return (at) => {
    const index = lastNotAfter(starts, at);
    const cached = eras.get(index);
    if (cached) return cached;
    const revision = revisions[index] ?? null;
    const era: Era = {
      start: starts[index] ?? -Infinity,
      end: starts[index + 1] ?? Infinity,
      revision,
      layers: revision && !revision.archived ? layerTimelinesOf(revision) : [],
    };
    eras.set(index, era);
    return era;
  };
}

const layerTimelinesOf = ({ layers, timezone }: Revision) =>
  layers.map((layer) => layerTimelineOf(layer, timezone));

/** The index of the last number that is not greater; -1 when all are. */
function lastNotAfter(ascending: readonly number[], at: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A span in which no override begins or ends, with those that cover it, oldest first. */
type Cover = {
  readonly start: number;
  readonly end: number;
  readonly overrides: readonly Override[];
  readonly replacesEveryone: boolean;
};

function coversOf(overrides: readonly Override[]): (at: number) => Cover {
  const starts = overrides.map((each) => each.start.epochMilliseconds);
  const ends = overrides.map((each) => each.end.epochMilliseconds);
  const edges = [...starts, ...ends].sort((one, other) => one - other);
  let last: Cover | null = null;
  return (at) => {
    if (last && at >= last.start && at < last.end) return last;
    const index = lastNotAfter(edges, at);
    const covers = (_: Override, each: number) =>
      (starts[each] ?? Infinity) <= at && at < (ends[each] ?? -Infinity);
    const covering = overrides.filter(covers);
    last = {
      start: edges[index] ?? -Infinity,
      end: edges[index + 1] ?? Infinity,
      overrides: covering,
      replacesEveryone: covering.some((each) => each.replaces_user_id === undefined),
    };
    return last;
  };
}

function takeOver(holder: Holder | null, override: Override): Holder | null {
  const { user_id, replaces_user_id } = override;
  if (replaces_user_id !== undefined && holder?.user_id !== replaces_user_id) return holder;
  return { user_id, layer: 'override', source: sourceOf(override) };
}

/** That of the shifts which come of an override. */
export const sourceOf = ({ id, user_id }: Override): string => `override/${id}/${user_id}`;
