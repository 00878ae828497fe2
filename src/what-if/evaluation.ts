// Evaluates a team's rules on an alert, and explains the result, before the alert is decided.

import type { AlertEvent } from '../alerts/alert.ts';
import { keysOf, settled } from '../alerts/in-doubt.ts';
import { BatchState, keyOf } from '../engine/intake/batch-state.ts';
import type { StoredEvent } from '../engine/ports/events.ts';
import { configurationIn, dropReason, routedIntegrationIn } from '../incidents/configuration.ts';
import { type Evaluation, evaluate } from '../incidents/decide-alert.ts';
import { type Explanation, explain } from '../rules/explain-match.ts';
import { conditionsIn } from '../rules/groups.ts';
import type { CompiledRule, Rule } from '../rules/match-rule.ts';
import { knownIn } from './memory/known.ts';
import type { Rehearsal } from './rehearsal.ts';

/** A rule with its evaluation; `applied`: it changed what happens, or ignored the alert. */
export type TriedRule = Explanation & { readonly rule: Rule; readonly applied: boolean };

export type ArrivingAlert = {
  readonly event: StoredEvent;
  readonly alert: AlertEvent;
};
type TriedRules = { readonly rules: readonly TriedRule[]; readonly omitted: number };

/** Null: no rule is evaluated. */
export function evaluateNow(
  { ledger, clock }: Rehearsal,
  arrival: ArrivingAlert,
): Evaluation | null {
  const { event } = arrival;
  const configuration = configurationIn(ledger.options.configurations, event.organization_id);
  const integration = routedIntegrationIn(configuration, event.integration_id);
  const keys = keysOf(arrival.alert).map((dedup_key) =>
    keyOf(event, { ...arrival.alert, dedup_key }),
  );
  const keyStates = knownIn(ledger.incidents, keys, ledger.ends);
  const state = new BatchState({ keyStates, rawKeyStates: new Map(), groups: new Map() });
  const alert = settled(arrival.alert, (dedup_key) =>
    state.keyState(event, { dedup_key }).open.map(({ title }) => title),
  );
  if (alert.action !== 'trigger' || dropReason(integration) !== null) return null;
  const known = state.keyState(event, alert);
  const now = clock.now();
  const { id: eventId, integration_id: integrationId } = event;
  const context = { configuration, now, eventId, integrationId, newId: () => '' };
  return evaluate(integration, alert, { keyState: known, context });
}

/**
 * In the order in which they run, with so many conditions at most; when not all can be told, rather
 * those that matched.
 */
export function triedRules(evaluation: Evaluation | null, conditionsMax: number): TriedRules {
  if (evaluation === null) return { rules: [], omitted: 0 };
  const { ruleSet, facts, ruled, raised } = evaluation;
  const doing = 'ignoredBy' in ruled ? [ruled.ignoredBy] : [...ruled.matched, ...raised];
  const factsFor = ({ rule }: CompiledRule) =>
    raised.includes(rule) ? { ...facts, isSuppressed: false } : facts;
  const compiled = ruleSet.rules;
  if (conditionsMax === 0) return { rules: [], omitted: compiled.length };
  const [matching, others] = [true, false].map((matches) =>
    compiled.filter((one) => one.matches(factsFor(one)) === matches),
  );
  const included = firstOf([...(matching ?? []), ...(others ?? [])], conditionsMax);
  const rules = compiled
    .filter((one) => included.has(one))
    .map((one) => ({
      ...explain(one, factsFor(one)),
      rule: one.rule,
      applied: doing.includes(one.rule),
    }));
  return { rules, omitted: compiled.length - included.size };
}

/** As many as have no more conditions than that. */
function firstOf(rules: readonly CompiledRule[], conditionsMax: number): ReadonlySet<CompiledRule> {
  const included = new Set<CompiledRule>();
  let left = conditionsMax;
  for (const rule of rules) {
    left -= conditionsIn(rule);
    if (left < 0) break;
    included.add(rule);
  }
  return included;
}
