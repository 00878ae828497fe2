// Where a layer counts from that begins with an edit.
import { type Anchor, anchorOf, anchorSince, gridOf } from '../rotation.ts';
import { modulo } from '../wall-clock.ts';
import { wallAt, zoneOf } from '../zone.ts';
import type { DeclaredLayer } from './content.ts';
import { planOf } from './running-turn.ts';
import { firstActive, type IsActive } from './succession.ts';

type Beginning = {
  readonly after: { readonly timezone: string };
  readonly now: Temporal.Instant;
  readonly isActive: IsActive;
  /** The layer before the edit; absent: it is added. */
  readonly was?: DeclaredLayer;
};

/** Whether a layer has not begun yet. */
export const isToCome = (
  { starts_at }: Pick<DeclaredLayer, 'starts_at'>,
  now: Temporal.Instant,
): boolean => starts_at !== undefined && Temporal.Instant.compare(starts_at, now) > 0;

/**
 * It begins now, with the first user's turn; or when it starts, with the first one who is active; or
 * the first user's turn began on a date. A layer that was to come and begins now has the first one
 * who is active, too.
 */
export function newAnchor(layer: DeclaredLayer, { after, now, isActive, was }: Beginning): Anchor {
  const { rotation, restriction, users, starts_at } = layer;
  const { timezone } = after;
  const zone = zoneOf(timezone);
  const { since } = rotation;
  if (since !== undefined) {
    const anchor = anchorSince({ ...rotation, since }, timezone, restriction);
    if (Temporal.Instant.compare(anchor.at, now) <= 0) return anchor;
    const { wallOf } = gridOf({ ...rotation, anchor }, zone, restriction);
    return { ...anchor, running: planOf(rotation, wallOf(-1), wallOf(0)) };
  }
  const isLater = starts_at !== undefined && isToCome(layer, now);
  const begins = isLater ? Temporal.Instant.from(starts_at) : now;
  const isWaiting = isLater || (was !== undefined && isToCome(was, now));
  const first = isWaiting ? (firstActive(users, isActive) ?? 0) : 0;
  const { at, turn } = anchorOf(rotation, timezone, begins, restriction);
  const anchor = { at, turn: modulo(first + turn, users.length) };
  if (turn === 0) return anchor;
  const wallOf = (instant: Temporal.Instant) => wallAt(zone, instant.epochMilliseconds);
  return { ...anchor, running: planOf(rotation, wallOf(begins), wallOf(at)) };
}
