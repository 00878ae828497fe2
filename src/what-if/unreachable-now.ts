// The steps of saved policies that reach nobody at this moment.
import type { Policy } from '../incidents/configuration.ts';
import { reach } from '../incidents/target-recipients.ts';
import type { Target } from '../resources/escalation-policy.ts';
import { type ChangeContext, reasonOf } from './change-sides.ts';

type Now = Pick<ChangeContext, 'configuration' | 'inoperative' | 'now'>;

export type StepReachingNobody = {
  /** From 0. */
  readonly step: number;
  /** Why, for each of its targets. */
  readonly reasons: readonly string[];
};

/** Why a target cannot be paged now, or undefined; computed once for equal targets. */
export function missedNow(now: Now): (target: Target) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (target) => {
    const key = JSON.stringify(target);
    if (!known.has(key)) known.set(key, missedBy(target, now));
    return known.get(key);
  };
}

function missedBy(target: Target, { configuration, inoperative, now }: Now): string | undefined {
  const [sentence] = inoperative(target);
  if (sentence !== undefined) return sentence.replace(/\.$/, '');
  const reached = reach(target, configuration, now);
  return reached.reached ? undefined : reasonOf(reached);
}

export const stepsReachingNobody = (
  { steps }: Pick<Policy, 'steps'>,
  missed: ReturnType<typeof missedNow>,
): readonly StepReachingNobody[] =>
  steps.flatMap(({ targets }, step) => {
    const reasons = targets.map(missed).filter((reason) => reason !== undefined);
    return reasons.length < targets.length ? [] : [{ step, reasons: [...new Set(reasons)] }];
  });
