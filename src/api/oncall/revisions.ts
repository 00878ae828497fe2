import Type from 'typebox';
import { objectOf } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Sql } from '../../storage/database.ts';
import { listRevisions, type StoredRevision } from '../../storage/oncall/revisions.ts';
import { pageBy } from '../../storage/page.ts';
import { timeText } from '../../storage/records/rows.ts';
import { pageSchema } from '../answers.ts';
import { route } from '../people/writing.ts';
import { paging, readNumberedPaging } from '../records/listing.ts';
import { layersWithAnchors, withAnchors } from '../records/oncall-schedule.ts';
import { type Call, ok, type Route } from '../route.ts';
import { scheduleId } from './params.ts';

const revisionShape = objectOf(
  {
    number: Type.Integer({ description: 'Counted from the making of the schedule.' }),
    from: Type.String({ format: 'date-time', description: 'In force until the next one.' }),
    archived: Type.Boolean({ description: 'Whether it had nobody for being archived.' }),
    timezone: Type.String(),
    layers: layersWithAnchors,
  },
  'A schedule as one edit left it.',
);

export const revisionsRoute = (sql: Sql): Route =>
  route('GET /on-calls/:id/revisions', 'viewer', {
    tag: oncallSchedule.table,
    doc: 'What was in force when, newest first; writes that moved nobody have none.',
    query: paging,
    answers: { status: 200, schema: pageSchema(revisionShape) },
    handle: async (call) => ok(await list(sql, call)),
  });

async function list(sql: Sql, call: Call) {
  const { limit, cursor: below } = readNumberedPaging(call.query);
  const of = {
    organizationId: call.caller.organizationId,
    scheduleId: await scheduleId(sql, call),
  };
  const rows = await listRevisions(sql, { ...of, below, limit: limit + 1 });
  const { data, next_cursor } = pageBy(rows, limit, ({ number }) => number);
  return { data: data.map(render), next_cursor };
}

function render({ number, in_force_from, archived, timezone, layers, anchors }: StoredRevision) {
  const revision = { number, from: timeText(in_force_from), archived, timezone };
  return withAnchors(revision, { fields: { layers }, anchors });
}
