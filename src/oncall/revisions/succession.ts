// Who has the running turn after an edit.
import { modulo } from '../wall-clock.ts';

export type IsActive = (userId: string) => boolean;
type Users = readonly (string | null)[];

type Succession = {
  readonly before: Users;
  /** The position of the running turn. */
  readonly index: number;
  readonly after: Users;
  readonly isActive: IsActive;
  /** Whether a person keeps the turn who is not active. */
  readonly inactiveStays: boolean;
};

/**
 * The position in the new list of whoever takes the rest of the running turn: its own person; or
 * the next in the old order who is still there and active; or the first active one of the new list.
 */
export function positionAfter({
  before,
  index,
  after,
  isActive,
  inactiveStays,
}: Succession): number {
  const mayHave = (user: string | null) => user !== null && isActive(user);
  const user = before[index] ?? null;
  const isThere = after.includes(user);
  if (isThere && (inactiveStays || user === null || mayHave(user)))
    return sameTurn(before, index, after);
  for (let step = 1; step < before.length; step += 1) {
    const next = modulo(index + step, before.length);
    const other = before[next] ?? null;
    if (mayHave(other) && after.includes(other)) return sameTurn(before, next, after);
  }
  const first = firstActive(after, isActive);
  return first === null ? sameTurn(before, index, after) : first;
}

/** The position of the first person who is active; null if there is none. */
export function firstActive(users: Users, isActive: IsActive): number | null {
  const first = users.findIndex((user) => user !== null && isActive(user));
  return first < 0 ? null : first;
}

/** Where the user of a turn now stands: as often before as it was, else their last; else first. */
export function sameTurn(before: Users, index: number, after: Users): number {
  const user = before[index];
  const positions = [...after.keys()].filter((each) => after[each] === user);
  const earlier = before.slice(0, index).filter((each) => each === user).length;
  return positions[earlier] ?? positions.at(-1) ?? 0;
}
