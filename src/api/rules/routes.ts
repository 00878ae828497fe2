// A rule tried on an event: what would happen, and why. Nothing is sent, nothing is kept.
import type { AlertEvent } from '../../alerts/alert.ts';
import { askingLimits } from '../../limits/asking.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { explain } from '../../rules/explain.ts';
import type { Facts } from '../../rules/facts.ts';
import { conditionsIn } from '../../rules/groups.ts';
import { type CompiledRule, compileRule } from '../../rules/rule.ts';
import { timeText } from '../../storage/records/rows.ts';
import { lookUpIn } from '../../storage/records/uses.ts';
import { route } from '../people/writing.ts';
import { ok, type Route } from '../route.ts';
import { type Asked, readAsked, testBody } from './asked.ts';
import { effectsSay, type NameOf, namesIn } from './effect-says.ts';
import { type Arrived, arrivedOf, type EventParts } from './event.ts';
import { ruleOf } from './rule.ts';
import { testedShape } from './shapes.ts';

export function ruleTestRoutes(parts: EventParts): Route[] {
  return [
    route('POST /alert-rules/test', 'manager', {
      tag: alertRoutingRule.table,
      doc: 'Tries a rule, saved or not, on an event: what held, why, and what it would do.',
      writesNothing: true,
      body: testBody,
      answers: { status: 200, schema: testedShape },
      async handle(call) {
        const asked = readAsked(call);
        const arrived = await arrivedOf(parts, call, asked);
        const look = lookUpIn(parts.sql, call.caller.organizationId);
        const { rule, teamId, warnings } = await ruleOf(parts.sql, { call, asked, arrived, look });
        const judging = {
          ...{ arrived, asked, compiled: compileRule(rule) },
          isOfTeam: teamId === arrived.integration.team_id,
          nameOf: await namesIn(rule.actions, call.caller, look),
        };
        const alerts = arrived.alerts.slice(0, alertsTold(judging.compiled));
        const untold = arrived.alerts.length - alerts.length;
        return ok({
          at: timeText(arrived.at),
          alerts: alerts.map((alert) => judged(alert, judging)),
          warnings: [...warnings, ...(untold > 0 ? [`${untold} more alerts are not told.`] : [])],
        });
      },
    }),
  ];
}

const alertsTold = (rule: CompiledRule): number =>
  Math.max(1, Math.floor(askingLimits.conditionsTold / conditionsIn(rule)));

type Judging = {
  readonly arrived: Arrived;
  readonly asked: Asked;
  readonly compiled: CompiledRule;
  readonly isOfTeam: boolean;
  readonly nameOf: NameOf;
};

function judged(alert: AlertEvent, { arrived, asked, compiled, isOfTeam, nameOf }: Judging) {
  const facts = factsOf(alert, arrived, asked);
  const explained = explain(compiled, facts);
  const aside = whyAside(alert, isOfTeam);
  const scope = aside === null ? explained.scope : { held: false, says: aside };
  const matched = scope.held && explained.matched;
  const effects = matched ? effectsSay(compiled.rule.actions, facts, nameOf) : [];
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
function factsOf(alert: AlertEvent, { at, integration }: Arrived, asked: Asked): Facts {
  const { repeat_count: repeatCount = 0, suppressed_count: suppressedCount = 0 } = asked;
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
