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
export const canMove = (ordered: readonly Placed[], index: number, step: 1 | -1): boolean =>
  ordered[index] !== undefined && ordered[index].team_id === ordered[index + step]?.team_id;

export type Move = Placed & { readonly position: number };

/** The rules of the team that get another position; the others keep theirs. */
export function movesFor(ordered: readonly Placed[], index: number, step: 1 | -1): readonly Move[] {
  const [one, other] = [ordered[index], ordered[index + step]];
  if (one === undefined || other === undefined || one.team_id !== other.team_id) return [];
  if (one.position !== undefined && other.position !== undefined && one.position !== other.position)
    return [
      { ...one, position: other.position },
      { ...other, position: one.position },
    ];
  const next = withMoved(ordered, index, step).filter(({ team_id }) => team_id === one.team_id);
  const moves: Move[] = [];
  let last = -1;
  for (const rule of next.slice(0, tailOf(next))) {
    const position = rule.position !== undefined && rule.position > last ? rule.position : last + 1;
    if (position !== rule.position) moves.push({ ...rule, position });
    last = position;
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
