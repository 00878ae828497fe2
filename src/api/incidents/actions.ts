import type { TProperties } from 'typebox';
import type { Action } from '../../engine/actions.ts';
import type { Actor } from '../../incidents/incident.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { choice, id, optional, text } from '../../resources/declaration/field.ts';
import { storedInstant } from '../../resources/instant.ts';
import { priorities, severities } from '../../resources/priorities.ts';
import { verdicts } from '../../resources/verdicts.ts';
import { invalid } from '../failures.ts';
import { verdict } from './shapes.ts';

type Body = Readonly<Record<string, unknown>>;
type Names = { readonly nameOfUser: (id: string) => Promise<string | null> };

/** One thing that can be done to an incident: its fields, and what it asks of the engine. */
export type ActionRoute = {
  readonly name: string;
  readonly doc: string;
  readonly fields: TProperties;
  readonly actionOf: (body: Body, by: Actor, names: Names) => Promise<Action> | Action;
};

const plain = (
  name: 'acknowledge' | 'unacknowledge' | 'escalate' | 'resolve' | 'unmute' | 'reopen',
  doc: string,
): ActionRoute => ({
  name,
  doc,
  fields: {},
  actionOf: (_, by) => ({ type: name, by }),
});

const user = id('The person who becomes a responder.', { to: 'user', within: 'organization' });

async function person(body: Body, names: Names) {
  const userId = body['user_id'] as string;
  const name = await names.nameOfUser(userId);
  if (name === null) throw invalid([{ path: 'user_id', message: 'is not an active user' }]);
  return { id: userId, name };
}

/** Null removes a priority or severity. */
const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);

const verdictIn = (value: unknown) => verdicts.find((one) => one === value) ?? null;

export const actionRoutes: readonly ActionRoute[] = [
  plain('acknowledge', 'Acknowledges an incident and stops its escalation.'),
  plain(
    'unacknowledge',
    'Removes the acknowledgement of an incident. Escalation restarts at step 1.',
  ),
  plain('escalate', 'Runs the next escalation step of an incident now.'),
  plain('resolve', 'Resolves an incident. Everyone who was paged is notified.'),
  plain(
    'reopen',
    `Reopens an incident that was resolved in the last ${incidentsLimits.reopenHours} hours. Escalation restarts at step 1.`,
  ),
  plain('unmute', 'Ends the mute of an incident.'),
  {
    name: 'mute',
    doc: 'Mutes an incident. Nobody is paged for it until the mute ends, and the time to the next step is paused. The acknowledgement timeout and auto-resolve timers continue.',
    fields: {
      until: optional(
        text({
          doc: 'When the mute ends. If absent, the mute has no end.',
          format: 'date-time',
          max: 40,
        }),
      ),
    },
    actionOf: (body, by) => ({
      type: 'mute',
      by,
      until: typeof body['until'] === 'string' ? storedInstant(body['until']) : null,
    }),
  },
  {
    name: 'note',
    doc: 'Adds a note to the timeline of an incident.',
    fields: {
      text: text({ doc: 'The text of the note, up to 10,000 characters.', min: 1, max: 10_000 }),
    },
    actionOf: (body, by) => ({ type: 'note', by, text: String(body['text']) }),
  },
  {
    name: 'priority',
    doc: 'Sets the priority of an incident. Null removes it.',
    fields: {
      priority: optional(
        choice(priorities, {
          doc: 'The new priority, from p1 (most urgent) to p5. Null or absent removes the priority.',
        }),
      ),
    },
    actionOf: (body, by) => ({ type: 'set_priority', by, to: textOrNull(body['priority']) }),
  },
  {
    name: 'severity',
    doc: 'Sets the severity of an incident. Null removes it.',
    fields: {
      severity: optional(
        choice(severities, {
          doc: 'The new severity, from sev1 (worst) to sev3. Null or absent removes the severity.',
        }),
      ),
    },
    actionOf: (body, by) => ({ type: 'set_severity', by, to: textOrNull(body['severity']) }),
  },
  {
    name: 'verdict',
    doc: 'Sets what a resolved incident turned out to be. Null removes it. Nobody is notified.',
    fields: {
      verdict: optional(verdict('The verdict. Null or absent removes it.')),
    },
    actionOf: (body, by) => ({ type: 'set_verdict', by, to: verdictIn(body['verdict']) }),
  },
  {
    name: 'reassign',
    doc: 'Makes one person the only responder and notifies them. Escalation continues.',
    fields: { user_id: user },
    actionOf: async (body, by, names) => ({
      type: 'reassign',
      by,
      user: await person(body, names),
    }),
  },
  {
    name: 'add-responder',
    doc: 'Adds a responder and notifies them. Escalation continues.',
    fields: { user_id: user },
    actionOf: async (body, by, names) => ({
      type: 'add_responder',
      by,
      user: await person(body, names),
    }),
  },
  {
    name: 'run-playbook',
    doc: 'Runs a playbook of the incident’s team. The timeline shows actions that failed.',
    fields: { playbook_id: id('The playbook to run.', { to: 'playbook', within: 'team' }) },
    actionOf: (body, by) => ({
      type: 'perform',
      by,
      action: { type: 'playbook', playbook_id: String(body['playbook_id']) },
    }),
  },
  {
    name: 'call-webhook',
    doc: 'Calls an outbound webhook of the incident’s team.',
    fields: {
      outbound_webhook_id: id('The outbound webhook to call.', {
        to: 'outbound_webhook',
        within: 'team',
      }),
    },
    actionOf: (body, by) => ({
      type: 'perform',
      by,
      action: {
        type: 'outboundWebhook',
        outbound_webhook_id: String(body['outbound_webhook_id']),
      },
    }),
  },
  {
    name: 'merge',
    doc: 'Merges an incident into another open incident. The first one is resolved, and further alerts with its key are counted on the other.',
    fields: {
      into_id: id('The open incident to merge into.', {
        to: 'incident',
        within: 'organization',
      }),
    },
    actionOf: (body, by) => ({ type: 'merge', by, intoId: String(body['into_id']) }),
  },
];
