// GET /incidents/:id/changes: what was changed about its service before it opened, and since.
import Type from 'typebox';
import { within } from '../../alerts/effort.ts';
import { eventsLimits } from '../../limits/events.ts';
import { queryLimits } from '../../limits/queries.ts';
import { instant, link, word } from '../../resources/declaration/answer.ts';
import { flag, id, objectOf, optional } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database/database.ts';
import { changesOf } from '../../storage/incidents/changes.ts';
import { timeText } from '../../storage/records/rows.ts';
import { type Compute, taskRequester } from '../computing/computer.ts';
import { ok, type Route } from '../route.ts';
import { changesIn } from './changes-task.ts';
import { incidentInPath } from './request.ts';

const limits = { events: queryLimits.incidentChanges, bytes: queryLimits.incidentChangesBytes };

const shape = objectOf({
  data: Type.Array(
    objectOf({
      at: instant(
        'When the change was made, according to its tool. If the tool sends no time, a future time or a time more than a day old, this is when the change was received.',
      ),
      summary: word('A summary of the change, at most 200 characters.'),
      source: optional(word('The source of the change.')),
      links: Type.Array(link, { description: 'Links sent with the change.' }),
      integration_id: id('The integration that received the change.'),
      event_id: id('The event in that integration’s log.'),
    }),
    {
      description:
        'The changes received from 24 hours before the incident was opened until it was resolved, newest first.',
    },
  ),
  more: flag({ doc: 'Whether there are older changes than these.' }),
});

type Parts = { readonly sql: Sql; readonly compute: Compute };

export const changesRoute = ({ sql, compute }: Parts): Route => ({
  method: 'GET',
  path: '/incidents/:id/changes',
  tag: 'incidents',
  doc: 'Lists changes to the incident’s service, such as deployments, that tools reported shortly before or during the incident.',
  role: 'viewer',
  answers: { status: 200, schema: shape },
  async handle(call) {
    const incident = await incidentInPath(sql, call);
    const { organization_id: organizationId, service_id: serviceId } = incident;
    const from = incident.created_at.subtract({ hours: eventsLimits.changeHours });
    const span = { organizationId, serviceId, from, until: incident.resolved_at };
    const { events, more } = await changesOf(sql, span, limits);
    const changes =
      within(() => changesIn(events), eventsLimits.readingAtOnce) ??
      (await compute(taskRequester(call), 'changes', events));
    return ok({ data: changes.map((one) => ({ ...one, at: timeText(one.at) })), more });
  },
});
