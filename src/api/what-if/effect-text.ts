import type { RuleAction } from '../../resources/action.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { referencesIn } from '../../resources/declaration/references-and-secrets.ts';
import { spanText } from '../../resources/plural.ts';
import type { Facts } from '../../rules/facts.ts';
import { fillTitle } from '../../rules/template.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { type Caller, maySee } from '../route.ts';

/** By id. */
export type Names = ReadonlyMap<string, string>;

type NameOf = (id: string) => string;

/** The names of the records that actions refer to, if the reader may see them. */
export async function namesIn(
  actions: readonly RuleAction[],
  reader: Pick<Caller, 'teamIds'>,
  lookup: Lookup,
): Promise<Names> {
  const references = referencesIn(alertRoutingRule.fields.actions, actions);
  const names = new Map<string, string>();
  for (const [kind, own] of Map.groupBy(references, ({ to }) => to)) {
    const ids = own.map(({ id }) => id);
    for (const { id, name, active, teamId } of (await lookup(kind, ids)).values())
      if (maySee(reader, teamId)) names.set(id, active ? name : `${name} (which is not active)`);
  }
  return names;
}

/** A sentence for each action of a rule. */
export function effectTexts(
  actions: readonly RuleAction[],
  facts: Facts,
  names: Names,
): readonly string[] {
  const nameOf: NameOf = (id) => names.get(id) ?? id;
  if (actions.some(({ type }) => type === 'ignoreIncident'))
    return ['Ignores the event: it opens no incident, and no other rule does anything.'];
  return actions.map((action) => effectText(action, facts, nameOf));
}

function effectText(action: RuleAction, facts: Facts, nameOf: NameOf): string {
  switch (action.type) {
    case 'priority':
      return labelText('priority', facts.priority, action.priority);
    case 'severity':
      return labelText('severity', facts.severity, action.severity);
    case 'reassignIncident':
      return `Reassigns the incident to ${nameOf(action.user_id)}.`;
    case 'escalationPolicy':
      return `Pages by the escalation policy ${nameOf(action.escalation_policy_id)}.`;
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
    case 'playbook':
      return `Runs the playbook ${nameOf(action.playbook_id)}.`;
    case 'title':
      return `Changes the title to ${JSON.stringify(fillTitle(action.template, facts))}.`;
  }
}

const labelText = (what: string, before: string | null, after: string) =>
  before === after
    ? `Leaves the ${what} at ${after}.`
    : `Changes the ${what} from ${before ?? 'none'} to ${after}.`;
