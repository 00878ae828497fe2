// Timeline entries of what a rule or a playbook did, or why it could not.
import {
  type Actor,
  type Entry,
  entry,
  type Incident,
  noted,
  type Outcome,
  only,
} from '../incident.ts';
import type { Action, PerformContext } from './perform-context.ts';

/** One action and whose it is. */
export type ActionBy = { readonly by: Actor; readonly action: Action['type'] };

/** An action being done. */
export type ActionContext = PerformContext & ActionBy;

/** A rule or a playbook as the one who does something. */
export const actorOf = (
  type: 'rule' | 'playbook',
  { id, name }: { readonly id: string; readonly name: string },
): Actor => ({ type, id, name: `The ${type} ${name}`, via: type });

const detailsOf = ({ by, action }: ActionBy) => ({
  ...(by.type === 'rule' && { rule_id: by.id }),
  ...(by.type === 'playbook' && { playbook_id: by.id }),
  action,
});

const types = { rule: 'rule_applied', playbook: 'playbook_applied' } as const;

const typeOf = ({ by: { type } }: ActionBy) =>
  type === 'rule' || type === 'playbook' ? types[type] : 'performed';

export const applied = (incident: Incident, doing: ActionBy, did: string): Entry =>
  entry(incident, typeOf(doing), `${doing.by.name} ${did}`, {
    actor: doing.by,
    details: detailsOf(doing),
  });

/** These are looked for by their type, whoever did it. */
const ownTypes: ReadonlySet<string> = new Set(['acknowledged', 'resolved', 'note', 'unchanged']);

/** What anybody could do, done by a rule or a playbook: its first entry tells of that. */
export function asActionEntry(outcome: Outcome, doing: ActionBy): Outcome {
  const [first, ...rest] = outcome.entries;
  if (!first) return outcome;
  const type = ownTypes.has(first.type) ? first.type : typeOf(doing);
  return { ...outcome, entries: [{ ...first, type, details: detailsOf(doing) }, ...rest] };
}

/** What was to be done is so already. */
export const unchanged = (incident: Incident, doing: ActionBy, why: string): Outcome =>
  asActionEntry(only(incident, noted(incident, doing.by, deeds[doing.action], why)), doing);

export const failed = (incident: Incident, doing: ActionBy, reason: string): Outcome =>
  only(
    incident,
    entry(
      incident,
      'action_failed',
      `${doing.by.name} could not ${deeds[doing.action]}: ${reason}`,
      {
        actor: doing.by,
        details: { ...detailsOf(doing), reason },
      },
    ),
  );

export const deeds: Readonly<Record<Action['type'], string>> = {
  priority: 'set the priority',
  severity: 'set the severity',
  reassignIncident: 'reassign it',
  escalationPolicy: 'change the escalation policy',
  integration: 'move it to another integration',
  routeToTeam: 'route it to another team',
  outboundWebhook: 'call a webhook',
  resolveTimer: 'set the resolve timer',
  acknowledgeIncident: 'acknowledge it',
  resolveIncident: 'resolve it',
  ignoreIncident: 'ignore it',
  groupIncident: 'group it',
  playbook: 'run a playbook',
  title: 'change the title',
  addResponder: 'add a responder',
  pagePerson: 'page someone',
  note: 'write a note',
  addLink: 'add a link',
};
