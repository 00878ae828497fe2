// Alerts that do not belong together after all: some of an incident get one of their own.
import { incidentsLimits } from '../limits/incidents.ts';
import { counted, namesText } from '../resources/plural.ts';
import { titlesNamed } from './combined-entries.ts';
import type { DecisionContext } from './configuration.ts';
import { startCycle } from './escalation.ts';
import {
  type Actor,
  after,
  entry,
  type Incident,
  type IncidentAlert,
  isOpen,
  newCycle,
  nothingAwaited,
  type Outcome,
  only,
  type Refused,
  spanAfter,
  withEscalation,
} from './incident.ts';
import { alertIdOf, alertsOf, isFiring, withAlerts } from './incident-alerts.ts';
import { worstAmong } from './raise-severity.ts';

export type Split = {
  readonly by: Actor;
  /** As `alertIdOf` names them. */
  readonly alertIds: readonly string[];
  /** Of the new incident. */
  readonly id: string;
};

export type SplitResult = {
  /** The incident without them. */
  readonly left: Outcome;
  /** The new incident. */
  readonly opened: Outcome;
  readonly moved: readonly IncidentAlert[];
};

/** Ids that are no alert of it, by their index. */
export const unknownAlerts = (
  incident: Incident,
  alertIds: readonly string[],
): readonly number[] => {
  const known = new Set(alertsOf(incident).map(alertIdOf));
  return alertIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
};

/** The new incident follows the same policy from step 1; a problem that is still there stays. */
export function splitAlerts(
  incident: Incident,
  { by, alertIds, id }: Split,
  context: DecisionContext,
): SplitResult | Refused {
  const ids = new Set(alertIds);
  const alerts = alertsOf(incident);
  const moved = alerts.filter((one) => ids.has(alertIdOf(one)));
  const rest = alerts.filter((one) => !ids.has(alertIdOf(one)));
  if (!isOpen(incident)) return { refused: `INC-${incident.number} is resolved` };
  const [first] = moved;
  if (first === undefined) return { refused: 'none of its alerts was chosen' };
  if (!rest.some(isFiring)) return { refused: 'at least one active alert must stay in it' };
  if (!moved.some(isFiring)) return { refused: 'none of these alerts is active' };
  const names = namesOf(moved);
  const about = { actor: by, details: { incident_id: id, alerts: moved.length } };
  const splitOff = [...(incident.escalation.splitOff ?? []), ...ids].slice(-incidentsLimits.alerts);
  const left = withEscalation(withAlerts(incident, rest), { splitOff });
  return {
    moved,
    left: only(
      { ...left, updated_at: context.now },
      entry(left, 'alerts_split', `${by.name} moved ${names} to another incident`, about),
    ),
    opened: openWith(moved, first, { incident, by, id, context, names }),
  };
}

function namesOf(alerts: readonly IncidentAlert[]): string {
  const titles = alerts.slice(0, titlesNamed).map(({ title }) => title);
  const more = alerts.length - titles.length;
  return `${counted(alerts.length, 'alert')} (${namesText(titles, more)})`;
}

type Opening = {
  readonly incident: Incident;
  readonly by: Actor;
  readonly id: string;
  readonly context: DecisionContext;
  readonly names: string;
};

function openWith(
  moved: readonly IncidentAlert[],
  first: IncidentAlert,
  { incident, by, id, context, names }: Opening,
): Outcome {
  const { now, configuration } = context;
  const { splitOff: _, ...escalation } = incident.escalation;
  const worst = worstAmong(moved);
  const blank: Incident = {
    ...incident,
    ...worst,
    id,
    number: 0,
    title: first.title,
    status: 'triggered',
    source_integration_id: first.integration_id,
    dedup_key: first.dedup_key,
    raw_key: null,
    group_key: null,
    details: first.content?.details ?? null,
    links: first.content?.links ?? [],
    responder_ids: [],
    suppressed_count: 0,
    repeat_count: 0,
    created_at: now,
    updated_at: now,
    acknowledged_at: null,
    muted_until: null,
    escalation: {
      ...escalation,
      ...newCycle,
      ...nothingAwaited,
      cycle: -1,
      ackTimeoutAt: null,
      resolveAt: spanAfter(now, escalation.autoResolve),
      worst,
      isTitled: false,
      isAcknowledgedByRule: false,
      prioritySetByPerson: false,
      severitySetByPerson: false,
      suppressedAt: [],
      repeatedAt: [],
    },
  };
  const opened = withAlerts(blank, moved);
  const text = `${by.name} split ${names} from INC-${incident.number}`;
  const details = { incident_id: incident.id, alerts: moved.length };
  const entries = [entry(opened, 'opened', text, { actor: by, details })];
  return after(entries, startCycle(opened, configuration, now));
}
