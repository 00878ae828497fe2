// The order in which the rules of a team run, and what moving one of them writes.
import { withMoved } from '../ui/moved.ts';

export type Placed = {
  readonly id: string;
  readonly team_id: string;
  readonly counter: number;
  readonly version: number;
  readonly position?: number;
};

/** As the server runs them: by position, then those without one by counter; team by team. */
export const inOrder = <Rule extends Placed>(rules: readonly Rule[]): readonly Rule[] =>
  rules.toSorted(
    (one, other) =>
      one.team_id.localeCompare(other.team_id) ||
      placeOf(one) - placeOf(other) ||
      one.counter - other.counter,
  );

/** Whether there is a rule of the same team to change places with. */
export const canMove = (ordered: readonly Placed[], index: number, steps: number): boolean =>
  ordered[index] !== undefined && ordered[index].team_id === ordered[index + steps]?.team_id;

export type Move = Placed & { readonly position: number };

/** How far a rule goes to the place of that one: not past the rules of its team. */
export function stepsTo(ordered: readonly Placed[], index: number, id: string): number {
  const to = ordered.findIndex((one) => one.id === id);
  if (to < 0) return 0;
  const steps = to - index;
  const sign = Math.sign(steps);
  let reached = 0;
  while (reached !== steps && canMove(ordered, index, reached + sign)) reached += sign;
  return reached;
}

/** The rules of the team that get another position; the others keep theirs. */
export function movesFor(
  ordered: readonly Placed[],
  index: number,
  steps: number,
): readonly Move[] {
  if (steps === 0 || !canMove(ordered, index, steps)) return [];
  const moved = withMoved(ordered, index, steps);
  const [first, last] = [Math.min(index, index + steps), Math.max(index, index + steps)];
  const positions = ordered.slice(first, last + 1).map(({ position }) => position);
  if (positions.every((one, at) => one !== undefined && one > (positions[at - 1] ?? -1)))
    return moved
      .slice(first, last + 1)
      .map((rule, at) => ({ ...rule, position: positions[at] ?? 0 }));
  const next = moved.filter(({ team_id }) => team_id === ordered[index]?.team_id);
  const moves: Move[] = [];
  let before = -1;
  for (const rule of next.slice(0, tailOf(next))) {
    const position =
      rule.position !== undefined && rule.position > before ? rule.position : before + 1;
    if (position !== rule.position) moves.push({ ...rule, position });
    before = position;
  }
  return moves;
}

const placeOf = ({ position }: Placed): number => position ?? Number.MAX_SAFE_INTEGER;

/** From there on they need no position: they have none, and run by counter. */
function tailOf(rules: readonly Placed[]): number {
  let tail = rules.length;
  while (tail > 0 && runsBefore(rules[tail - 1], rules[tail])) tail -= 1;
  return tail;
}

const runsBefore = (rule: Placed | undefined, next: Placed | undefined): boolean =>
  rule !== undefined &&
  rule.position === undefined &&
  (next === undefined || rule.counter < next.counter);
