// An edit that is taken back within a turn leaves the turns as if it had not been made.
import { type Anchor, gridOf } from '../rotation.ts';
import type { Layer, Revision } from '../schedule.ts';
import { zoneOf } from '../zone.ts';
import { contentOf, type DeclaredLayer, declaredOf } from './content.ts';

export type Former = Pick<Revision, 'from' | 'timezone' | 'layers'>;

type Sought = {
  readonly id: string;
  readonly layer: DeclaredLayer;
  readonly timezone: string;
  readonly now: Temporal.Instant;
};

/** What was kept of a layer when it was last as it is now, if that was within the running turn. */
export function earlierAnchor(
  past: readonly Former[],
  { id, layer, timezone, now }: Sought,
): Anchor | null {
  const content = contentOf(layer);
  let until = now;
  for (const revision of past.toReversed()) {
    const was = revision.layers.find((each) => each.id === id);
    if (!was) return null;
    if (revision.timezone === timezone && contentOf(declaredOf(was)) === content) return was.anchor;
    if (beganAfter(revision, was, until)) return null;
    until = revision.from;
  }
  return null;
}

/** Whether the turn that runs at an instant began when the revision was in force already. */
function beganAfter({ from, timezone }: Former, layer: Layer, at: Temporal.Instant): boolean {
  const { rotation, anchor, starts_at } = layer;
  if (starts_at !== undefined && Temporal.Instant.compare(starts_at, at) > 0) return false;
  const { turnAt } = gridOf({ ...rotation, anchor }, zoneOf(timezone));
  return turnAt(at.epochMilliseconds).start > from.epochMilliseconds;
}
