// What was announced of a schedule's shifts, and what became of each notice.
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Sql } from '../../storage/database/database.ts';
import { pageOf } from '../../storage/database/page.ts';
import { listShiftEvents, type ShiftEvent } from '../../storage/oncall/events.ts';
import { timeText } from '../../storage/records/rows.ts';
import { removedIn } from '../answers.ts';
import { withoutNulls } from '../incidents/render.ts';
import { readPage } from '../people/listing.ts';
import { paging } from '../records/list-query.ts';
import { ok, type Route } from '../route.ts';
import { scheduleId } from './params.ts';
import { eventsShape } from './shapes.ts';

export const eventsRoute = (sql: Sql): Route => ({
  method: 'GET',
  path: '/on-calls/:id/events',
  tag: oncallSchedule.table,
  role: 'viewer',
  doc: 'Lists shift starts and ends with the notices they caused, newest first.',
  query: paging,
  answers: { status: 200, schema: eventsShape },
  async handle(call) {
    const { organizationId, after, limit } = readPage(call);
    const rows = await listShiftEvents(sql, {
      organizationId,
      scheduleId: await scheduleId(sql, call),
      before: after === '' ? null : after,
      limit: limit + 1,
    });
    const { data, next_cursor } = pageOf(rows, limit);
    const removed = await removedIn(sql, organizationId, 'outbox');
    return ok({ data: data.map(renderEvent), next_cursor, ...removed });
  },
});

function renderEvent({ shift_id, user_id, layer, start_at, end_at, ...event }: ShiftEvent) {
  const { id, type, announced, reason, notices } = event;
  return withoutNulls({
    id,
    type,
    at: timeText(event.at),
    recorded_at: timeText(event.recorded_at),
    announced,
    reason,
    shift: {
      id: shift_id,
      user_id,
      layer: layer ?? 'override',
      start: timeText(start_at),
      end: timeText(end_at),
    },
    notices: notices.map((notice) => withoutNulls(notice)),
  });
}
