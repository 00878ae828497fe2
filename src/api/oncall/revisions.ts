import Type from 'typebox';
import { objectOf, optional } from '../../resources/declaration/field.ts';
import { managedBySchema } from '../../resources/declaration/managed-by.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Sql } from '../../storage/database/database.ts';
import { pageBy } from '../../storage/database/page.ts';
import { listRevisions, type StoredRevision } from '../../storage/oncall/revisions.ts';
import { timeText } from '../../storage/records/rows.ts';
import { pageSchema } from '../answers.ts';
import { actorShape, renderActor } from '../people/actor.ts';
import { route } from '../people/writing.ts';
import { paging, readNumberedPaging } from '../records/list-query.ts';
import { layersWithAnchors, withAnchors } from '../records/oncall-schedule.ts';
import { type Call, ok, type Route } from '../route.ts';
import { scheduleId } from './params.ts';

const revisionShape = objectOf(
  {
    number: Type.Integer({
      description: 'The number of the revision. The first one created the schedule.',
    }),
    from: Type.String({
      format: 'date-time',
      description: 'When the revision took effect. It applies until the next one.',
    }),
    archived: Type.Boolean({
      description: 'Whether this revision archived the schedule, so that nobody was on call.',
    }),
    timezone: Type.String({ description: 'The time zone of the schedule.' }),
    layers: layersWithAnchors,
    actor: optional(actorShape),
    managed_by: optional(
      objectOf(
        managedBySchema.properties,
        'The tool that claimed to manage the schedule with this write. Absent if none did.',
      ),
    ),
  },
  'A schedule after one write.',
);

export const revisionsRoute = (sql: Sql): Route =>
  route('GET /on-calls/:id/revisions', 'viewer', {
    tag: oncallSchedule.table,
    doc: 'Lists the revisions of a schedule, newest first. A write that moves no shift creates no revision.',
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

function render({ layers, anchors, actor, managed_by, ...stored }: StoredRevision) {
  const { number, in_force_from, archived, timezone } = stored;
  const revision = {
    number,
    from: timeText(in_force_from),
    archived,
    timezone,
    ...(actor && { actor: renderActor(actor) }),
    ...(managed_by && { managed_by }),
  };
  return withAnchors(revision, { fields: { layers }, anchors });
}
