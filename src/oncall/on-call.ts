import { isOpen, type Restriction } from './restriction.ts';
import { type Anchor, anchorOf, type Rotation, turnAt } from './rotation.ts';

/** Who takes turns, when they change, and in which hours; null is a turn with nobody. */
export type Layer = {
  readonly users: readonly (string | null)[];
  readonly rotation: Rotation;
  readonly restriction?: Restriction;
  readonly starts_at?: string;
  readonly ends_at?: string;
  readonly anchor: Anchor;
};

export type Schedule = {
  readonly timezone: string;
  readonly layers: readonly Layer[];
  readonly created_at: Temporal.Instant;
};

export type OnCall = { readonly user_id: string; readonly layer: number };

/**
 * Who is on call at an instant, and by which layer: the last layer that has someone then. This
 * folder answers it from the schedule and the instant alone; nothing about it is ever stored.
 */
export function onCallAt(schedule: Schedule, at: Temporal.Instant): OnCall | null {
  if (Temporal.Instant.compare(at, schedule.created_at) < 0) return null;
  for (let index = schedule.layers.length - 1; index >= 0; index -= 1) {
    const layer = schedule.layers[index];
    const user = layer && userAt(layer, schedule.timezone, at);
    if (user) return { user_id: user, layer: index };
  }
  return null;
}

/** The anchor of a layer made at this moment, its turn an index into the users. */
export function anchorOfLayer(
  layer: Pick<Layer, 'users' | 'rotation'>,
  timezone: string,
  createdAt: Temporal.Instant,
): Anchor {
  const { at, turn } = anchorOf(layer.rotation, timezone, createdAt);
  return { at, turn: modulo(turn, Math.max(layer.users.length, 1)) };
}

function userAt(layer: Layer, timezone: string, at: Temporal.Instant): string | null {
  const { users, starts_at, ends_at } = layer;
  if (users.length === 0) return null;
  if (starts_at !== undefined && Temporal.Instant.compare(at, starts_at) < 0) return null;
  if (ends_at !== undefined && Temporal.Instant.compare(at, ends_at) >= 0) return null;
  if (layer.restriction && !isOpen(layer.restriction, timezone, at)) return null;
  const turn = turnAt({ ...layer.rotation, anchor: layer.anchor }, timezone, at);
  return users[modulo(turn, users.length)] ?? null;
}

function modulo(turn: number, count: number): number {
  return ((turn % count) + count) % count;
}
