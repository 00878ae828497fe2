// What one rule would do with alerts, without the other rules and without any incident.
import type { AlertEvent } from '../alerts/alert.ts';
import { queryLimits } from '../limits/queries.ts';
import { explain } from '../rules/explain-match.ts';
import { type Facts, factsOfAlert } from '../rules/facts.ts';
import { conditionsIn } from '../rules/groups.ts';
import { type CompiledRule, compileRule, type Rule } from '../rules/match-rule.ts';
import { effectTexts, type Names } from './effect-text.ts';

export type RuleTest = {
  readonly rule: Rule;
  readonly alerts: readonly AlertEvent[];
  readonly integration: { readonly id: string; readonly service_id: string };
  /** When the alerts arrive. */
  readonly at: Temporal.Instant;
  readonly counts: AssumedCounts;
  /** Whether the rule belongs to the team of the integration. */
  readonly isOfTeam: boolean;
  /** Of the records that the rule names. */
  readonly names: Names;
};

/** Earlier incidents and suppressed events of the same key. */
type AssumedCounts = {
  readonly repeat_count?: number | undefined;
  readonly suppressed_count?: number | undefined;
};

/** As many alerts as may be explained, and how many are left out. */
export function testRule({ rule, alerts: all, ...context }: RuleTest) {
  const compiled = compileRule(rule);
  const alerts = all.slice(0, alertCountFor(compiled));
  return {
    alerts: alerts.map((alert) => evaluateOn(alert, compiled, context)),
    omitted: all.length - alerts.length,
  };
}

const alertCountFor = (rule: CompiledRule): number =>
  Math.max(1, Math.floor(queryLimits.conditionsExplained / conditionsIn(rule)));

type Context = Omit<RuleTest, 'rule' | 'alerts'>;

function evaluateOn(alert: AlertEvent, compiled: CompiledRule, context: Context) {
  const facts = factsOf(alert, context);
  const explained = explain(compiled, facts);
  const skipped = whySkipped(alert, context.isOfTeam);
  const scope = skipped === null ? explained.scope : { matched: false, text: skipped };
  const matched = scope.matched && explained.matched;
  const effects = matched ? effectTexts(compiled.rule.actions, facts, context.names) : [];
  const { title, dedup_key, action } = alert;
  return { action, dedup_key, title, matched, scope, groups: explained.groups, effects };
}

/** Why no condition is evaluated; null if they are. */
function whySkipped({ action }: AlertEvent, isOfTeam: boolean): string | null {
  if (!isOfTeam) return 'The rule and the integration belong to different teams.';
  if (action === 'trigger') return null;
  return `The alert has the action ${action}. Rules are evaluated only on trigger.`;
}

const TIMES_COUNTED = 1_000;

/** Assumes that all earlier incidents and suppressed events happened just now. */
function factsOf(alert: AlertEvent, { at, integration, counts }: Context): Facts {
  const { repeat_count: repeatCount = 0, suppressed_count: suppressedCount = 0 } = counts;
  const timesOf = (count: number) =>
    Array<number>(Math.min(count, TIMES_COUNTED)).fill(at.epochMilliseconds);
  const { id: integrationId, service_id: serviceId } = integration;
  return {
    ...factsOfAlert(alert, { integrationId, serviceId, now: at }),
    repeatCount,
    repeatedAt: timesOf(repeatCount),
    suppressedCount,
    suppressedAt: timesOf(suppressedCount),
    isSuppressed: suppressedCount > 0,
  };
}
