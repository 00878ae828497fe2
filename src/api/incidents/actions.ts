import type { TProperties } from 'typebox';
import type { Action } from '../../engine/actions.ts';
import type { Actor } from '../../incidents/incident.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { priorities, severities } from '../../resources/condition.ts';
import { choice, id, optional, text } from '../../resources/declaration/field.ts';
import { invalid } from '../failures.ts';

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

const user = id('The person.', { to: 'user', within: 'organization' });

async function person(body: Body, names: Names) {
  const userId = body['user_id'] as string;
  const name = await names.nameOfUser(userId);
  if (name === null) throw invalid([{ path: 'user_id', message: 'is not an active user' }]);
  return { id: userId, name };
}

/** Null takes a priority or severity away. */
const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);

export const actionRoutes: readonly ActionRoute[] = [
  plain('acknowledge', 'Somebody takes care: the policy stops.'),
  plain('unacknowledge', 'Nobody does after all: paging starts again at step 1.'),
  plain('escalate', 'Pages the next step now.'),
  plain('resolve', 'It is over; those who were paged are told.'),
  plain('reopen', `Within ${incidentsLimits.reopenHours} hours: paging starts again at step 1.`),
  plain('unmute', 'Ends a mute before its time.'),
  {
    name: 'mute',
    doc: 'No pages until then, or for good; the timers stand still.',
    fields: {
      until: optional(
        text({ doc: 'When the mute ends; absent: never.', format: 'date-time', max: 40 }),
      ),
    },
    actionOf: (body, by) => ({
      type: 'mute',
      by,
      until: typeof body['until'] === 'string' ? Temporal.Instant.from(body['until']) : null,
    }),
  },
  {
    name: 'note',
    doc: 'Something worth knowing, kept on the timeline.',
    fields: { text: text({ doc: 'What is noted.', min: 1, max: 10_000 }) },
    actionOf: (body, by) => ({ type: 'note', by, text: String(body['text']) }),
  },
  {
    name: 'priority',
    doc: 'Sets the priority; null takes it away.',
    fields: { priority: optional(choice(priorities, { doc: 'p1 is the most urgent.' })) },
    actionOf: (body, by) => ({ type: 'set_priority', by, to: textOrNull(body['priority']) }),
  },
  {
    name: 'severity',
    doc: 'Sets the severity; null takes it away.',
    fields: { severity: optional(choice(severities, { doc: 'sev1 is the worst.' })) },
    actionOf: (body, by) => ({ type: 'set_severity', by, to: textOrNull(body['severity']) }),
  },
  {
    name: 'reassign',
    doc: 'Makes one person the responder and tells them; the policy runs on.',
    fields: { user_id: user },
    actionOf: async (body, by, names) => ({
      type: 'reassign',
      by,
      user: await person(body, names),
    }),
  },
  {
    name: 'add-responder',
    doc: 'Adds a responder and tells them; the policy runs on.',
    fields: { user_id: user },
    actionOf: async (body, by, names) => ({
      type: 'add_responder',
      by,
      user: await person(body, names),
    }),
  },
  {
    name: 'run-playbook',
    doc: 'Runs a playbook of its team; what of it could not be done is on the timeline.',
    fields: { playbook_id: id('The playbook.', { to: 'playbook', within: 'team' }) },
    actionOf: (body, by) => ({
      type: 'perform',
      by,
      action: { type: 'playbook', playbook_id: String(body['playbook_id']) },
    }),
  },
  {
    name: 'call-webhook',
    doc: 'Calls an outbound webhook of its team.',
    fields: {
      outbound_webhook_id: id('The webhook.', { to: 'outbound_webhook', within: 'team' }),
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
    doc: 'Resolves it into another open incident, which its key then matches.',
    fields: { into_id: id('The other incident.', { to: 'incident', within: 'organization' }) },
    actionOf: (body, by) => ({ type: 'merge', by, intoId: String(body['into_id']) }),
  },
];
