// What a team's rules make of an alert, and why, before it is decided.
import type { AlertEvent } from '../alerts/alert.ts';
import { BatchState, keyOf } from '../engine/intake/batch-state.ts';
import type { StoredEvent } from '../engine/ledger.ts';
import { whyDropped } from '../incidents/arrival/receiver.ts';
import { configurationIn, receivingIntegrationIn } from '../incidents/configuration.ts';
import { type Evaluation, evaluate } from '../incidents/receive-alert.ts';
import { type Explained, explain } from '../rules/explain.ts';
import { conditionsIn } from '../rules/groups.ts';
import type { CompiledRule, Rule } from '../rules/rule.ts';
import { knownIn } from './memory/known.ts';
import type { Rehearsal } from './rehearsal.ts';

/** A rule as it was tried; `applied`: it did something, or kept everything from happening. */
export type TriedRule = Explained & { readonly rule: Rule; readonly applied: boolean };

export type Arriving = {
  readonly event: StoredEvent;
  readonly alert: AlertEvent;
};
type Tried = { readonly rules: readonly TriedRule[]; readonly untold: number };

/** How it would be judged now; null: no rule is asked. */
export function judgedNow({ ledger, clock }: Rehearsal, arriving: Arriving): Evaluation | null {
  const { event, alert } = arriving;
  const configuration = configurationIn(ledger.given.configurations, event.organization_id);
  const receiver = receivingIntegrationIn(configuration, event.integration_id);
  if (alert.action !== 'trigger' || whyDropped(receiver) !== null) return null;
  const known = new BatchState(knownIn(ledger.incidents, [keyOf(event, alert)])).keyState(
    event,
    alert,
  );
  const now = clock.now();
  const context = { configuration, now, eventId: event.id, newId: () => '' };
  return evaluate(receiver, alert, { known, context });
}

/**
 * In the order in which they run, with so many conditions at most; when not all can be told, rather
 * those that matched.
 */
export function rulesTried(judged: Evaluation | null, conditionsMax: number): Tried {
  if (judged === null) return { rules: [], untold: 0 };
  const { ruleSet, facts, ruled } = judged;
  const doing = 'ignoredBy' in ruled ? [ruled.ignoredBy] : ruled.matched;
  const compiled = ruleSet.rules;
  if (conditionsMax === 0) return { rules: [], untold: compiled.length };
  const [matching, others] = [true, false].map((matches) =>
    compiled.filter((one) => one.matches(facts) === matches),
  );
  const told = firstOf([...(matching ?? []), ...(others ?? [])], conditionsMax);
  const rules = compiled
    .filter((one) => told.has(one))
    .map((one) => ({
      ...explain(one, facts),
      ...{ rule: one.rule, applied: doing.includes(one.rule) },
    }));
  return { rules, untold: compiled.length - told.size };
}

/** As many as have no more conditions than that. */
function firstOf(rules: readonly CompiledRule[], conditionsMax: number): ReadonlySet<CompiledRule> {
  const told = new Set<CompiledRule>();
  let left = conditionsMax;
  for (const rule of rules) {
    left -= conditionsIn(rule);
    if (left < 0) break;
    told.add(rule);
  }
  return told;
}
