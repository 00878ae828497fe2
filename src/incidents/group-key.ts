// By what alerts are grouped: those with equal values join one incident. A routing rule decides before
// the setting of the integration. docs/decisions/0116-rules-that-group.md.
import type { AlertEvent, Json } from '../alerts/alert.ts';
import { canonical } from '../alerts/body/json.ts';
import { shortHash } from '../alerts/hash.ts';
import { detailPathIn } from '../resources/detail-path.ts';
import { presentValue } from '../rules/details.ts';
import { factsOfAlert } from '../rules/facts.ts';
import type { Rule } from '../rules/match-rule.ts';
import { isGrouping, ruleSetOf } from './actions/routing-rules.ts';
import type { AlertGroup } from './alert-context.ts';
import type { Configuration, DecisionContext, RoutedIntegration } from './configuration.ts';
import { minutesOf } from './incident.ts';

/** A longer value counts by its hash. */
const VALUE_LENGTH = 500;

type Arrived = Omit<AlertEvent, 'action'>;

/** Null: nothing groups the alert, or it lacks one of the values. */
export function groupOf(
  integration: RoutedIntegration,
  alert: Arrived,
  context: DecisionContext,
): AlertGroup | null {
  const { disableSuppression, formerKeys } = integration;
  if (disableSuppression || formerKeys) return null;
  // What ends without a key of its own could end any of several alerts.
  if (alert.raw_key !== undefined) return null;
  const rule = groupingRule(integration, alert, context);
  const { by, windowMinutes, across } = settingOf(rule, integration);
  if (by.length === 0) return null;
  const values = valuesOf(by, alert, integration.service.id);
  if (values === null) return null;
  const scope = {
    integration: [integration.integration_id],
    service: ['service', integration.service.id],
    team: ['team', integration.team_id],
  }[across];
  return { key: shortHash(canonical([...scope, [...by], values])), windowMinutes, rule, across };
}

function settingOf(rule: Rule | null, { grouping: { by, window } }: RoutedIntegration) {
  const action = rule?.actions.find(isGrouping);
  return action
    ? { by: action.by, windowMinutes: action.window_minutes ?? null, across: action.across }
    : { by, windowMinutes: window && minutesOf(window), across: 'integration' as const };
}

/**
 * The first that groups the alert as its tool sent it: what other rules make of it comes later, and what
 * a person set on an earlier incident is of that one.
 */
function groupingRule(
  integration: RoutedIntegration,
  alert: Arrived,
  context: DecisionContext,
): Rule | null {
  const { grouping } = ruleSetOf(integration, context);
  if (grouping.length === 0) return null;
  const { integration_id: integrationId, service } = integration;
  const facts = factsOfAlert(alert, { integrationId, serviceId: service.id, now: context.now });
  return grouping.find(({ matches }) => matches(facts))?.rule ?? null;
}

/** Whether any alert of the integration can belong to a group. */
export const mayGroup = (integration: RoutedIntegration, configuration: Configuration): boolean =>
  integration.grouping.by.length > 0 ||
  ruleSetOf(integration, { configuration }).grouping.length > 0;

/** The teams of these integrations that have a rule which groups across integrations. */
export function teamsGroupingAcross(
  configuration: Configuration,
  integrationIds: readonly string[],
): ReadonlySet<string> {
  const teams = new Set<string>();
  for (const id of integrationIds) {
    const integration = configuration.integrations.get(id);
    if (integration === undefined || teams.has(integration.team_id)) continue;
    const { grouping } = ruleSetOf(integration, { configuration });
    if (grouping.some(({ rule }) => isAcross(rule))) teams.add(integration.team_id);
  }
  return teams;
}

const isAcross = ({ actions }: Rule): boolean =>
  actions.some((action) => isGrouping(action) && action.across !== 'integration');

/** Null: the alert lacks one of them. */
function valuesOf(
  by: readonly string[],
  alert: Arrived,
  serviceId: string,
): readonly Json[] | null {
  const values: Json[] = [];
  for (const name of by) {
    const value = valueIn(name, alert, serviceId);
    if (value === undefined) return null;
    const text = canonical(value);
    values.push(text.length > VALUE_LENGTH ? shortHash(text) : text);
  }
  return values;
}

/** The group of Alertmanager's route without labels is everything that it sends. */
const isWithoutLabels = (group: string): boolean => group.endsWith(':{}');

/** Undefined: it lacks it. */
function valueIn(name: string, alert: Arrived, serviceId: string): Json | undefined {
  const path = detailPathIn(name);
  if (path !== null) return presentValue(alert.details, path) as Json | undefined;
  switch (name) {
    case 'group':
      return alert.group === undefined || isWithoutLabels(alert.group) ? undefined : alert.group;
    case 'service':
      return serviceId;
    case 'title':
      return alert.title;
    case 'severity':
      return alert.severity;
    case 'priority':
      return alert.priority;
    default:
      return undefined;
  }
}
