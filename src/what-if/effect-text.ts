// What the actions of a rule would do, as sentences.
import type { RuleAction } from '../resources/action.ts';
import { counted, spanText } from '../resources/plural.ts';
import { labelText } from '../resources/priorities.ts';
import type { Facts } from '../rules/facts.ts';
import { fillTitle } from '../rules/template.ts';

/** By id. */
export type Names = ReadonlyMap<string, string>;

type NameOf = (id: string) => string;

/** A sentence for each action of a rule. */
export function effectTexts(
  actions: readonly RuleAction[],
  facts: Facts,
  names: Names,
): readonly string[] {
  const nameOf: NameOf = (id) => names.get(id) ?? id;
  if (actions.some(({ type }) => type === 'ignoreIncident'))
    return ['Ignores the event: it opens no incident, and no other rule has an effect.'];
  return actions.map((action) => effectText(action, facts, nameOf));
}

function effectText(action: RuleAction, facts: Facts, nameOf: NameOf): string {
  switch (action.type) {
    case 'priority':
      return changeText('priority', facts.priority, action.priority);
    case 'severity':
      return changeText('severity', facts.severity, action.severity);
    case 'reassignIncident':
      return `Reassigns the incident to ${nameOf(action.user_id)}.`;
    case 'escalationPolicy':
      return `Pages with the escalation policy ${nameOf(action.escalation_policy_id)}.`;
    case 'integration':
      return `Moves the incident to the integration ${nameOf(action.integration_id)}.`;
    case 'routeToTeam':
      return `Moves the incident to ${nameOf(action.integration_id)} of ${nameOf(action.team_id)}.`;
    case 'outboundWebhook':
      return `Calls the outbound webhook ${nameOf(action.outbound_webhook_id)}.`;
    case 'resolveTimer':
      return `Resolves the incident automatically after ${spanText(action)}.`;
    case 'acknowledgeIncident':
      return 'Acknowledges the incident.';
    case 'resolveIncident':
      return 'Resolves the incident.';
    case 'ignoreIncident':
      return 'Ignores the event.';
    case 'groupIncident':
      return groupingText(action);
    case 'playbook':
      return `Runs the playbook ${nameOf(action.playbook_id)}.`;
    case 'title':
      return `Changes the title to ${JSON.stringify(fillTitle(action.template, facts))}.`;
  }
}

const sources = {
  integration: 'this integration',
  service: 'any integration of the service',
  team: 'any integration of the team',
} as const;

const groupingText = ({
  by,
  window_minutes: minutes,
  across,
}: Extract<RuleAction, { type: 'groupIncident' }>) =>
  by.length === 0
    ? 'Opens an incident for this alert alone.'
    : `Joins the open incident with the same ${by.join(' and ')} from ${sources[across]}${minutes === undefined ? '' : `, up to ${counted(minutes, 'minute')} after its last alert`}.`;

const changeText = (what: string, before: string | null, after: string) =>
  before === after
    ? `Leaves the ${what} at ${labelText(after)}.`
    : `Changes the ${what} from ${labelText(before)} to ${labelText(after)}.`;
