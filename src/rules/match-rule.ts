import type { RuleAction } from '../resources/action.ts';
import type { ConditionGroups } from '../resources/condition.ts';
import type { Facts } from './facts.ts';
import { type CompiledGroups, compileGroups, holdsAny } from './groups.ts';

/** A routing rule, as far as evaluating and applying it needs. */
export type Rule = {
  readonly id: string;
  readonly name: string;
  readonly condition_groups: ConditionGroups;
  readonly actions: readonly RuleAction[];
  readonly integration_ids?: readonly string[];
  readonly service_ids?: readonly string[];
};

export type CompiledRule = {
  readonly rule: Rule;
  readonly groups: CompiledGroups;
  /** It has a condition on suppressed events and so is tried on each; others only on new incidents. */
  readonly isTriedOnSuppressed: boolean;
  /** It has a condition on the severity or the priority, which a repeat can raise. */
  readonly hasSeverityCondition: boolean;
  /** Whether it covers the integration and the service, and is tried on such an event. */
  readonly covers: (facts: Facts) => boolean;
  readonly matches: (facts: Facts) => boolean;
};

type Source = Pick<Facts, 'integrationId' | 'serviceId'>;

/** Tells of which integrations and services the rule covers the events. */
export function scopeOf({ integration_ids, service_ids }: Rule): (source: Source) => boolean {
  const integrations = integration_ids && new Set<string | null>(integration_ids);
  const services = service_ids && new Set(service_ids);
  return ({ integrationId, serviceId }) =>
    (integrations?.has(integrationId) ?? true) && (services?.has(serviceId) ?? true);
}

export function compileRule(rule: Rule): CompiledRule {
  const groups = compileGroups(rule.condition_groups);
  const isTriedOnSuppressed = groups.some(({ conditions }) =>
    conditions.some(({ counts }) => counts === 'suppressed'),
  );
  const hasSeverityCondition = rule.condition_groups.some(({ conditions }) =>
    conditions.some(({ type }) => type === 'incidentSeverity' || type === 'incidentPriority'),
  );
  const isInScope = scopeOf(rule);
  const covers = (facts: Facts) => isInScope(facts) && (isTriedOnSuppressed || !facts.isSuppressed);
  const matches = (facts: Facts) => covers(facts) && holdsAny(groups, facts);
  return { rule, groups, isTriedOnSuppressed, hasSeverityCondition, covers, matches };
}

const compiledRules = new WeakMap<Rule, CompiledRule>();

/** Compiled once for as long as anybody holds the rule, whatever changes beside it. */
export function compiledOf(rule: Rule): CompiledRule {
  const compiled = compiledRules.get(rule) ?? compileRule(rule);
  compiledRules.set(rule, compiled);
  return compiled;
}

/** How many of the last repeats and suppressed events these rules read. */
export function timesNeeded(rules: Iterable<CompiledRule>): {
  readonly repeats: number;
  readonly suppressed: number;
} {
  const times = { repeats: 0, suppressed: 0 };
  for (const { rule } of rules)
    for (const { conditions } of rule.condition_groups)
      for (const condition of conditions)
        if (condition.type === 'incidentRepeatedWithin')
          times.repeats = Math.max(times.repeats, condition.count);
        else if (condition.type === 'incidentSuppressedWithin')
          times.suppressed = Math.max(times.suppressed, condition.count);
  return times;
}
