// GET /incidents/:id/actions: what each action would do now, decided by the function that does it.
import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { advanceWithPlaybooks } from '../../incidents/actions/automatic-playbooks.ts';
import type { Actor, Incident } from '../../incidents/incident.ts';
import type { IncidentEvent } from '../../incidents/lifecycle.ts';
import { instant, word } from '../../resources/declaration/answer.ts';
import { choice, flag, objectOf, optional } from '../../resources/declaration/field.ts';
import { leadsToAnother } from '../../storage/ledger/incidents.ts';
import { timeText } from '../../storage/records/rows.ts';
import { ok, type Route } from '../route.ts';
import {
  type ConfigurationParts,
  type Known,
  knownAbout,
  noticesOf,
  plannedNotices,
  textOf,
} from './next.ts';
import { attempted, withoutNulls } from './render.ts';
import { actorOf, incidentInPath } from './request.ts';

/** Those whose effect no field changes. */
const names = [
  ...(['acknowledge', 'unacknowledge', 'escalate', 'resolve', 'reopen'] as const),
  ...(['mute', 'unmute'] as const),
];
type Name = (typeof names)[number];

const shape = objectOf({
  at: instant('The time for which the forecast is computed.'),
  data: Type.Array(
    objectOf({
      action: choice(names, { doc: 'The action, as named in its route.' }),
      result: choice(['done', 'unchanged', 'refused'], {
        doc: 'done: the action takes effect. unchanged: the incident is already in that state. refused: the state of the incident does not allow the action.',
      }),
      reason: optional(
        word('Why the action would be refused or change nothing. Otherwise absent.'),
      ),
      text: word('The effects of the action, as sentences. Empty if there are none.'),
      notices: plannedNotices,
      all_clear: flag({ doc: 'Whether everyone who was paged gets an all-clear.' }),
    }),
    {
      description:
        'The actions that need no input besides the incident. Actions whose effects cannot be forecast are left out.',
    },
  ),
});

export const possibleActionsRoute = (parts: ConfigurationParts): Route => ({
  method: 'GET',
  path: '/incidents/:id/actions',
  tag: 'incidents',
  doc: 'Forecasts what each action would do to an incident now: who would be notified, or why it would be refused.',
  role: 'viewer',
  answers: { status: 200, schema: shape },
  async handle(call) {
    const incident = await incidentInPath(parts.sql, call);
    const known = await knownAbout(parts, call, [incident]);
    const anotherIsOpen = await leadsToAnother(parts.sql, incident);
    const by = actorOf(call.caller);
    const data: object[] = [];
    for (const name of names) {
      const event = eventOf(name, by, anotherIsOpen);
      const one = attempted(() => rendered(name, incident, { known, event }));
      if (one) data.push(one);
      // Its steps may have a thousand targets each, and the engine runs in this thread too.
      await setImmediate();
    }
    return ok({ at: timeText(call.now), data });
  },
});

function eventOf(type: Name, by: Actor, anotherIsOpen: boolean): IncidentEvent {
  if (type === 'reopen') return { type, by, anotherIsOpen };
  return type === 'mute' ? { type, by, until: null } : { type, by };
}

type Doing = { readonly known: Known; readonly event: IncidentEvent };

/** Of the other actions, the name says it. */
const endsOf = (action: Name, { status }: Incident): readonly string[] =>
  action === 'escalate' && status === 'acknowledged' ? ['This ends the acknowledgement.'] : [];

function rendered(action: Name, incident: Incident, { known, event }: Doing) {
  const outcome = advanceWithPlaybooks(incident, event, known);
  if ('refused' in outcome)
    return {
      action,
      result: 'refused',
      reason: outcome.refused,
      text: '',
      notices: [],
      all_clear: false,
    };
  // The first entry is the action itself.
  const [first, ...following] = outcome.entries;
  const reason = first?.type === 'unchanged' ? first.text : null;
  return withoutNulls({
    action,
    result: reason === null ? 'done' : 'unchanged',
    reason,
    text: [...endsOf(action, incident), textOf(following)].filter(Boolean).join(' '),
    notices: noticesOf(outcome, { at: known.now, waiting: known.waiting }),
    all_clear: outcome.allClear,
  });
}
