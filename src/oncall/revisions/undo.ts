// What is taken back within a turn leaves the turns as if it had not been done.
import { type Anchor, gridOf } from '../rotation.ts';
import type { Layer, Revision } from '../schedule.ts';
import { zoneOf } from '../zone.ts';
import { contentOf, type DeclaredLayer, declaredOf } from './content.ts';
import { isToCome } from './new-anchor.ts';
import { beginningOf, runningTurn } from './running-turn.ts';

export type Former = Pick<Revision, 'from' | 'timezone' | 'layers'>;

/** A layer as one revision has it. */
export type Version = {
  readonly layer: Layer;
  readonly timezone: string;
  /** When it was edited or removed; now, if it is in force. */
  readonly until: Temporal.Instant;
};

/** The versions of each layer in which it ran, by id, newest first. */
export type Versions = ReadonlyMap<string, readonly Version[]>;

export function versionsOf(past: readonly Former[], now: Temporal.Instant): Versions {
  const versions = new Map<string, Version[]>();
  for (const [index, { timezone, layers }] of past.entries()) {
    const until = past[index + 1]?.from ?? now;
    // A layer to come has no turn.
    for (const layer of layers.filter((one) => !isToCome(one, until)))
      versions.set(layer.id, [{ layer, timezone, until }, ...(versions.get(layer.id) ?? [])]);
  }
  return versions;
}

type EarlierQuery = {
  readonly layer: DeclaredLayer;
  readonly timezone: string;
  readonly now: Temporal.Instant;
};

/** What was kept of a layer when it was last as it is now, if that was within the running turn. */
export function earlierAnchor(
  versions: readonly Version[] = [],
  { layer, timezone, now }: EarlierQuery,
): Anchor | null {
  const [latest] = versions;
  if (!latest || turnOf(latest).end <= now.epochMilliseconds) return null;
  const content = contentOf(layer);
  let began: number | null = null;
  for (const [index, version] of versions.entries()) {
    if (began !== null && version.until.epochMilliseconds < began) return null;
    if (version.timezone === timezone && contentOf(declaredOf(version.layer)) === content)
      return version.layer.anchor;
    began ??= beginningIn(version, versions[index + 1]);
  }
  return null;
}

/** When the turn began that ran at the end of a version; null: the version before it shows that. */
function beginningIn(version: Version, before: Version | undefined): number | null {
  const { layer, timezone, until } = version;
  const { at, running } = layer.anchor;
  if (!running || Temporal.Instant.compare(until, at) >= 0) return turnOf(version).start;
  // The local time of a beginning is another instant in another zone.
  const isInherited =
    before && runningTurn(before.layer, before.timezone, before.until).plan.began === running.began;
  return isInherited ? null : beginningOf(running, zoneOf(timezone));
}

function turnOf({ layer, timezone, until }: Version) {
  const { rotation, anchor, restriction } = layer;
  const grid = gridOf({ ...rotation, anchor }, zoneOf(timezone), restriction);
  return grid.turnAt(until.epochMilliseconds);
}
