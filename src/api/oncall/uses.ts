// GET /on-calls/:id/uses: what would miss the schedule.
import Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { count, word } from '../../resources/declaration/answer.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Sql } from '../../storage/database/database.ts';
import { usesOf } from '../../storage/records/uses.ts';
import { type Call, maySee, ok, type Route } from '../route.ts';
import { scheduleId } from './params.ts';

const shape = objectOf({
  data: Type.Array(
    objectOf({
      kind: word('The kind of record, such as escalation_policy.'),
      id: word('The id of the record.'),
      name: word('The name of the record.'),
    }),
    { description: 'The first active records that use the schedule.' },
  ),
  count: count('The total number, including records that the caller may not see.'),
});

export const usesRoute = (sql: Sql): Route => ({
  method: 'GET',
  path: '/on-calls/:id/uses',
  tag: oncallSchedule.table,
  role: 'viewer',
  doc: 'Lists records that use a schedule, such as escalation policies that page the person on call.',
  answers: { status: 200, schema: shape },
  handle: async (call) => ok(await list(sql, call)),
});

async function list(sql: Sql, call: Call) {
  const { organizationId } = call.caller;
  const id = await scheduleId(sql, call);
  const uses = await usesOf(sql, { organizationId, kind: oncallSchedule.name, id });
  const visible = uses.filter(({ teamId }) => maySee(call.caller, teamId));
  return {
    data: visible.slice(0, queryLimits.usesNamed).map(({ kind, id, name }) => ({ kind, id, name })),
    count: uses.length,
  };
}
