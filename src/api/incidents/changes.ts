// GET /incidents/:id/changes: what was changed about its service before it opened, and since.
import Type from 'typebox';
import { within } from '../../alerts/effort.ts';
import { eventsLimits } from '../../limits/events.ts';
import { queryLimits } from '../../limits/queries.ts';
import { instant, link, word } from '../../resources/declaration/answer.ts';
import { flag, id, objectOf, optional } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database.ts';
import { changesOf } from '../../storage/incidents/changes.ts';
import { timeText } from '../../storage/records/rows.ts';
import type { Compute } from '../computing/computer.ts';
import { taskRequester } from '../computing/requester.ts';
import { ok, type Route } from '../route.ts';
import { changesIn } from './changes-task.ts';
import { incidentInPath } from './incident-in-path.ts';

const limits = { events: queryLimits.incidentChanges, bytes: queryLimits.incidentChangesBytes };

const shape = objectOf({
  data: Type.Array(
    objectOf({
      at: instant(
        'When the change was made, as its tool says; when it came, if the tool does not say, or says a later time or one more than a day before.',
      ),
      summary: word('What was changed, in at most 200 characters.'),
      source: optional(word('Where it was changed, or by what.')),
      links: Type.Array(link, { description: 'Links that came with the change.' }),
      integration_id: id('The integration by which it came.'),
      event_id: id('The event in the log of that integration.'),
    }),
    {
      description:
        'The changes that came in the 24 hours before the incident was opened, and since until it was resolved, newest first.',
    },
  ),
  more: flag({ doc: 'Whether there are more than these, which came last.' }),
});

type Parts = { readonly sql: Sql; readonly compute: Compute };

export const changesRoute = ({ sql, compute }: Parts): Route => ({
  method: 'GET',
  path: '/incidents/:id/changes',
  tag: 'incidents',
  doc: 'Lists the changes of its service, such as deployments, that tools told before an incident was opened and while it was open.',
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
