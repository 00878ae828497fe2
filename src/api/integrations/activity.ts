// GET /integration-activity: what integrations received last, and whether that opens incidents.
import Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { instant, orNull, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, optional } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database/database.ts';
import { readActivity } from '../../storage/organizations/attention.ts';
import { timeText } from '../../storage/records/rows.ts';
import { type ActivityState, activityOf, activityStates, SILENT } from '../attention/facts.ts';
import { scopeOf } from '../incidents/request.ts';
import { inTeams, teamsParameter } from '../records/list-query.ts';
import { ok, type Route } from '../route.ts';

const shape = objectOf({
  data: Type.Array(
    objectOf({
      integration_id: id('The integration that has this state.'),
      state: choice(activityStates, {
        doc: 'waiting: no event has arrived. live: events arrive and open incidents. silent: no event arrived for 7 days, although events arrived in each of the 4 weeks before. dropping: events open no incidents. disabled: events are dropped because the integration is disabled.',
      }),
      reason: optional(word('Why events open no incidents, as a sentence or part of one.')),
      last_event_at: orNull(
        instant('When the last event arrived.'),
        'When the last event arrived, apart from test events. Null if there is none, or if it is no longer stored.',
      ),
    }),
    {
      description: `The first ${queryLimits.attentionSearched} active integrations, by counter.`,
    },
  ),
  next_cursor: Type.Null({ description: 'Always null: the response is not divided into pages.' }),
});

export const integrationActivityRoute = ({ sql }: { readonly sql: Sql }): Route => ({
  method: 'GET',
  path: '/integration-activity',
  tag: 'integrations',
  role: 'viewer',
  doc: 'Lists when integrations received their last events, and whether those open incidents.',
  query: { team_id: teamsParameter },
  answers: { status: 200, schema: shape },
  async handle(call) {
    const { caller, now } = call;
    const all = await readActivity(sql, inTeams(scopeOf(caller), call), now.subtract(SILENT));
    const data = all.map((one) => {
      const { state, reason }: ActivityState = activityOf(one, now);
      const { id: integration_id, received_at } = one;
      const last_event_at = received_at && timeText(received_at);
      return { integration_id, state, ...(reason !== null && { reason }), last_event_at };
    });
    return ok({ data, next_cursor: null });
  },
});
