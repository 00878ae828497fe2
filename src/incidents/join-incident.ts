// Joining: an alert of a group whose incident is open becomes one of its alerts and pages nobody of its
// own, unless it is worse than what the pages showed. docs/decisions/0111-grouping.md.
import { incidentsLimits } from '../limits/incidents.ts';
import { counted } from '../resources/plural.ts';
import type { Rule } from '../rules/match-rule.ts';
import type { AlertGroup } from './alert-context.ts';
import { groupedBy } from './combined-entries.ts';
import type { DecisionContext, RoutedIntegration } from './configuration.ts';
import {
  after,
  type Entry,
  entry,
  type Incident,
  isDue,
  isMuted,
  isOpen,
  minutesAfter,
  type Outcome,
  only,
  spanAfter,
  then,
  withEscalation,
} from './incident.ts';
import { type AlertKey, alertIdOf, alertsOf, withAlerts, withOneMore } from './incident-alerts.ts';
import { noteEntry } from './open-incident.ts';
import { pageForJoin, pageForWorse } from './page-again.ts';
import { raise, withLabelled } from './raise-severity.ts';

/** What only says of the alert how bad it is, or what it is called. */
const labels: ReadonlySet<string> = new Set(['priority', 'severity', 'title', 'groupIncident']);

/** The rule without what it does beyond that. */
export const labelling = (rule: Rule): Rule => ({
  ...rule,
  actions: rule.actions.filter(({ type }) => labels.has(type)),
});

type Joining = {
  readonly integration: Pick<RoutedIntegration, 'team_id'>;
  readonly alert: AlertKey;
  readonly windowMinutes: AlertGroup['windowMinutes'];
  /** Those that the alert matches. */
  readonly rules: readonly Rule[];
  readonly now: Temporal.Instant;
};

/** Why the alert opens an incident of its own, and what that one's timeline says of it; null: it joins. */
export type Apart = { readonly note: string | null };

export function whyApart(
  incident: Incident,
  { integration, alert, windowMinutes, rules, now }: Joining,
): Apart | null {
  const { escalation, acknowledged_at, team_id } = incident;
  if (!isOpen(incident) || isMuted(incident) || team_id !== integration.team_id)
    return { note: null };
  if (incident.source_integration_id === null || incident.raw_key != null) return { note: null };
  if (escalation.isAcknowledgedByRule && incident.status === 'acknowledged') return { note: null };
  if (escalation.splitOff?.includes(alertIdOf(alert))) return { note: null };
  const isDone = ({ id, actions }: Rule) =>
    escalation.appliedRules.includes(id) || actions.every(({ type }) => labels.has(type));
  if (!rules.every(isDone)) return { note: null };
  const last = escalation.joinedAt ?? incident.created_at;
  if (windowMinutes !== null && isDue(minutesAfter(last, windowMinutes), now))
    return { note: null };
  const name = `INC-${incident.number}`;
  const minutes = incidentsLimits.joinAcknowledged;
  if (acknowledged_at && isDue(minutesAfter(acknowledged_at, minutes), now))
    return {
      note: `${name} of the same group was acknowledged more than ${counted(minutes, 'minute')} ago, so this alert has its own incident`,
    };
  if (alertsOf(incident).length >= incidentsLimits.alerts)
    return { note: `Continues ${name}, which has ${incidentsLimits.alerts} alerts` };
  return null;
}

type Joined = {
  /** The incident that the alert would have opened, as rules have labelled it. */
  readonly arrived: Incident;
  readonly eventId: string;
  /** The rule that groups it; null: its integration does. */
  readonly rule: Rule | null;
  /** What its tool left out, for the timeline. */
  readonly note?: string | undefined;
};

export function join(
  into: Incident,
  { arrived, eventId, rule, note }: Joined,
  context: DecisionContext,
): Outcome {
  const { now } = context;
  const reported = {
    dedup_key: into.dedup_key,
    title: arrived.title,
    ...(arrived.severity !== null && { severity: arrived.severity }),
    ...(arrived.priority !== null && { priority: arrived.priority }),
  } as Parameters<typeof raise>[1];
  const grown = withAlerts(into, alertsOf(arrived).reduce(withOneMore, alertsOf(into)));
  const joined: Incident = {
    ...withEscalation(grown, { joinedAt: now, resolveAt: resolveAfterJoin(into, now) }),
    updated_at: now,
  };
  const labelled = withLabelled(joined, alertsOf(into));
  const raised = raise(labelled, reported, eventId, 'A worse alert joined');
  const { integration_id, dedup_key } = alertsOf(arrived)[0] ?? { dedup_key: arrived.dedup_key };
  const entries: Entry[] = [
    entry(into, 'alert_joined', `${arrived.title} joined${groupedBy(rule?.name)}`, {
      details: {
        event_id: eventId,
        title: arrived.title,
        integration_id,
        dedup_key,
        ...(rule && { rule_id: rule.id, rule: rule.name }),
      },
    }),
    ...(note === undefined ? [] : [noteEntry(into, note, eventId)]),
    ...(raised?.entries ?? []),
  ];
  const outcome = after(entries, only(raised?.incident ?? labelled));
  const worse = then(outcome, (one) =>
    pageForWorse(one, { before: into, alert: reported }, context),
  );
  return worse.incident.escalation.cycle === into.escalation.cycle
    ? then(worse, (one) => pageForJoin(one, context))
    : worse;
}

/** The timers that resolve it count from the last join. */
function resolveAfterJoin(
  { escalation, created_at }: Incident,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const { resolveAt, autoResolve, joinedAt = created_at } = escalation;
  if (resolveAt === null) return null;
  if (spanAfter(joinedAt, autoResolve)?.equals(resolveAt)) return spanAfter(now, autoResolve);
  const milliseconds = now.epochMilliseconds - joinedAt.epochMilliseconds;
  return resolveAt.add({ milliseconds: Math.max(0, milliseconds) });
}
