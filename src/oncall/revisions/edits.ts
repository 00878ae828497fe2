import { isAfter } from '../order.ts';
import { type Anchor, boundaryIn, gridOf } from '../rotation.ts';
import type { Layer, Revision } from '../schedule.ts';
import { modulo } from '../wall-clock.ts';
import { instantOf, zoneOf } from '../zone.ts';
import {
  contentOf,
  type DeclaredLayer,
  declaredOf,
  isSameRestriction,
  isSameRotation,
  type LayerChange,
  pairEqual,
} from './content.ts';
import { formerAnchor } from './former-edits.ts';
import { isToCome, newAnchor } from './new-anchor.ts';
import { endIn, newEnd, runningTurn } from './running-turn.ts';
import { type IsActive, positionAfter } from './succession.ts';
import { earlierAnchor, type Former, type Version, type Versions, versionsOf } from './undo.ts';

export type { DeclaredLayer };
export type Declared = { readonly timezone: string; readonly layers: readonly DeclaredLayer[] };

/** Where a layer comes from, and whether its shifts from now on are new ones. */
export type Pair = {
  /** The index of the layer that it was; null for one that was not there. */
  readonly before: number | null;
  readonly regenerated: boolean;
};

/** Equal layers stay what they are wherever they move; the others pair by position. */
export function pairLayers(before: Declared, after: Declared): readonly Pair[] {
  const { pairs, free } = pairEqual(before.layers.map(contentOf), after.layers.map(contentOf));
  const zoneChanged = before.timezone !== after.timezone;
  return pairs.map((equal, index) => ({
    before: equal ?? (free.delete(index) ? index : null),
    regenerated: equal === null || zoneChanged,
  }));
}

export type Edit = {
  /** What is in force until now; null for a schedule that is made now. */
  readonly before: Pick<Revision, 'timezone' | 'layers'> | null;
  /** All that was in force, oldest first, `before` too; as far back as it is known. */
  readonly past: readonly Former[];
  readonly after: Declared;
  readonly now: Temporal.Instant;
  readonly isActive: IsActive;
  /** A server of that release may be connected. */
  readonly rules?: 'of 0.1.0' | undefined;
  readonly nextId: () => string;
};

/** The layers as they are from now on, so that nobody's turn moves but where it must. */
export function editLayers(edit: Edit): readonly Layer[] {
  const { before, past, after, now, nextId } = edit;
  const { timezone } = after;
  const old = before && { timezone: before.timezone, layers: before.layers.map(declaredOf) };
  const pairs = old ? pairLayers(old, after) : [];
  const versions = edit.rules ? noVersions : versionsOf(past, now);
  const removed = new Set(versions.keys());
  for (const { id } of before?.layers ?? []) removed.delete(id);
  return after.layers.map((layer, index) => {
    const pair = pairs[index];
    const was = before && pair && pair.before !== null && before.layers[pair.before];
    if (!was) {
      const earlier = removedLayer(layer, { edit, versions, removed });
      const { id, anchor } = earlier ?? { id: nextId(), anchor: newAnchor(layer, edit) };
      return { ...layer, id, anchor, generated_at: now };
    }
    const { id, anchor, generated_at } = was;
    if (!pair.regenerated) return { ...layer, id, anchor, generated_at };
    const change = { was, from: before.timezone, layer, to: timezone };
    const edited = edit.rules
      ? formerAnchor(change, now)
      : editedAnchor(change, edit, versions.get(id));
    return { ...layer, id, anchor: edited, generated_at: now };
  });
}

const noVersions: Versions = new Map();

type RemovedQuery = {
  readonly edit: Edit;
  readonly versions: Versions;
  /** The ids of layers that are not there now; one that is put back is taken out. */
  readonly removed: Set<string>;
};

/** The same layer, if it was removed within the running turn. */
function removedLayer(
  layer: DeclaredLayer,
  { edit: { after, now }, versions, removed }: RemovedQuery,
): Pick<Layer, 'id' | 'anchor'> | null {
  if (isToCome(layer, now)) return null;
  const { timezone } = after;
  for (const id of removed) {
    const anchor = earlierAnchor(versions.get(id), { layer, timezone, now });
    if (!anchor) continue;
    removed.delete(id);
    return { id, anchor };
  }
  return null;
}

function editedAnchor(
  change: LayerChange,
  edit: Edit,
  versions: readonly Version[] | undefined,
): Anchor {
  const { was, layer, to } = change;
  const { now } = edit;
  if (isToCome(layer, now)) return newAnchor(layer, edit);
  const earlier = earlierAnchor(versions, { layer, timezone: to, now });
  if (earlier) return earlier;
  const { since } = layer.rotation;
  const isNew = isToCome(was, now) || (since !== undefined && since !== was.rotation.since);
  return isNew ? newAnchor(layer, { ...edit, was }) : runningAnchor(change, edit);
}

/** Of an edited layer: whoever has the running turn keeps it if they are still there. */
function runningAnchor({ was, from, layer, to }: LayerChange, { now, isActive }: Edit): Anchor {
  const running = runningTurn(was, from, now);
  const isSame = isSameRotation(was.rotation, layer.rotation);
  const position = positionAfter({
    before: was.users,
    index: modulo(running.index, was.users.length),
    after: layer.users,
    isActive,
    inactiveStays: isSame,
  });
  const numbered = (turn: number) => modulo(turn, layer.users.length);
  const isRecounted = layer.rotation.counts === 'open' && !isSameRestriction(was, layer);
  const grid = isSame && !isRecounted ? gridAfter({ was, from, to }, now) : null;
  const zone = zoneOf(to);
  const end = isSame ? endIn(running, zone) : null;
  // The boundaries stay where they are on the calendar and on the clock, of whichever zone.
  if (grid && (from === to || end?.equals(grid.end))) {
    const anchor = { at: grid.at, turn: numbered(position - grid.running) };
    return isAfter(grid.at, now) ? { ...anchor, running: running.plan } : anchor;
  }
  const { plan } = running;
  const isAhead = end !== null && isAfter(end, now);
  const at = isAhead ? end : newEnd({ plan, layer, zone, now: now.epochMilliseconds });
  return { at, turn: numbered(position + 1), running: plan };
}

type Moved = Omit<LayerChange, 'layer'>;

/** The same turns in the zone that the layer now has: the anchor, and where the running turn is. */
function gridAfter({ was, from, to }: Moved, now: Temporal.Instant) {
  const { rotation, anchor, restriction } = was;
  const at = from === to ? anchor.at : boundaryIn({ ...rotation, anchor }, from, to);
  const moved = { ...anchor, at, turn: 0 };
  const { turnAt } = gridOf({ ...rotation, anchor: moved }, zoneOf(to), restriction);
  const { index, end } = turnAt(now.epochMilliseconds);
  return { at, running: index, end: instantOf(end) };
}
