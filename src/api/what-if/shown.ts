// A story as the API answers it.
import type { Incident } from '../../incidents/incident.ts';
import { queryLimits } from '../../limits/queries.ts';
import { chatChannels } from '../../resources/escalation-policy.ts';
import { timeText } from '../../storage/records/rows.ts';
import type { TriedRule } from '../../what-if/judged.ts';
import type { Decided, Ending, Question, Story } from '../../what-if/simulate.ts';
import type { Told } from '../../what-if/told.ts';

type Asked = {
  readonly question: Question;
  /** Only of incidents of these teams is anything told; null: of all. */
  readonly teamIds: readonly string[] | null;
};

export function storyShown(story: Story, { question, teamIds }: Asked) {
  const { at: from, past } = question;
  const when = (at: Temporal.Instant) => ({
    at: timeText(at),
    after_seconds: Math.round(at.since(from).total('seconds')),
  });
  const { alerts, incidents, lines, told, ended } = story;
  const own = ended.incidents.filter(({ team_id }) => teamIds?.includes(team_id) ?? true);
  const readable = new Set(own.map(({ id }) => id));
  const numbered = new Set(past.incidents.map(({ id }) => id));
  return {
    at: timeText(from),
    alerts: alerts.map(alertShown),
    incidents: incidents
      .filter(({ id }) => readable.has(id))
      .map((one) => ({ ...incidentShown(one), number: numbered.has(one.id) ? one.number : null })),
    lines: lines
      .filter((line) => readable.has(line.incident_id))
      .map(({ at, incident_id, type, says }) => ({
        ...when(at),
        ...{ incident_id, type, says },
      })),
    notices: told
      .filter(({ incidentId }) => readable.has(incidentId))
      .map((one) => ({ ...when(one.at), ...noticeShown(one) })),
    warnings: warningsOf(story, readable),
    ended: { type: ended.why, ...when(ended.at), says: endings[ended.why] },
  };
}

function warningsOf({ rulesUntold, incidents }: Story, readable: ReadonlySet<string>): string[] {
  const untold = rulesUntold > 0 ? [`How ${rulesUntold} more rules were judged is not told.`] : [];
  const moved = incidents.some(({ id }) => !readable.has(id))
    ? ['An incident goes to a team that is not yours: its story is not told.']
    : [];
  return [...untold, ...moved];
}

const endings: Readonly<Record<Ending, string>> = {
  nothing: 'No incident is opened or changed, and nobody is told anything.',
  acknowledged: 'It is acknowledged, and nobody else is paged.',
  resolved: 'It is resolved.',
  exhausted: 'Nobody acknowledged, and nobody else will be paged.',
  days: `It goes on after ${queryLimits.simulationDays} days, the longest that is looked ahead.`,
  lines: `It goes on after ${queryLimits.simulationLines} lines, the most that are told.`,
};

const alertShown = ({ action, dedup_key, title, outcome, reason, ...alert }: Decided) => ({
  ...{ action, dedup_key, title, outcome, reason },
  incident_id: alert.incident_id,
  rules: alert.rules.map(ruleShown),
});

const ruleShown = ({ rule: { id, name }, matched, applied, scope, groups }: TriedRule) => ({
  ...{ id, name, matched, applied, scope, groups },
});

const incidentShown = ({ id, title, status, priority, severity, ...one }: Incident) => ({
  ...{ id, title, status, priority, severity },
  ...{ team_id: one.team_id, service_id: one.service_id, integration_id: one.integration_id },
  escalation_policy: { id: one.escalation_policy_id, name: one.escalation.policyName },
});

const noticeShown = ({ incidentId, kind, step, channel, name, userId, reason }: Told) => ({
  ...{ incident_id: incidentId, kind, step, channel },
  [receiverOf(channel)]: name,
  ...{ user_id: userId, reached: reason === null, reason },
});

function receiverOf(channel: string): 'person' | 'chat' | 'webhook' {
  if (channel === 'webhook') return 'webhook';
  return chatChannels.some((one) => one === channel) ? 'chat' : 'person';
}
