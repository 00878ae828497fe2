import type { ConditionGroups } from '../resources/condition.ts';
import { type Compiled, compileCondition } from './condition.ts';
import type { Facts } from './facts.ts';

type Group = {
  /** In the order in which they were declared. */
  readonly conditions: readonly Compiled[];
  /** The cheapest first: none has effects, so any order means the same. */
  readonly ordered: readonly Compiled[];
};

/** Groups of conditions, ready to be evaluated. */
export type CompiledGroups = readonly Group[];

export const compileGroups = (groups: ConditionGroups): CompiledGroups =>
  groups.map(({ conditions }) => {
    const compiled = conditions.map(compileCondition);
    return { conditions: compiled, ordered: compiled.toSorted((a, b) => a.cost - b.cost) };
  });

/** Whether all conditions of any group hold. */
export function holdsAny(groups: CompiledGroups, facts: Facts): boolean {
  // Loops, for there may be a thousand rules to an event.
  for (const group of groups) if (holdsAll(group, facts)) return true;
  return false;
}

function holdsAll({ ordered }: Group, facts: Facts): boolean {
  for (const condition of ordered) if (!condition.holds(facts)) return false;
  return true;
}

/** Those of what has none of its own. */
export const always: ConditionGroups = [{ conditions: [{ type: 'allIncidents' }] }];

/** Whether every incident meets them. */
export const areAlwaysMet = (groups: ConditionGroups): boolean =>
  groups.some(({ conditions }) => conditions.every(({ type }) => type === 'allIncidents'));

type Conditioned = { readonly groups: readonly { readonly conditions: readonly unknown[] }[] };

/** How many conditions a rule has. */
export const conditionsIn = ({ groups }: Conditioned): number =>
  groups.reduce((sum, { conditions }) => sum + conditions.length, 0);
