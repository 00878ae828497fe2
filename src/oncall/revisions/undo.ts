// An edit that is taken back within a turn leaves the turns as if it had not been made.
import { type Anchor, gridOf } from '../rotation.ts';
import type { Layer, Revision } from '../schedule.ts';
import { zoneOf } from '../zone.ts';
import { contentOf, type DeclaredLayer, declaredOf } from './content.ts';

export type Former = Pick<Revision, 'from' | 'timezone' | 'layers'>;

type EarlierQuery = {
  readonly id: string;
  readonly layer: DeclaredLayer;
  readonly timezone: string;
  readonly now: Temporal.Instant;
};

/** What was kept of a layer when it was last as it is now, if that was within the running turn. */
export function earlierAnchor(
  past: readonly Former[],
  { id, layer, timezone, now }: EarlierQuery,
): Anchor | null {
  const content = contentOf(layer);
  let until = now.epochMilliseconds;
  let began: number | null = null;
  for (const revision of past.toReversed()) {
    const was = revision.layers.find((each) => each.id === id);
    if (!was || (began !== null && until < began)) return null;
    if (revision.timezone === timezone && contentOf(declaredOf(was)) === content) return was.anchor;
    began ??= beginningOf(was, revision.timezone, until);
    until = revision.from.epochMilliseconds;
  }
  return null;
}

/** When the turn that runs at an instant began; null: an earlier revision tells. */
function beginningOf(layer: Layer, timezone: string, at: number): number | null {
  const { rotation, anchor, restriction, starts_at } = layer;
  if (starts_at !== undefined && Temporal.Instant.from(starts_at).epochMilliseconds > at)
    return null;
  const { start } = gridOf({ ...rotation, anchor }, zoneOf(timezone), restriction).turnAt(at);
  return Number.isFinite(start) ? start : null;
}
