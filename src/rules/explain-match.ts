import type { Facts } from './facts.ts';
import type { CompiledRule } from './match-rule.ts';

/** Whether something matched, and why, as a sentence. */
export type Evaluation = { readonly matched: boolean; readonly text: string };

export type Explanation = {
  readonly matched: boolean;
  readonly scope: Evaluation;
  /** As declared. */
  readonly groups: readonly {
    readonly matched: boolean;
    readonly conditions: readonly Evaluation[];
  }[];
};

/** What `matches` answers, and why: every condition is evaluated, also after the first that fails. */
export function explain(compiled: CompiledRule, facts: Facts): Explanation {
  const scope = { matched: compiled.covers(facts), text: scopeText(compiled, facts) };
  const groups = compiled.groups.map(({ conditions }) => {
    const evaluations = conditions.map(({ holds, describe }) => ({
      matched: holds(facts),
      text: describe(facts),
    }));
    return { matched: evaluations.every(({ matched }) => matched), conditions: evaluations };
  });
  return { matched: scope.matched && groups.some(({ matched }) => matched), scope, groups };
}

function scopeText({ rule, isTriedOnSuppressed }: CompiledRule, facts: Facts): string {
  const { integration_ids: integrations, service_ids: services } = rule;
  if (integrations?.some((one) => one === facts.integrationId) === false)
    return 'The rule does not cover the integration.';
  if (services?.includes(facts.serviceId) === false) return 'The rule does not cover the service.';
  if (facts.isSuppressed && !isTriedOnSuppressed)
    return 'The event was suppressed, and no condition of the rule is about suppressed events.';
  return integrations === undefined
    ? 'The rule covers every integration of its team.'
    : 'The rule covers the integration.';
}
