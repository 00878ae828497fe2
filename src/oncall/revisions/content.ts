// What of a layer decides who is on call. Defaults count whether they are written out or not.
import { DEFAULT_HANDOFF_DAY, MIDNIGHT } from '../handoffs.ts';
import type { Rotation } from '../rotation.ts';
import type { Layer } from '../schedule.ts';

/** A layer as people write it: what is kept beside it comes from its past. */
export type DeclaredLayer = Omit<Layer, 'id' | 'anchor' | 'generated_at'>;

export const declaredOf = ({
  id: _id,
  anchor: _anchor,
  generated_at: _at,
  ...layer
}: Layer): DeclaredLayer => layer;

/** The same text for layers that have the same people on call. */
export const contentOf = ({ name: _name, rotation, ...layer }: DeclaredLayer): string =>
  textOf({ ...layer, rotation: withDefaults(rotation) });

/**
 * Where each content was before, or null; of several equal ones each keeps its index if it can.
 * `free` are the indexes before that are left.
 */
export function pairEqual(before: readonly string[], after: readonly string[]) {
  const free = new Set(before.keys());
  const take = (index: number | undefined): number | null =>
    index !== undefined && free.delete(index) ? index : null;
  const stayed = after.map((content, index) => (content === before[index] ? take(index) : null));
  const pairs = after.map(
    (content, index) => stayed[index] ?? take([...free].find((each) => before[each] === content)),
  );
  return { pairs, free };
}

/** What becomes of one layer, in which time zones. */
export type LayerChange = {
  readonly was: Layer;
  readonly from: string;
  readonly layer: DeclaredLayer;
  readonly to: string;
};

/** Whether turns change at the same times; where they are counted from is another matter. */
export const isSameRotation = (one: Rotation, other: Rotation): boolean =>
  textOf(turning(one)) === textOf(turning(other));

const turning = ({ since: _since, ...rotation }: Rotation) => withDefaults(rotation);

type Restricted = Pick<DeclaredLayer, 'restriction'>;

export const isSameRestriction = (one: Restricted, other: Restricted): boolean =>
  textOf({ of: one.restriction }) === textOf({ of: other.restriction });

const withDefaults = ({
  unit,
  handoff = MIDNIGHT,
  handoff_day = DEFAULT_HANDOFF_DAY,
  counts = 'all',
  ...rotation
}: Rotation): Rotation =>
  unit === 'weeks'
    ? { ...rotation, unit, handoff, handoff_day, counts }
    : { ...rotation, unit, handoff, counts };

/** The same text for equal values: the order of fields says nothing. */
const textOf = (value: object): string =>
  JSON.stringify(value, (_name, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
