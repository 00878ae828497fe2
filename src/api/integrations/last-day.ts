// GET /integration-activity/last-day: how many events integrations received in each of the last hours.
import Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { count, instant } from '../../resources/declaration/answer.ts';
import { flag, id, objectOf, optional } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database/database.ts';
import { readLastDay } from '../../storage/integrations/last-day.ts';
import { timeText } from '../../storage/records/rows.ts';
import { scopeOf } from '../incidents/request.ts';
import { inTeams, teamsParameter } from '../records/list-query.ts';
import { ok, type Route } from '../route.ts';

const HOURS = 24;
const HOUR_MS = 3_600_000;
/** An event is decided within seconds; one that waits longer is stuck. */
const DECIDED_WITHIN = { minutes: 1 } as const;

const shape = objectOf({
  from: instant('When the first hour begins.'),
  data: Type.Array(
    objectOf({
      integration_id: id('The integration whose events are counted.'),
      hours: Type.Array(
        objectOf({
          events: count('The number of events received in the hour, apart from test events.'),
          failed: count(
            'How many of them are unreadable, refused or dropped, or were not processed within a minute.',
          ),
        }),
        { description: `The last ${HOURS} hours, oldest first. The last one is not over.` },
      ),
      complete: flag({ doc: 'Whether all events of these hours were counted.' }),
      counted_from: optional(
        instant('The time from which all events were counted. Absent if complete is true.'),
      ),
    }),
    {
      description: `The first ${queryLimits.attentionSearched} active integrations, by counter.`,
    },
  ),
  next_cursor: Type.Null({ description: 'Always null: the response is not divided into pages.' }),
});

export const lastDayRoute = ({ sql }: { readonly sql: Sql }): Route => ({
  method: 'GET',
  path: '/integration-activity/last-day',
  tag: 'integrations',
  role: 'viewer',
  doc: `Counts the events that each integration received in each of the last ${HOURS} hours.`,
  query: { team_id: teamsParameter },
  answers: { status: 200, schema: shape },
  async handle(call) {
    const { caller, now } = call;
    const hour = Math.floor(now.epochMilliseconds / HOUR_MS);
    const from = Temporal.Instant.fromEpochMilliseconds((hour - HOURS + 1) * HOUR_MS);
    const decidedBy = now.subtract(DECIDED_WITHIN);
    const all = await readLastDay(sql, inTeams(scopeOf(caller), call), { from, decidedBy });
    const data = all.map(({ id: integration_id, hours, since }) => ({
      integration_id,
      hours: Array.from({ length: HOURS }, (_, index) => {
        const { events = 0, failed = 0 } = hours.find((one) => one.hour === index) ?? {};
        return { events, failed };
      }),
      complete: since === null,
      ...(since && { counted_from: timeText(since) }),
    }));
    return ok({ from: timeText(from), data, next_cursor: null });
  },
});
