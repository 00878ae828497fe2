import { type Anchor, anchorOf, boundaryIn, type Rotation, turnsOf } from '../rotation.ts';
import type { Layer, Revision } from '../schedule.ts';
import { modulo } from '../wall-clock.ts';
import { zoneOf } from '../zone.ts';

/** A layer as people write it: what is kept beside it comes from its past. */
export type DeclaredLayer = Omit<Layer, 'id' | 'anchor' | 'generated_at'>;
export type Declared = { readonly timezone: string; readonly layers: readonly DeclaredLayer[] };

/** Where a layer comes from, and whether its shifts from now on are new ones. */
export type Pair = {
  /** The index of the layer that it was; null for one that was not there. */
  readonly before: number | null;
  readonly regenerated: boolean;
};

/** Equal layers stay what they are wherever they move; the others pair by position. */
export function pairLayers(before: Declared, after: Declared): readonly Pair[] {
  const free = new Set(before.layers.keys());
  const take = (index: number | undefined): number | null =>
    index !== undefined && free.delete(index) ? index : null;
  const [old, edited] = [before.layers.map(contentOf), after.layers.map(contentOf)];
  const isSame = (one: number, other: number) => old[one] === edited[other];
  // Of several equal layers each keeps its index if it can.
  const stayed = after.layers.map((_layer, index) => (isSame(index, index) ? take(index) : null));
  const moved = stayed.map(
    (was, index) => was ?? take([...free].find((each) => isSame(each, index))),
  );
  const zoneChanged = before.timezone !== after.timezone;
  return moved.map((equal, index) => ({
    before: equal ?? take(index),
    regenerated: equal === null || zoneChanged,
  }));
}

export type Edit = {
  /** What is in force until now; null for a schedule that is made now. */
  readonly before: Pick<Revision, 'timezone' | 'layers'> | null;
  readonly after: Declared;
  readonly now: Temporal.Instant;
  readonly nextId: () => string;
};

/** The layers as they are from now on, so that nobody's turn moves but where it must. */
export function editLayers({ before, after, now, nextId }: Edit): readonly Layer[] {
  const { timezone } = after;
  const old = before && { timezone: before.timezone, layers: before.layers.map(declaredOf) };
  const pairs = old ? pairLayers(old, after) : [];
  return after.layers.map((layer, index) => {
    const pair = pairs[index];
    const was = before && pair && pair.before !== null && before.layers[pair.before];
    if (!was)
      return { ...layer, id: nextId(), anchor: newAnchor(layer, timezone, now), generated_at: now };
    if (!pair.regenerated) return was;
    const anchor = editedAnchor({ was, from: before.timezone, layer, to: timezone, now });
    return { ...layer, id: was.id, anchor, generated_at: now };
  });
}

const declaredOf = ({ id: _id, anchor: _anchor, generated_at: _at, ...layer }: Layer) => layer;

/** A layer that begins now, with this user's turn. */
function newAnchor(layer: DeclaredLayer, timezone: string, now: Temporal.Instant, first = 0) {
  const { at, turn } = anchorOf(layer.rotation, timezone, now);
  return { at, turn: modulo(first + turn, layer.users.length) };
}

type AnchorEdit = {
  readonly was: Layer;
  readonly from: string;
  readonly layer: DeclaredLayer;
  readonly to: string;
  readonly now: Temporal.Instant;
};

/** Of an edited layer: whoever has the running turn keeps it if they are still there. */
function editedAnchor({ was, from, layer, to, now }: AnchorEdit) {
  const rotation = { ...was.rotation, anchor: was.anchor };
  const running = turnAt(rotation, from, now);
  const holder = sameTurn(was.users, modulo(running, was.users.length), layer.users);
  if (!isSameRotation(was.rotation, layer.rotation)) return newAnchor(layer, to, now, holder);
  // The boundaries stay where they are on the calendar and on the clock, of whichever zone.
  const at = from === to ? was.anchor.at : boundaryIn(rotation, from, to);
  const turnsSince = turnAt({ ...was.rotation, anchor: { at, turn: 0 } }, to, now);
  return { at, turn: modulo(holder - turnsSince, layer.users.length) };
}

type Anchored = Rotation & { readonly anchor: Anchor };

const turnAt = (rotation: Anchored, timezone: string, now: Temporal.Instant) =>
  turnsOf(rotation, zoneOf(timezone))(now.epochMilliseconds).index;

type Users = DeclaredLayer['users'];

/** Where the user of a turn now stands: as often before as it was, else their last; else first. */
function sameTurn(before: Users, index: number, after: Users): number {
  const user = before[index];
  const positions = [...after.keys()].filter((each) => after[each] === user);
  const earlier = before.slice(0, index).filter((each) => each === user).length;
  return positions[earlier] ?? positions.at(-1) ?? 0;
}

const isSameRotation = (one: Rotation, other: Rotation) =>
  contentOf(withDefaults(one)) === contentOf(withDefaults(other));

const withDefaults = ({ length, unit, handoff = '00:00', handoff_day = 'monday' }: Rotation) =>
  unit === 'weeks' ? { length, unit, handoff, handoff_day } : { length, unit, handoff };

/** The same text for equal values: the order of fields says nothing. */
const contentOf = (value: object): string =>
  JSON.stringify(value, (_name, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
