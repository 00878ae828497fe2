import type { DecisionContext } from './configuration.ts';
import { type Actor, entry, type Incident, type Outcome } from './incident.ts';
import { notifyPeople } from './notify.ts';

/** Somebody is asked in person; the policy runs on. */
export type Respond = {
  readonly type: 'reassign' | 'add_responder';
  readonly by: Actor;
  readonly user: { readonly id: string; readonly name: string };
  /** Within which the same person is notified once; without it, at this instant. */
  readonly once?: string;
};

export function respond(incident: Incident, event: Respond, context: DecisionContext): Outcome {
  const { user, by } = event;
  const others =
    event.type === 'reassign' ? [] : incident.responder_ids.filter((id) => id !== user.id);
  const kind = event.type === 'reassign' ? 'assigned' : 'responder_added';
  const sentence = (name: string) =>
    event.type === 'reassign'
      ? `${by.name} assigned it to ${name}`
      : `${by.name} added ${name} as responder`;
  const once = event.once ?? String(context.now.epochMilliseconds);
  const why = sentence('you');
  const { configuration } = context;
  const notified = notifyPeople(incident, [user.id], { kind, rank: 1, why, once, configuration });
  const assigned = entry(incident, event.type, sentence(user.name), { actor: by });
  return {
    incident: { ...incident, responder_ids: [...others, user.id] },
    intents: notified.intents,
    entries: [assigned, ...notified.entries],
    allClear: false,
  };
}
