// What each action does to an incident.

import { incidentsLimits } from '../../limits/incidents.ts';
import { byChannel } from '../../resources/channels.ts';
import { spanText } from '../../resources/plural.ts';
import { labelText } from '../../resources/priorities.ts';
import { fill, fillTitle, type TemplateFacts } from '../../rules/template.ts';
import { personIn, type Webhook, webhookIn } from '../configuration.ts';
import {
  type Incident,
  type Intent,
  isMuted,
  isOpen,
  noCycle,
  type Outcome,
  only,
  type Refused,
  type Span,
  spanAfter,
  withEscalation,
} from '../incident.ts';
import { countAlerts } from '../incident-alerts.ts';
import { advance } from '../lifecycle.ts';
import { label } from '../priority-and-severity.ts';
import { respond } from '../reassign-and-add-responder.ts';
import { destinationOf, reachPerson } from '../target-recipients.ts';
import { changePolicy, move } from './move-incident.ts';
import type { Action, PerformContext } from './perform-context.ts';
import {
  type ActionContext,
  applied,
  asActionEntry,
  failed,
  unchanged,
} from './timeline-entries.ts';

export type Effect = Exclude<Action, { type: 'playbook' }>;

const doneWhenResolved: readonly Action['type'][] = ['note', 'addLink', 'outboundWebhook'];
const endings: readonly Action['type'][] = ['acknowledgeIncident', 'resolveIncident'];

/** The incident after the action; if it cannot be done, only a timeline entry says why. */
export function applyEffect(
  incident: Incident,
  action: Effect,
  performing: PerformContext,
): Outcome {
  const acting = { ...performing, action: action.type };
  if (!isOpen(incident) && !doneWhenResolved.includes(action.type))
    return failed(incident, acting, 'it is resolved');
  if (performing.isWorse && endings.includes(action.type))
    return unchanged(incident, acting, 'the alert has just become worse');
  const outcome = applyByType(incident, action, acting);
  if (outcome.incident === incident) return outcome;
  return { ...outcome, incident: { ...outcome.incident, updated_at: performing.now } };
}

function applyByType(incident: Incident, action: Effect, acting: ActionContext): Outcome {
  const { by } = acting;
  switch (action.type) {
    case 'priority':
      return relabel(incident, { field: 'priority', to: action.priority }, acting);
    case 'severity':
      return relabel(incident, { field: 'severity', to: action.severity }, acting);
    case 'reassignIncident':
      return notifyPerson(incident, { type: 'reassign', userId: action.user_id }, acting);
    case 'addResponder':
      return notifyPerson(incident, { type: 'add_responder', userId: action.user_id }, acting);
    case 'pagePerson':
      return page(incident, action, acting);
    case 'escalationPolicy':
      return changePolicy(incident, action.escalation_policy_id, acting);
    case 'integration':
      return move(incident, { ...action, team_id: incident.team_id }, acting);
    case 'routeToTeam':
      return move(incident, action, acting);
    case 'outboundWebhook':
      return callWebhook(incident, action.outbound_webhook_id, acting);
    case 'resolveTimer':
      return resolveLater(incident, action, acting);
    case 'acknowledgeIncident':
      return actOnIncident(incident, { type: 'acknowledge', by }, acting);
    case 'resolveIncident':
      return actOnIncident(incident, { type: 'resolve', by }, acting);
    case 'note':
      return note(incident, action.text, acting);
    case 'title':
      return retitle(incident, action.template, acting);
    case 'addLink':
      return addLink(incident, action, acting);
    case 'ignoreIncident':
    case 'groupIncident':
      // Evaluated before an incident is opened, and not done to one.
      return only(incident);
  }
}

type IncidentAction = Extract<
  Parameters<typeof advance>[1],
  { type: 'acknowledge' | 'resolve' | 'note' }
>;

/** What anybody can do to an incident. */
function actOnIncident(incident: Incident, deed: IncidentAction, acting: ActionContext): Outcome {
  const outcome = advance(incident, deed, acting);
  return 'refused' in outcome
    ? failed(incident, acting, outcome.refused)
    : asActionEntry(outcome, acting);
}

type LabelChange = { readonly field: 'priority' | 'severity'; readonly to: string };

/** Only a person overrides the value that a person set. */
function relabel(incident: Incident, { field, to }: LabelChange, acting: ActionContext): Outcome {
  const { prioritySetByPerson, severitySetByPerson } = incident.escalation;
  const isPersons = field === 'priority' ? prioritySetByPerson : severitySetByPerson;
  if (isPersons && acting.occasion !== 'incident_requested')
    return failed(incident, acting, `a person set it to ${labelText(incident[field])}`);
  const type = field === 'priority' ? 'set_priority' : 'set_severity';
  return asActionEntry(label(incident, { type, by: acting.by, to }), acting);
}

type PersonRequest = { readonly type: 'reassign' | 'add_responder'; readonly userId: string };

function notifyPerson(
  incident: Incident,
  { type, userId }: PersonRequest,
  acting: ActionContext,
): Outcome {
  if (acting.configuration.unreadable.has(userId))
    return failed(incident, acting, `the stored record of the person ${userId} cannot be read`);
  const person = personIn(acting.configuration, userId);
  if (!person.active) return failed(incident, acting, `${person.name} is not active`);
  const { by, once } = acting;
  return asActionEntry(respond(incident, { type, by, user: person, once }, acting), acting);
}

type PageTarget = { readonly user_id: string; readonly via: string };

/** Pages somebody in addition to the policy, which continues. */
function page(incident: Incident, { user_id, via }: PageTarget, acting: ActionContext): Outcome {
  if (incident.status !== 'triggered') return failed(incident, acting, `it is ${incident.status}`);
  if (isMuted(incident)) return failed(incident, acting, 'it is muted');
  const result = reachPerson(user_id, via, acting.configuration);
  const outcome = result.reached
    ? only(incident, applied(incident, acting, `pages ${result.name} ${byChannel(via)}`))
    : failed(incident, acting, `${result.name} ${byChannel(via)}: ${result.reason}`);
  const destination = destinationOf(result);
  if (destination === null) return outcome;
  const intent = intentOf(incident, acting, {
    key: `${incident.id}/page/${acting.once}/${via}/${user_id}`,
    kind: 'page',
    channel: via,
    ...destination,
    user_id,
    recipient: result.name,
    cycle: noCycle,
    rank: 1,
  });
  return { ...outcome, intents: [intent] };
}

/** The webhook, if it may be called. */
export const callable = (webhook: Webhook): Webhook | Refused =>
  webhook.archived ? { refused: `the webhook ${webhook.name} is archived` } : webhook;

function callWebhook(incident: Incident, id: string, acting: ActionContext): Outcome {
  const webhook = callable(webhookIn(acting.configuration, id));
  if ('refused' in webhook) return failed(incident, acting, webhook.refused);
  const intent = intentOf(incident, acting, {
    key: `${incident.id}/webhook/${id}/${acting.once}`,
    kind: 'webhook',
    channel: 'webhook',
    address: id,
    user_id: null,
    recipient: webhook.name,
    cycle: incident.escalation.cycle,
    rank: 2,
    occasion: acting.occasion,
  });
  const entry = applied(incident, acting, `calls the webhook ${webhook.name}`);
  return { ...only(incident, entry), intents: [intent] };
}

type IntentFields = Omit<Intent, 'incident_id' | 'mention' | 'why' | 'step'> &
  Partial<Pick<Intent, 'mention'>>;

const intentOf = (incident: Incident, { by }: ActionContext, fields: IntentFields): Intent => ({
  mention: null,
  ...fields,
  incident_id: incident.id,
  why: by.name,
  step: -1,
});

function resolveLater(incident: Incident, { after, unit }: Span, acting: ActionContext): Outcome {
  const resolveAt = spanAfter(acting.now, { after, unit });
  const text = `set it to resolve automatically in ${spanText({ after, unit })}`;
  return only(withEscalation(incident, { resolveAt }), applied(incident, acting, text));
}

function retitle(incident: Incident, template: string, acting: ActionContext): Outcome {
  const title = fillTitle(template, templateFactsOf(incident));
  if (title === incident.title) return unchanged(incident, acting, 'it was already the same');
  const titled = withEscalation({ ...incident, title }, { isTitled: true });
  return only(titled, applied(incident, acting, `changed the title to ${title}`));
}

const templateFactsOf = (incident: Incident): TemplateFacts => ({
  ...incident,
  alertsTotal: countAlerts(incident).total,
});

function note(incident: Incident, template: string, acting: ActionContext): Outcome {
  const text = fill(template, templateFactsOf(incident));
  if (text.trim() === '') return failed(incident, acting, 'the note is empty');
  return actOnIncident(incident, { type: 'note', by: acting.by, text }, acting);
}

function addLink(
  incident: Incident,
  { href, text }: { href: string; text?: string },
  acting: ActionContext,
) {
  const { links } = incident;
  if (links.some((link) => link.href === href))
    return unchanged(incident, acting, 'the incident already has it');
  if (links.length >= incidentsLimits.links)
    return failed(incident, acting, `it already has ${links.length} links`);
  const link = { href, ...(text !== undefined && { text }) };
  const entry = applied(incident, acting, `added the link ${text ?? href}`);
  return only({ ...incident, links: [...links, link] }, entry);
}
