// POST /incidents/:id/alerts/split: some alerts of an incident get one of their own.

import type { Ledger } from '../../engine/ledger.ts';
import { type SplitContext, split } from '../../engine/split.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { id, listOf, objectOf } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { incidentRole } from '../../resources/roles.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { maySee, ok, type Route } from '../route.ts';
import { type OpenRouteOptions, openedBefore } from './open.ts';
import { renderIncident } from './render.ts';
import { actorOf, incidentInPath } from './request.ts';
import { incidentShape } from './shapes.ts';

const body = objectOf({
  alert_ids: listOf(id('The id of an alert of the incident.'), {
    doc: 'The alerts to move. At least one active alert must stay in the incident.',
    max: incidentsLimits.alerts,
    unique: true,
  }),
});

type SplitRouteOptions = Pick<OpenRouteOptions, 'sql' | 'publicUrl'> & {
  readonly ledger: Ledger;
} & Omit<SplitContext, 'ledger'>;

export const splitRoute = (options: SplitRouteOptions): Route => ({
  method: 'POST',
  path: '/incidents/:id/alerts/split',
  tag: 'incidents',
  doc: 'Moves alerts of an open incident to a new incident, which follows the same policy from step 1. They never join the first incident again.',
  role: incidentRole,
  body,
  answers: { status: 201, schema: incidentShape },
  async handle(call) {
    const incident = await incidentInPath(options.sql, call);
    const read = readObject(body, call.body ?? {});
    if (!read.ok) throw invalid(read.problems);
    const { organizationId } = call.caller;
    const answer = await split(
      options,
      { organizationId, id: incident.id },
      {
        by: actorOf(call.caller),
        alertIds: read.value['alert_ids'] as readonly string[],
        mayTouch: ({ team_id }) => maySee(call.caller, team_id),
        repeatable: call.repeatable ?? null,
      },
    );
    switch (answer.result) {
      case 'opened':
        return ok(renderIncident(answer.incident, options.publicUrl), 201);
      case 'unknown':
        throw invalid(
          answer.indexes.map((index) => ({
            path: `alert_ids[${index}]`,
            message: 'is not an alert of this incident',
          })),
        );
      case 'refused':
        throw new Refusal('invalid_state', {
          message: `The alerts were not moved: ${answer.reason}.`,
        });
      case 'not_found':
        throw notFound();
    }
  },
  again: openedBefore(options),
});
