// Tests a rule on an event, in a worker thread.
import type { MessagePort } from 'node:worker_threads';
import type { AlertEvent } from '../../alerts/alert.ts';
import { queryLimits } from '../../limits/queries.ts';
import { explain } from '../../rules/explain.ts';
import type { Facts } from '../../rules/facts.ts';
import { conditionsIn } from '../../rules/groups.ts';
import { type CompiledRule, compileRule } from '../../rules/rule.ts';
import { timeText } from '../../storage/records/rows.ts';
import { rpcClient } from '../../workers/rpc.ts';
import type { Caller } from '../route.ts';
import { effectTexts, type Names, namesIn } from './effect-text.ts';
import { lookupBy, type NameMethods } from './record-names.ts';
import type { RuleTestRequest } from './rule-test-request.ts';
import { type TestedRule, unsavedRule } from './tested-rule.ts';
import { alertsIn, type TrialEvent } from './trial-event.ts';

export type RuleTestInput = {
  readonly trial: TrialEvent;
  /** A saved rule, or the body of one as JSON, which is fastest to clone. */
  readonly tried: TestedRule | { readonly body: string };
  readonly reader: Pick<Caller, 'teamIds'>;
  readonly counts: Pick<RuleTestRequest, 'repeat_count' | 'suppressed_count'>;
  /** Serves `NameMethods`. */
  readonly port: MessagePort;
};

export async function runRuleTest({ trial, tried, reader, counts, port }: RuleTestInput) {
  const lookup = lookupBy(rpcClient<NameMethods>(port));
  const all = await alertsIn(trial);
  const { rule, teamId, warnings } =
    'rule' in tried
      ? tried
      : await unsavedRule({ body: JSON.parse(tried.body), reader, trial }, lookup);
  const names = await namesIn(rule.actions, reader, lookup);
  const compiled = compileRule(rule);
  const isOfTeam = teamId === trial.integration.team_id;
  const context = { trial, counts, compiled, isOfTeam, names };
  const alerts = all.slice(0, alertCountFor(compiled));
  const omitted = all.length - alerts.length;
  return {
    at: timeText(trial.at),
    alerts: alerts.map((alert) => evaluate(alert, context)),
    warnings: [...warnings, ...(omitted > 0 ? [`${omitted} more alerts are not shown.`] : [])],
  };
}

const alertCountFor = (rule: CompiledRule): number =>
  Math.max(1, Math.floor(queryLimits.conditionsExplained / conditionsIn(rule)));

type EvaluationContext = Pick<RuleTestInput, 'trial' | 'counts'> & {
  readonly names: Names;
  readonly compiled: CompiledRule;
  readonly isOfTeam: boolean;
};

function evaluate(alert: AlertEvent, context: EvaluationContext) {
  const { compiled, isOfTeam, names } = context;
  const facts = factsOf(alert, context);
  const explained = explain(compiled, facts);
  const skipped = whySkipped(alert, isOfTeam);
  const scope = skipped === null ? explained.scope : { matched: false, text: skipped };
  const matched = scope.matched && explained.matched;
  const effects = matched ? effectTexts(compiled.rule.actions, facts, names) : [];
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
function factsOf(alert: AlertEvent, { trial, counts }: EvaluationContext): Facts {
  const { at, integration } = trial;
  const { repeat_count: repeatCount = 0, suppressed_count: suppressedCount = 0 } = counts;
  const timesOf = (count: number) =>
    Array<number>(Math.min(count, TIMES_COUNTED)).fill(at.epochMilliseconds);
  return {
    title: alert.title,
    details: alert.details ?? null,
    priority: alert.priority ?? null,
    severity: alert.severity ?? null,
    integrationId: integration.id,
    serviceId: integration.service_id,
    repeatCount,
    repeatedAt: timesOf(repeatCount),
    suppressedCount,
    suppressedAt: timesOf(suppressedCount),
    now: at,
    isSuppressed: suppressedCount > 0,
  };
}
