// The alerts of an incident. Most incidents have one and are that alert: what is known of it stands on
// the incident itself. Once a second alert joins, each has its own place in the incident's list.
import { shortHash } from '../alerts/hash.ts';
import {
  type Escalation,
  type Incident,
  type IncidentAlert,
  isOpen,
  isSooner,
  type Reporting,
} from './incident.ts';

export type AlertKey = Pick<IncidentAlert, 'integration_id' | 'dedup_key'>;

const isOf =
  ({ integration_id, dedup_key }: AlertKey) =>
  (alert: AlertKey): boolean =>
    alert.dedup_key === dedup_key && alert.integration_id === integration_id;

export const isFiring = ({ state }: IncidentAlert): boolean => state === 'firing';

/** All of them, by age. What a person opened has none. */
export function alertsOf(incident: Incident): readonly IncidentAlert[] {
  if (incident.alerts !== undefined) return incident.alerts;
  const { source_integration_id: integration_id } = incident;
  if (integration_id === null) return [];
  const { created_at, suppressed_count, resolved_at, escalation, details, links } = incident;
  const { title, severity, priority, dedup_key } = incident;
  const lastMs = escalation.suppressedAt.at(-1) ?? created_at.epochMilliseconds;
  const state = isOpen(incident) ? 'firing' : 'resolved';
  const last_at = escalation.heardAt ?? Temporal.Instant.fromEpochMilliseconds(lastMs);
  return [
    {
      integration_id,
      dedup_key,
      title,
      severity,
      priority,
      state,
      resolved_at,
      first_at: created_at,
      last_at,
      times: suppressed_count + 1,
      reporting: reportingIn(escalation),
      content: { details, links },
    },
  ];
}

export const alertIn = (incident: Incident, key: AlertKey): IncidentAlert | undefined =>
  incident.alerts?.find(isOf(key));

/** Whether the alert may be of this incident; of one without a list, its key decides. */
export const mayHave = ({ alerts }: Incident, key: AlertKey): boolean =>
  alerts === undefined || alerts.some(isOf(key));

/** How the API names an alert of an incident: 24 hexadecimal digits. */
export const alertIdOf = ({ integration_id, dedup_key }: AlertKey): string =>
  shortHash(`${integration_id} ${dedup_key}`).slice(0, 24);

export type AlertCounts = { readonly firing: number; readonly total: number };

type Counted = Pick<
  Incident,
  'alerts' | 'alerts_firing' | 'alerts_total' | 'source_integration_id' | 'status'
>;

export function countAlerts({
  alerts,
  alerts_firing: firing,
  alerts_total: total,
  source_integration_id,
  status,
}: Counted): AlertCounts {
  if (alerts) return { firing: alerts.filter(isFiring).length, total: alerts.length };
  if (firing != null && total != null) return { firing, total };
  const own = source_integration_id === null ? 0 : 1;
  return { firing: status === 'resolved' ? 0 : own, total: own };
}

/** Whether alerts other than this one fire. */
export const hasOthersFiring = (incident: Incident, key: AlertKey): boolean =>
  incident.alerts?.some((alert) => isFiring(alert) && !isOf(key)(alert)) ?? false;

/**
 * The incident as if this were its only alert, for what is decided about one alert: its key and how
 * it is reported are the alert's. `settled` puts back what changed.
 */
export function focused(incident: Incident, key: AlertKey): Incident {
  const alert = alertIn(incident, key);
  if (alert === undefined) return incident;
  const { dedup_key, source_integration_id, raw_key } = incident;
  const isFirst = isOf(key)({ integration_id: source_integration_id ?? '', dedup_key });
  return {
    ...incident,
    dedup_key: alert.dedup_key,
    raw_key: isFirst ? (raw_key ?? null) : null,
    escalation: { ...withoutReporting(incident.escalation), ...alert.reporting },
  };
}

/** `of`: the incident before it was focused. */
export function settled(view: Incident, key: AlertKey, of: Incident): Incident {
  if (view === of || alertIn(of, key) === undefined) return view;
  const { dedup_key, raw_key = null } = of;
  const reporting = reportingIn(view.escalation);
  const alerts = view.alerts?.map((one) => (isOf(key)(one) ? { ...one, reporting } : one));
  return withAlerts({ ...view, dedup_key, raw_key }, alerts ?? []);
}

/** With these alerts; its own timers are the earliest of those that fire. */
export function withAlerts(incident: Incident, alerts: readonly IncidentAlert[]): Incident {
  const firing = alerts.filter(isFiring).map(({ reporting }) => reporting);
  const { recentTriggers: _, storm: __, ...escalation } = withoutReporting(incident.escalation);
  const quietAt = earliestOf(firing.map((one) => one.quietAt ?? null));
  const heardAt = earliestOf(firing.map((one) => one.heardAt ?? null));
  return {
    ...incident,
    alerts,
    escalation: {
      ...escalation,
      expiresAt: isOpen(incident) ? earliestOf(firing.map((one) => one.expiresAt)) : null,
      ...(quietAt !== null && isOpen(incident) && { quietAt }),
      ...(heardAt !== null && { heardAt }),
      recentTriggers: [],
      storm: firing.map(({ storm }) => storm).find((storm) => storm !== null) ?? null,
    },
  };
}

/** By age, then by key: the order of the list. */
export function compareAlerts(one: IncidentAlert, other: IncidentAlert): number {
  const byAge = Temporal.Instant.compare(one.first_at, other.first_at);
  if (byAge !== 0) return byAge;
  if (one.dedup_key !== other.dedup_key) return one.dedup_key < other.dedup_key ? -1 : 1;
  return one.integration_id < other.integration_id ? -1 : 1;
}

/** The list with one more, which is seldom older than the others. */
export function withOneMore(
  alerts: readonly IncidentAlert[],
  one: IncidentAlert,
): readonly IncidentAlert[] {
  const after = alerts.findLastIndex((other) => compareAlerts(other, one) < 0);
  return alerts.toSpliced(after + 1, 0, one);
}

/** One alert changed; how it is reported is settled by `withAlerts` or `settled`. */
export const marked = (
  incident: Incident,
  key: AlertKey,
  change: Partial<IncidentAlert>,
): Incident =>
  incident.alerts === undefined
    ? incident
    : {
        ...incident,
        alerts: incident.alerts.map((one) => (isOf(key)(one) ? { ...one, ...change } : one)),
      };

/** Nothing ends it any more. */
const still = { expiresAt: null, quietAt: null, recentTriggers: [], storm: null } as const;

export const endedAt = (
  { reporting }: IncidentAlert,
  now: Temporal.Instant,
): Pick<IncidentAlert, 'state' | 'resolved_at' | 'reporting'> => ({
  state: 'resolved',
  resolved_at: now,
  reporting: { ...reporting, ...still },
});

/** All that fire end with the incident. */
export const endAll = (incident: Incident, now: Temporal.Instant): Incident =>
  incident.alerts === undefined
    ? incident
    : {
        ...incident,
        alerts: incident.alerts.map((one) =>
          isFiring(one) ? { ...one, ...endedAt(one, now) } : one,
        ),
      };

/** Those that ended with it fire again. */
export function firingAgain(incident: Incident, ended: Temporal.Instant | null): Incident {
  if (incident.alerts === undefined || ended === null) return incident;
  const { heardAt, quietAt } = incident.escalation;
  const alerts = incident.alerts.map((one): IncidentAlert => {
    if (!one.resolved_at?.equals(ended)) return one;
    const heard = {
      ...(heardAt !== undefined && { heardAt }),
      ...(quietAt != null && { quietAt }),
    };
    const reporting = { ...one.reporting, ...heard };
    return { ...one, state: 'firing', resolved_at: null, reporting };
  });
  return withAlerts(incident, alerts);
}

function reportingIn(escalation: Escalation): Reporting {
  const { expiresAt, heardAt, expiresAfterMs, quietAt, senders, reporters } = escalation;
  const { lastSourceTime, recentTriggers, storm } = escalation;
  return {
    expiresAt,
    ...(heardAt !== undefined && { heardAt }),
    ...(expiresAfterMs !== undefined && { expiresAfterMs }),
    ...(quietAt !== undefined && { quietAt }),
    ...(senders !== undefined && { senders }),
    ...(reporters !== undefined && { reporters }),
    ...(lastSourceTime !== undefined && { lastSourceTime }),
    recentTriggers,
    storm,
  };
}

function withoutReporting(escalation: Escalation): Omit<Escalation, keyof Reporting> & Reporting {
  const { heardAt: _1, expiresAfterMs: _2, quietAt: _3, senders: _4, ...rest } = escalation;
  const { reporters: _5, lastSourceTime: _6, ...own } = rest;
  return own;
}

const earliestOf = (instants: readonly (Temporal.Instant | null)[]): Temporal.Instant | null =>
  instants.reduce(
    (first, one) => (one !== null && (first === null || isSooner(one, first)) ? one : first),
    null,
  );
