import {
  type Chain,
  type Circumstances,
  chainOf,
  circumstancesOf,
  type Holder,
  withoutOverrides,
} from './circumstances.ts';
import { type LayerTimeline, layerTimelineOf } from './layer.ts';
import { lastNotAfter } from './order.ts';
import { NEVER, type Opening, openingsOf } from './restriction.ts';
import type { Revision, Schedule } from './schedule.ts';
import { zoneOf } from './zone.ts';

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
  /** Whose turn it is in each layer, active or not; none when the revision is archived. */
  readonly layers: readonly LayerTimeline[];
  /** Everybody who has turns in them. */
  readonly people: ReadonlySet<string>;
  /** The layers with a turn of nobody for each turn of these people. */
  readonly layersWithout: (people: ReadonlySet<string>) => readonly LayerTimeline[];
};

/** What one layer has, and what the overrides make of it. */
export type LayerChain = Chain & { readonly layer: number };

/** A schedule prepared for evaluating many instants. */
export type Timeline = {
  readonly eraAt: (at: number) => Era;
  readonly effectiveAt: (at: number) => Stretch;
  /** What one layer has for itself, without overrides. */
  readonly layerAt: (layer: number, at: number) => Stretch;
  /** The last layer of an era that has somebody, without overrides; also beyond the era. */
  readonly topmostIn: (era: Era, at: number) => Stretch;
  /** The last layer whose person is inactive or was taken off; asked only where nobody is on call. */
  readonly absentAt: (at: number) => LayerChain | null;
  /** Whether nobody is meant to be on call, and since and until when; not while none is in force. */
  readonly byDesignAt: (at: number) => Opening;
};

const timelines = new WeakMap<Schedule, Timeline>();

/** The timeline of a schedule, made once as long as the schedule is kept. */
export function timelineOf(schedule: Schedule): Timeline {
  const cached = timelines.get(schedule);
  if (cached) return cached;
  const eraAt = erasOf(schedule.revisions);
  const circumstancesAt = circumstancesOf(schedule);
  const timeline: Timeline = {
    eraAt,
    effectiveAt: (at) => effectiveIn(eraAt(at), circumstancesAt(at), at),
    layerAt(layer, at) {
      const { start, end, inactive } = circumstancesAt(at);
      const era = eraAt(at);
      const piece = era.layersWithout(inactive)[layer]?.pieceAt(at);
      return {
        start: Math.max(era.start, start, piece?.start ?? -Infinity),
        end: Math.min(era.end, end, piece?.end ?? Infinity),
        holder: piece?.turn ? { ...piece.turn, layer } : null,
      };
    },
    topmostIn: (era, at) => effectiveIn(era, withoutOverrides(circumstancesAt(at)), at),
    absentAt: (at) => absentIn(eraAt(at), circumstancesAt(at), at),
    byDesignAt: byDesignOf(schedule, eraAt),
  };
  timelines.set(schedule, timeline);
  return timeline;
}

function effectiveIn(era: Era, circumstances: Circumstances, at: number): Stretch {
  if (!era.revision || era.revision.archived)
    return { start: era.start, end: era.end, holder: null };
  const { overrides, settled } = circumstances;
  let start = Math.max(era.start, circumstances.start);
  let end = Math.min(era.end, circumstances.end);
  // An override may last for ages: where it replaces everyone, no turn below it is counted.
  if (settled) return { start, end, holder: settled.active };
  // Turns that come to nobody are passed all at once: they may be many, above a turn of years.
  const hasOverrides = overrides.length > 0;
  const layers = layersIn(era, circumstances);
  for (let layer = layers.length - 1; layer >= 0; layer -= 1) {
    const piece = layers[layer]?.pieceAt(at);
    if (!piece) continue;
    start = Math.max(start, piece.start);
    end = Math.min(end, piece.end);
    const turn = piece.turn && { ...piece.turn, layer };
    const holder = hasOverrides ? chainOf(turn, circumstances).active : turn;
    if (holder) return { start, end, holder };
  }
  return { start, end, holder: null };
}

function layersIn(era: Era, { overrides, inactive, vacantAmong }: Circumstances) {
  if (overrides.length === 0) return era.layersWithout(inactive);
  return era.layersWithout(vacantAmong(era.people));
}

function absentIn({ layers }: Era, circumstances: Circumstances, at: number): LayerChain | null {
  for (let layer = layers.length - 1; layer >= 0; layer -= 1) {
    const turn = layers[layer]?.pieceAt(at).turn ?? null;
    const chain = chainOf(turn && { ...turn, layer }, circumstances);
    if (chain.holder || chain.takenOff) return { ...chain, layer };
  }
  return null;
}

function byDesignOf(
  { revisions, uncovered_by_design: windows = [] }: Schedule,
  eraAt: Timeline['eraAt'],
): Timeline['byDesignAt'] {
  const last = revisions.at(-1);
  if (windows.length === 0 || last === undefined) return () => NEVER;
  const openingAt = openingsOf({ type: 'weekly', windows }, zoneOf(last.timezone));
  return (at) => {
    const { start, end, layers } = eraAt(at);
    if (layers.length === 0) return { isOpen: false, start, end };
    const opening = openingAt(at);
    return {
      ...opening,
      start: Math.max(opening.start, start),
      end: Math.min(opening.end, end),
    };
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
    const layers = revision && !revision.archived ? layerTimelinesOf(revision) : [];
    // Made only where somebody is inactive or taken off.
    let people: ReadonlySet<string> | null = null;
    let without: WeakMap<ReadonlySet<string>, readonly LayerTimeline[]> | null = null;
    const era: Era = {
      start: starts[index] ?? -Infinity,
      end: starts[index + 1] ?? Infinity,
      revision,
      layers,
      get people() {
        people ??= new Set(
          revision?.layers.flatMap(({ users }) => users.filter((id) => id !== null)),
        );
        return people;
      },
      layersWithout(vacant) {
        if (layers.length === 0 || vacant.size === 0) return layers;
        without ??= new WeakMap();
        const known = without.get(vacant) ?? layers.map((layer) => layer.without(vacant));
        without.set(vacant, known);
        return known;
      },
    };
    eras.set(index, era);
    return era;
  };
}

const layerTimelinesOf = ({ layers, timezone }: Revision) =>
  layers.map((layer) => layerTimelineOf(layer, timezone));
