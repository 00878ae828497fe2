// An alert that has become worse raises its open incident: severity, priority and title.
import type { AlertEvent } from '../alerts/alert.ts';
import { labelText } from '../resources/priorities.ts';
import { type Entry, entry, type Incident, type Worst, withEscalation } from './incident.ts';

export type Reported = Pick<AlertEvent, 'dedup_key' | 'title' | 'severity' | 'priority'>;

const fields = ['severity', 'priority'] as const;

/** What was never reported ranks last; `sev1` and `p1` rank first. */
const isAbove = (one: string | null | undefined, other: string | null): boolean =>
  one != null && (other === null || one < other);

const worseOf = (one: string | null | undefined, other: string | null): string | null =>
  isAbove(one, other) ? (one ?? null) : other;

type Urgency = { readonly [Field in keyof Worst]?: Worst[Field] | undefined };

/** The worst severity and the worst priority of alerts, and of what came before them. */
export const worstAmong = (
  alerts: readonly Urgency[],
  before: Worst = { severity: null, priority: null },
): Worst =>
  alerts.reduce<Worst>(
    (worst, alert) => ({
      severity: worseOf(alert.severity, worst.severity),
      priority: worseOf(alert.priority, worst.priority),
    }),
    before,
  );

/** Whether the alert is worse in its severity or in its priority. */
export const isWorseThan = (alert: Urgency, before: Worst): boolean =>
  fields.some((field) => isAbove(alert[field], before[field]));

/** Compared with what alerts reported, not with what rules or people made of that. */
const worstOf = ({ escalation: { worst }, severity, priority }: Incident): Worst =>
  worst ?? { severity, priority };

export const isWorse = (incident: Incident, alert: Reported): boolean =>
  isWorseThan(alert, worstOf(incident));

/** Whether it is also worse than what pages of the incident show, whoever set that. */
export const isWorseThanShown = (incident: Incident, alert: Reported): boolean =>
  isWorseThan(alert, worstAmong([incident], worstOf(incident)));

/** As if its alerts had reported what rules made of each of them. */
export const withLabelled = (incident: Incident, alerts: readonly Urgency[]): Incident =>
  withEscalation(incident, { worst: worstAmong(alerts, worstOf(incident)) });

type Raised = { readonly incident: Incident; readonly entries: readonly Entry[] };

/** Null: the alert is no worse than those before it. What a person set stays as it is. */
export function raise(
  incident: Incident,
  alert: Reported,
  eventId: string,
  began = 'The alert is worse than before',
): Raised | null {
  if (!isWorse(incident, alert)) return null;
  const { prioritySetByPerson, severitySetByPerson, isTitled } = incident.escalation;
  const setByPerson = { severity: severitySetByPerson, priority: prioritySetByPerson };
  const before = worstOf(incident);
  const to = {
    severity: setByPerson.severity ? incident.severity : worseOf(alert.severity, incident.severity),
    priority: setByPerson.priority ? incident.priority : worseOf(alert.priority, incident.priority),
  };
  // A rule's title stays, and so does that of an incident into which this one was merged.
  const isOwnTitle = isTitled !== true && alert.dedup_key === incident.dedup_key;
  const title = isOwnTitle ? alert.title : incident.title;
  const changes = [
    ...fields.flatMap((field) => {
      if (setByPerson[field] && isAbove(alert[field], before[field]))
        return [
          `${field} ${labelText(alert[field])}, but a person set it to ${labelText(incident[field])}`,
        ];
      if (to[field] === incident[field]) return [];
      return [`${field} ${labelText(to[field])} instead of ${labelText(incident[field])}`];
    }),
    ...(title === incident.title ? [] : [`the title was ${incident.title}`]),
  ];
  const worst = worstAmong([alert], before);
  const text = `${began}: ${changes.join('; ')}`;
  const details = { event_id: eventId, severity: to.severity, priority: to.priority };
  const raised = withEscalation({ ...incident, ...to, title }, { worst });
  return {
    incident: raised,
    entries: changes.length === 0 ? [] : [entry(raised, 'worse', text, { details })],
  };
}
