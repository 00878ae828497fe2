// The steps of saved policies that reach nobody at this moment.
import type { Policy } from '../incidents/configuration.ts';
import type { Target } from '../resources/escalation-policy.ts';
import { missedNow, type ReachContext } from './change-sides.ts';

export type StepReachingNobody = {
  /** From 0. */
  readonly step: number;
  /** Why, for each of its targets. */
  readonly reasons: readonly string[];
};

/** Why a target cannot be paged now, or undefined; computed once for equal targets. */
export function missedOnce(context: ReachContext): (target: Target) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (target) => {
    const key = JSON.stringify(target);
    if (!known.has(key)) known.set(key, missedNow(target, context));
    return known.get(key);
  };
}

export const stepsReachingNobody = (
  { steps }: Pick<Policy, 'steps'>,
  missed: ReturnType<typeof missedOnce>,
): readonly StepReachingNobody[] =>
  steps.flatMap(({ targets }, step) => {
    const reasons = targets.map(missed).filter((reason) => reason !== undefined);
    return reasons.length < targets.length ? [] : [{ step, reasons: [...new Set(reasons)] }];
  });
