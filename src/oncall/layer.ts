import { openingsOf } from './restriction.ts';
import { turnsOf } from './rotation.ts';
import type { Layer } from './schedule.ts';
import { type IndexedSpan, modulo } from './wall-clock.ts';
import { zoneOf } from './zone.ts';

/** A span in which a layer has one turn's person, or nobody. */
export type Piece = {
  readonly start: number;
  readonly end: number;
  readonly turn: { readonly user_id: string; readonly source: string } | null;
};

/** Why a layer has nobody. */
export type Absence = 'not_started' | 'ended' | 'outside_windows' | 'turn_with_nobody';

/** A layer made ready to be asked about many instants. */
export type LayerTimeline = {
  readonly pieceAt: (at: number) => Piece;
  /** Asked only where the layer has nobody. */
  readonly absenceAt: (at: number) => Absence;
  /** The first instant, from one on, in the hours of the layer; also after its end. */
  readonly hoursFrom: (at: number) => number;
  /** The same layer with a turn of nobody for each turn of these people. */
  readonly without: (people: ReadonlySet<string>) => LayerTimeline;
};

const ALWAYS = { isOpen: true, start: -Infinity, end: Infinity } as const;

/** Whom a layer has at any instant. It remembers the last answer, for walks through time. */
export function layerTimelineOf(layer: Layer, timezone: string): LayerTimeline {
  const { restriction, rotation, anchor } = layer;
  const zone = zoneOf(timezone);
  const starts = millisecondOf(layer.starts_at) ?? -Infinity;
  const ends = millisecondOf(layer.ends_at) ?? Infinity;
  const generated = layer.generated_at.epochMilliseconds;
  const openingAt = restriction ? openingsOf(restriction, zone) : () => ALWAYS;
  // Made when first asked for: most layers are closed at most instants.
  let turns: ((at: number) => IndexedSpan) | null = null;
  const turnAt = (at: number) => {
    turns ??= turnsOf({ ...rotation, anchor }, zone, restriction);
    return turns(at);
  };
  const absenceAt = (at: number): Absence => {
    if (at < starts) return 'not_started';
    if (at >= ends) return 'ended';
    return openingAt(at).isOpen ? 'turn_with_nobody' : 'outside_windows';
  };

  const hoursFrom = (at: number): number => {
    const opening = openingAt(Math.max(at, starts));
    return opening.isOpen ? Math.max(at, starts) : opening.end;
  };

  // The turns and windows are the same whoever is left out.
  const timelineFor = (users: Layer['users']): LayerTimeline => {
    const userOf = ({ index }: IndexedSpan) => users[modulo(index, users.length)] ?? null;
    const isEmpty = users.every((user) => user === null);
    const isFull = !users.includes(null);
    const find = (at: number): Piece => {
      if (isEmpty) return nobody(ALWAYS);
      if (at < starts) return nobody({ start: -Infinity, end: starts });
      if (at >= ends) return nobody({ start: ends, end: Infinity });
      const opening = openingAt(at);
      // Only turns of nobody can make a closed time longer.
      if (!opening.isOpen && isFull) return nobody(opening);
      const turn = turnAt(at);
      const user_id = userOf(turn);
      if (user_id === null) {
        const vacancy = vacancyAround(turn, turnAt, (other) => userOf(other) === null);
        return nobody(opening.isOpen ? vacancy : unionOf(vacancy, opening));
      }
      if (!opening.isOpen) return nobody(opening);
      return {
        start: Math.max(turn.start, opening.start, starts),
        end: Math.min(turn.end, opening.end, ends),
        turn: { user_id, source: `${layer.id}/${generated}/${turn.index}` },
      };
    };
    let last = nobody({ start: Infinity, end: Infinity });
    const timeline: LayerTimeline = {
      pieceAt(at) {
        if (at < last.start || at >= last.end) last = find(at);
        return last;
      },
      absenceAt,
      hoursFrom,
      without(people) {
        const isLeftOut = (user: string | null) => user !== null && people.has(user);
        if (!users.some(isLeftOut)) return timeline;
        return timelineFor(users.map((user) => (isLeftOut(user) ? null : user)));
      },
    };
    return timeline;
  };
  return timelineFor(layer.users);
}

type Span = { readonly start: number; readonly end: number };

// As long as it can be: a layer that seldom has anyone must not hold up a walk along those below.
function vacancyAround(
  turn: IndexedSpan,
  turnAt: (at: number) => IndexedSpan,
  isVacant: (turn: IndexedSpan) => boolean,
): Span {
  let { start, end } = turn;
  for (let next = turnAt(end); isVacant(next); next = turnAt(end)) end = next.end;
  while (start > -Infinity) {
    const last = turnAt(start - 1);
    if (!isVacant(last)) break;
    start = last.start;
  }
  return { start, end };
}

function unionOf(one: Span, other: Span): Span {
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}

function nobody({ start, end }: Span): Piece {
  return { start, end, turn: null };
}

function millisecondOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Temporal.Instant.from(text).epochMilliseconds;
}
