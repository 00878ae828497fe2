// A team's rule set: routing rules for arriving alerts, and playbooks; compiled, matched and applied.

import type { RuleAction } from '../../resources/action.ts';
import type { RunOccasion } from '../../resources/playbook.ts';
import type { Facts } from '../../rules/facts.ts';
import { always } from '../../rules/groups.ts';
import { type CompiledRule, compiledOf, type Rule, timesNeeded } from '../../rules/match-rule.ts';
import type { DecisionContext, Playbook } from '../configuration.ts';
import { type Team, teamIn } from '../configuration.ts';
import { type Incident, type Outcome, only, then, withEscalation } from '../incident.ts';
import { countAlerts } from '../incident-alerts.ts';
import { perform } from './perform.ts';
import { actorOf } from './timeline-entries.ts';

/** A playbook that runs by itself, when its conditions hold. */
type AutomaticPlaybook = {
  readonly playbook: Playbook;
  readonly occasions: readonly RunOccasion[];
  /** Its conditions, as those of a rule. */
  readonly compiled: CompiledRule;
};

/** A team's rules that are active and enabled, in the order in which they run, and its playbooks. */
export type RuleSet = {
  readonly rules: readonly CompiledRule[];
  /** Those of them that group alerts. */
  readonly grouping: readonly CompiledRule[];
  /** Archived ones too. */
  readonly playbooks: ReadonlyMap<string, Playbook>;
  readonly automatic: readonly AutomaticPlaybook[];
  /** How many times are remembered, for conditions that ask how often within a while. */
  readonly remembered: { readonly repeats: number; readonly suppressed: number };
};

const ruleSets = new WeakMap<Team, RuleSet>();

/** Of the incident's or the integration's team, compiled once for as long as the team is the same. */
export function ruleSetOf(
  { team_id }: { readonly team_id: string },
  { configuration }: Pick<DecisionContext, 'configuration'>,
): RuleSet {
  const team = teamIn(configuration, team_id);
  const ruleSet = ruleSets.get(team) ?? compiledFor(team);
  ruleSets.set(team, ruleSet);
  return ruleSet;
}

function compiledFor({ rules, playbooks }: Team): RuleSet {
  const compiled = rules.map(compiledOf);
  const automatic = playbooks.flatMap(automaticOf);
  return {
    rules: compiled,
    grouping: compiled.filter(({ rule }) => rule.actions.some(isGrouping)),
    playbooks: new Map(playbooks.map((playbook) => [playbook.id, playbook])),
    automatic,
    remembered: timesNeeded([...compiled, ...automatic.map((one) => one.compiled)]),
  };
}

const automatics = new WeakMap<Playbook, readonly AutomaticPlaybook[]>();

function automaticOf(playbook: Playbook): readonly AutomaticPlaybook[] {
  const compiled = automatics.get(playbook) ?? compiledAutomatic(playbook);
  automatics.set(playbook, compiled);
  return compiled;
}

type Occasional = Pick<Playbook, 'archived' | 'enabled' | 'run_automatically'>;

/** When a playbook runs by itself, if its conditions are met. */
export const occasionsOf = ({ archived, enabled, run_automatically = [] }: Occasional) =>
  archived || !enabled ? [] : run_automatically;

function compiledAutomatic(playbook: Playbook): readonly AutomaticPlaybook[] {
  const occasions = occasionsOf(playbook);
  if (occasions.length === 0) return [];
  const { id, name, condition_groups = always } = playbook;
  return [
    { playbook, occasions, compiled: compiledOf({ id, name, condition_groups, actions: [] }) },
  ];
}

/** The rules that apply; or the one that ignores, instead of everything else. */
export type RuleMatch = { readonly ignoredBy: Rule } | { readonly matched: readonly Rule[] };

/** `applied`: the ids of rules that have changed the incident, and do not again. */
export function matchRules(
  { rules }: RuleSet,
  facts: Facts,
  applied: readonly string[] = [],
): RuleMatch {
  const matched = rules.filter(({ matches }) => matches(facts)).map(({ rule }) => rule);
  const ignoring = matched.find(({ actions }) => actions.some(isIgnoring));
  if (ignoring) return { ignoredBy: ignoring };
  return { matched: matched.filter(({ id }) => !applied.includes(id)) };
}

/**
 * Those that look at the severity or the priority and have changed nothing yet, after a repeat has
 * raised these.
 */
export function matchRaised(
  { rules }: RuleSet,
  facts: Facts,
  applied: readonly string[],
): readonly Rule[] {
  const raised = { ...facts, isSuppressed: false };
  return rules
    .filter(({ rule, hasSeverityCondition, matches }) => {
      return hasSeverityCondition && !applied.includes(rule.id) && matches(raised);
    })
    .map(({ rule }) => rule);
}

export const isGrouping = (
  action: RuleAction,
): action is Extract<RuleAction, { type: 'groupIncident' }> => action.type === 'groupIncident';

export const isIgnoring = ({ type }: { readonly type: string }) => type === 'ignoreIncident';

type ApplyContext = DecisionContext & {
  /** Of the team whose rules they are, wherever they move the incident. */
  readonly ruleSet: RuleSet;
  readonly eventId: string;
  readonly isOpening: boolean;
  /** Rules that are tried since the alert has become worse. */
  readonly raised?: readonly Rule[];
};

/** Performs what the rules say, one after another. */
export function applyRules(
  outcome: Outcome,
  rules: readonly Rule[],
  applying: ApplyContext,
): Outcome {
  return rules.reduce((before, rule) => then(before, (one) => apply(one, rule, applying)), outcome);
}

function apply(incident: Incident, rule: Rule, applying: ApplyContext): Outcome {
  const performing = {
    ...applying,
    by: actorOf('rule', rule),
    isWorse: applying.raised?.includes(rule) ?? false,
    playbooks: applying.ruleSet.playbooks,
    occasion: 'incident_triggered' as const,
    once: `rule-${rule.id}-${applying.eventId}`,
  };
  const { appliedRules } = incident.escalation;
  const marked = withEscalation(incident, { appliedRules: [...appliedRules, rule.id] });
  return rule.actions.reduce(
    (before, action) => then(before, (one) => perform(one, action, performing)),
    only(marked),
  );
}

/** What conditions ask about an incident as it is; `isSuppressed`: one more event was just counted. */
export const factsOf = (
  incident: Incident,
  { now, isSuppressed }: Pick<Facts, 'now' | 'isSuppressed'>,
): Facts => ({
  title: incident.title,
  details: incident.details,
  priority: incident.priority,
  severity: incident.severity,
  alertsTotal: countAlerts(incident).total,
  integrationId: incident.source_integration_id,
  serviceId: incident.service_id,
  repeatCount: incident.repeat_count,
  repeatedAt: incident.escalation.repeatedAt,
  suppressedCount: incident.suppressed_count,
  suppressedAt: incident.escalation.suppressedAt,
  now,
  isSuppressed,
});
