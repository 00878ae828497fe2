import { openingsOf } from './restriction.ts';
import { turnsOf } from './rotation.ts';
import type { Layer } from './schedule.ts';
import { modulo } from './wall-clock.ts';
import { zoneOf } from './zone.ts';

/** Why a layer has nobody. */
export type Absence = 'not_started' | 'ended' | 'outside_windows' | 'turn_with_nobody';

/** A span in which a layer has one turn's person, or nobody for one reason. */
export type Piece = { readonly start: number; readonly end: number } & (
  | { readonly user_id: string; readonly source: string; readonly absence: null }
  | { readonly user_id: null; readonly absence: Absence }
);

/** Tells whom a layer has at any instant. It remembers its last answer, for walks through time. */
export function piecesOf(layer: Layer, timezone: string): (at: number) => Piece {
  const find = finderOf(layer, timezone);
  let last: Piece | null = null;
  return (at) => {
    if (!last || at < last.start || at >= last.end) last = find(at);
    return last;
  };
}

function finderOf(layer: Layer, timezone: string): (at: number) => Piece {
  const zone = zoneOf(timezone);
  const turnAt = turnsOf({ ...layer.rotation, anchor: layer.anchor }, zone);
  const openingAt = layer.restriction && openingsOf(layer.restriction, zone);
  const starts = millisecondOf(layer.starts_at) ?? -Infinity;
  const ends = millisecondOf(layer.ends_at) ?? Infinity;
  const generated = layer.generated_at.epochMilliseconds;

  return (at) => {
    if (at < starts) return nobody('not_started', -Infinity, starts);
    if (at >= ends) return nobody('ended', ends, Infinity);
    const opening = openingAt?.(at) ?? { isOpen: true, start: -Infinity, end: Infinity };
    const start = Math.max(opening.start, starts);
    const end = Math.min(opening.end, ends);
    if (!opening.isOpen) return nobody('outside_windows', start, end);
    const turn = turnAt(at);
    const user_id = layer.users[modulo(turn.index, layer.users.length)] ?? null;
    const span = { start: Math.max(start, turn.start), end: Math.min(end, turn.end) };
    if (user_id === null) return nobody('turn_with_nobody', span.start, span.end);
    return { ...span, user_id, source: `${layer.id}/${generated}/${turn.index}`, absence: null };
  };
}

function nobody(absence: Absence, start: number, end: number): Piece {
  return { start, end, user_id: null, absence };
}

function millisecondOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Temporal.Instant.from(text).epochMilliseconds;
}
