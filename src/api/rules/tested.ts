// A rule judged on an event, in a worker thread.
import type { MessagePort } from 'node:worker_threads';
import type { AlertEvent } from '../../alerts/alert.ts';
import { queryLimits } from '../../limits/queries.ts';
import { explain } from '../../rules/explain.ts';
import type { Facts } from '../../rules/facts.ts';
import { conditionsIn } from '../../rules/groups.ts';
import { type CompiledRule, compileRule } from '../../rules/rule.ts';
import { timeText } from '../../storage/records/rows.ts';
import { asking } from '../../workers/answering.ts';
import type { Caller } from '../route.ts';
import type { Asked } from './asked.ts';
import { effectsSay, type Names, namesIn } from './effect-says.ts';
import { alertsIn, type Found } from './event.ts';
import { lookUpBy, type NameAnswers } from './names.ts';
import { type Tried, unsavedRule } from './rule.ts';

export type Testing = {
  readonly found: Found;
  /** A saved rule, or one as JSON, which travels fastest. */
  readonly tried: Tried | { readonly said: string };
  readonly reader: Pick<Caller, 'teamIds'>;
  readonly counts: Pick<Asked, 'repeat_count' | 'suppressed_count'>;
  /** Answers what trying the rule needs: `NameAnswers`. */
  readonly port: MessagePort;
};

export async function tested({ found, tried, reader, counts, port }: Testing) {
  const look = lookUpBy(asking<NameAnswers>(port));
  const all = await alertsIn(found);
  const { rule, teamId, warnings } =
    'rule' in tried
      ? tried
      : await unsavedRule({ body: JSON.parse(tried.said), reader, found }, look);
  const names = await namesIn(rule.actions, reader, look);
  const compiled = compileRule(rule);
  const isOfTeam = teamId === found.integration.team_id;
  const judging = { found, counts, compiled, isOfTeam, names };
  const alerts = all.slice(0, alertsTold(compiled));
  const untold = all.length - alerts.length;
  return {
    at: timeText(found.at),
    alerts: alerts.map((alert) => judged(alert, judging)),
    warnings: [...warnings, ...(untold > 0 ? [`${untold} more alerts are not told.`] : [])],
  };
}

const alertsTold = (rule: CompiledRule): number =>
  Math.max(1, Math.floor(queryLimits.conditionsExplained / conditionsIn(rule)));

type Judging = Pick<Testing, 'found' | 'counts'> & {
  readonly names: Names;
  readonly compiled: CompiledRule;
  readonly isOfTeam: boolean;
};

function judged(alert: AlertEvent, judging: Judging) {
  const { compiled, isOfTeam, names } = judging;
  const facts = factsOf(alert, judging);
  const explained = explain(compiled, facts);
  const aside = whyAside(alert, isOfTeam);
  const scope = aside === null ? explained.scope : { held: false, says: aside };
  const matched = scope.held && explained.matched;
  const effects = matched ? effectsSay(compiled.rule.actions, facts, names) : [];
  const { title, dedup_key, action } = alert;
  return { action, dedup_key, title, matched, scope, groups: explained.groups, effects };
}

/** Why no condition matters. */
function whyAside({ action }: AlertEvent, isOfTeam: boolean): string | null {
  if (!isOfTeam) return 'The rule is of another team than the integration.';
  if (action === 'trigger') return null;
  return `The alert says ${action}: rules are only tried on what triggers.`;
}

const TIMES_KEPT = 1_000;

/** The past is one in which all that is counted happened just now. */
function factsOf(alert: AlertEvent, { found, counts }: Judging): Facts {
  const { at, integration } = found;
  const { repeat_count: repeatCount = 0, suppressed_count: suppressedCount = 0 } = counts;
  const timesOf = (count: number) =>
    Array<number>(Math.min(count, TIMES_KEPT)).fill(at.epochMilliseconds);
  return {
    title: alert.title,
    details: alert.details ?? null,
    priority: alert.priority ?? null,
    severity: alert.severity ?? null,
    integrationId: integration.id,
    serviceId: integration.service_id,
    ...{ repeatCount, repeatedAt: timesOf(repeatCount) },
    ...{ suppressedCount, suppressedAt: timesOf(suppressedCount) },
    now: at,
    isSuppressed: suppressedCount > 0,
  };
}
