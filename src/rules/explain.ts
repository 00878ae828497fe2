import type { Facts } from './facts.ts';
import type { CompiledRule } from './rule.ts';

/** Whether something held, and what was so, as a sentence. */
export type Judged = { readonly matched: boolean; readonly text: string };

export type Explained = {
  readonly matched: boolean;
  readonly scope: Judged;
  /** As declared. */
  readonly groups: readonly { readonly matched: boolean; readonly conditions: readonly Judged[] }[];
};

/** What `matches` answers, and why: every condition is asked, also after the first that fails. */
export function explain(compiled: CompiledRule, facts: Facts): Explained {
  const scope = { matched: compiled.covers(facts), text: scopeSays(compiled, facts) };
  const groups = compiled.groups.map(({ conditions }) => {
    const judged = conditions.map(({ holds, describe: text }) => ({
      matched: holds(facts),
      text: text(facts),
    }));
    return { matched: judged.every(({ matched }) => matched), conditions: judged };
  });
  return { matched: scope.matched && groups.some(({ matched }) => matched), scope, groups };
}

function scopeSays({ rule, isTriedOnSuppressed }: CompiledRule, facts: Facts): string {
  const { integration_ids: integrations, service_ids: services } = rule;
  if (integrations?.includes(facts.integrationId) === false)
    return 'The integration is none of those that the rule covers.';
  if (services?.includes(facts.serviceId) === false)
    return 'The service is none of those that the rule covers.';
  if (facts.isSuppressed && !isTriedOnSuppressed)
    return 'The event was suppressed, and no condition of the rule is about suppressed events.';
  return integrations === undefined
    ? 'The rule covers every integration of its team.'
    : 'The rule covers the integration.';
}
