// The answer of a simulation.
import type { Incident } from '../../incidents/incident.ts';
import { queryLimits } from '../../limits/queries.ts';
import { chatChannels } from '../../resources/channels.ts';
import { timeText } from '../../storage/records/rows.ts';
import type { TriedRule } from '../../what-if/evaluation.ts';
import type { StoryNotice } from '../../what-if/notices.ts';
import type { DecidedAlert, Ending, SimulationParams, Story } from '../../what-if/simulate.ts';

type AnswerOptions = {
  readonly params: SimulationParams;
  /** Incidents of other teams are left out; null: the caller sees all teams. */
  readonly teamIds: readonly string[] | null;
};

export function simulationAnswer(story: Story, { params, teamIds }: AnswerOptions) {
  const { at: from, past } = params;
  const when = (at: Temporal.Instant) => ({
    at: timeText(at),
    after_seconds: Math.round(at.since(from).total('seconds')),
  });
  const { alerts, incidents, entries, notices, ended } = story;
  const own = ended.incidents.filter(({ team_id }) => teamIds?.includes(team_id) ?? true);
  const readable = new Set(own.map(({ id }) => id));
  const numbered = new Set(past.incidents.map(({ id }) => id));
  return {
    at: timeText(from),
    alerts: alerts.map(alertAnswer),
    incidents: incidents
      .filter(({ id }) => readable.has(id))
      .map((one) => ({ ...incidentAnswer(one), number: numbered.has(one.id) ? one.number : null })),
    entries: entries
      .filter((line) => readable.has(line.incident_id))
      .map(({ at, incident_id, type, text }) => ({
        ...when(at),
        incident_id,
        type,
        text,
      })),
    notices: notices
      .filter(({ incidentId }) => readable.has(incidentId))
      .map((one) => ({
        ...when(one.at),
        incident_id: one.incidentId,
        ...plannedNoticeAnswer(one),
        ...(one.contacts && { contacts: one.contacts }),
      })),
    warnings: warningsOf(story, readable),
    ended: { type: ended.why, ...when(ended.at), text: endings[ended.why] },
  };
}

function warningsOf({ rulesOmitted, incidents }: Story, readable: ReadonlySet<string>): string[] {
  const omitted =
    rulesOmitted > 0 ? [`The evaluations of ${rulesOmitted} more rules are not shown.`] : [];
  const moved = incidents.some(({ id }) => !readable.has(id))
    ? ['An incident moves to a team that is not yours and is not shown.']
    : [];
  return [...omitted, ...moved];
}

const endings: Readonly<Record<Ending, string>> = {
  nothing: 'No incident is opened or changed, and nobody is notified.',
  acknowledged: 'All incidents are acknowledged, and nobody else is paged.',
  resolved: 'It is resolved.',
  exhausted: 'Nobody acknowledged, and nobody else will be paged.',
  days: `It would continue after ${queryLimits.simulationDays} days, the longest simulation.`,
  entries: `It would continue after ${queryLimits.simulationEntries} entries, the longest simulation.`,
};

const alertAnswer = ({ action, dedup_key, title, outcome, reason, ...alert }: DecidedAlert) => ({
  action,
  dedup_key,
  title,
  outcome,
  reason,
  incident_id: alert.incident_id,
  rules: alert.rules.map(ruleAnswer),
});

const ruleAnswer = ({ rule: { id, name }, matched, applied, scope, groups }: TriedRule) => ({
  id,
  name,
  matched,
  applied,
  scope,
  groups,
});

const incidentAnswer = ({ id, title, status, priority, severity, ...one }: Incident) => ({
  id,
  title,
  status,
  priority,
  severity,
  team_id: one.team_id,
  // Of a policy alone, the incident is about none.
  service_id: one.service_id || null,
  integration_id: one.integration_id,
  escalation_policy: { id: one.escalation_policy_id, name: one.escalation.policyName },
});

export const plannedNoticeAnswer = (notice: StoryNotice) => {
  const { kind, step, channel, name, route, userId, reason } = notice;
  return {
    kind,
    step,
    channel,
    [recipientKind(channel)]: name,
    ...(route !== undefined && { route }),
    user_id: userId,
    deliverable: reason === null,
    reason,
  };
};

function recipientKind(channel: string): 'person' | 'chat' | 'webhook' {
  if (channel === 'webhook') return 'webhook';
  return chatChannels.some((one) => one === channel) ? 'chat' : 'person';
}
