// Lists the notices to people whose shifts an edit moved, with their delivery state.
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Sql } from '../../storage/database/database.ts';
import { pageBy } from '../../storage/database/page.ts';
import { type ChangeNotice, listChangeNotices } from '../../storage/oncall/change-notices.ts';
import { timeText } from '../../storage/records/rows.ts';
import { removedIn } from '../answers.ts';
import { withoutNulls } from '../incidents/render.ts';
import { paging, readPaging, wrongCursor } from '../records/list-query.ts';
import { ok, type Route } from '../route.ts';
import { scheduleId } from './params.ts';
import { changeNoticesShape } from './shapes.ts';

export const changeNoticesRoute = (sql: Sql): Route => ({
  method: 'GET',
  path: '/on-calls/:id/change-notices',
  tag: oncallSchedule.table,
  role: 'viewer',
  doc: 'Lists the notices to people whose shifts an edit moved, newest first.',
  query: paging,
  answers: { status: 200, schema: changeNoticesShape },
  async handle(call) {
    const { limit, cursor } = readPaging(call.query);
    if (cursor !== null && !/^[0-9]{1,18}$/.test(cursor)) throw wrongCursor();
    const { organizationId } = call.caller;
    const rows = await listChangeNotices(sql, {
      organizationId,
      scheduleId: await scheduleId(sql, call),
      before: cursor,
      limit: limit + 1,
    });
    const { data, next_cursor } = pageBy(rows, limit, ({ sequence: place }) => place);
    const removed = await removedIn(sql, organizationId, 'outbox');
    return ok({ data: data.map(renderNotice), next_cursor, ...removed });
  },
});

const renderNotice = ({ sequence: _sequence, created_at, changes, ...notice }: ChangeNotice) =>
  withoutNulls({
    ...notice,
    created_at: timeText(created_at),
    changes: changes.map(({ type, start, end }) => ({
      type,
      start: instantText(start),
      end: end === null ? null : instantText(end),
    })),
  });

const instantText = (stored: string) => timeText(Temporal.Instant.from(stored));
