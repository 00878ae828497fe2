// The log of who wrote what. It is no part of the ledger that `pagerctl audit` checks.
import Type from 'typebox';
import { instant, word } from '../../resources/declaration/answer.ts';
import { anything, choice, id, objectOf, optional } from '../../resources/declaration/field.ts';
import { pageBy } from '../../storage/database/page.ts';
import {
  type AuditEntry,
  auditedActions,
  auditedKinds,
  auditOrders,
  listAuditLog,
} from '../../storage/organizations/audit.ts';
import { timeText } from '../../storage/records/rows.ts';
import { logSchema, removedIn } from '../answers.ts';
import { withoutNulls } from '../incidents/render.ts';
import { timeParam } from '../oncall/params.ts';
import { paging, readNumberedPaging, readQuery, wrongQuery } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { actorShape, renderActor } from './actor.ts';
import { needsWholeOrganization, type PeopleParts, route } from './writing.ts';

const entryShape = objectOf(
  {
    id: id('The id of the entry. It never changes.'),
    sequence: Type.Integer({
      description:
        'The sequence number of the entry in the organization. It has no gaps except for entries that were removed.',
    }),
    at: instant('When the write was done.'),
    actor: actorShape,
    action: choice(auditedActions, { doc: 'What was done, such as create or archive.' }),
    record_type: choice(auditedKinds, { doc: 'The kind of record that was written.' }),
    record_id: id('The id of the record that was written.'),
    before: optional(
      anything('The record before the write, with its secrets masked. Absent if it was created.'),
    ),
    after: optional(
      anything('The record after the write, with its secrets masked. Absent if it was removed.'),
    ),
    request_id: optional(
      word('The id of the request, as in the x-request-id header of its response.'),
    ),
  },
  'One write to a record.',
);

const filterParams = {
  order: optional(
    choice(auditOrders, {
      doc: 'desc (default): newest first. asc: oldest first. To get new entries, send asc and the sequence of the last entry as cursor.',
    }),
  ),
  record_type: optional(
    choice(auditedKinds, { doc: 'Returns only entries about this kind of record.' }),
  ),
  record_id: optional(id('Returns only entries about this record.')),
  action: optional(choice(auditedActions, { doc: 'Returns only entries with this action.' })),
  actor_id: optional(id('Returns only entries by this person or key.')),
};
const timeParams = {
  from: optional(timeParam('Returns only entries written at or after this time.')),
  to: optional(timeParam('Returns only entries written before this time.')),
};

export const auditLogRoutes = (parts: PeopleParts): Route[] => [
  route('GET /audit-log', 'admin', {
    tag: 'audit log',
    doc: 'Lists who changed which record, newest first.',
    query: { ...paging, ...filterParams, ...timeParams },
    answers: { status: 200, schema: logSchema(entryShape) },
    handle: (call) => list(parts, call),
  }),
];

async function list({ sql }: PeopleParts, call: Call) {
  needsWholeOrganization(call);
  const { limit, cursor } = readNumberedPaging(call.query);
  const { order = 'desc', ...filters } = readQuery(filterParams, call);
  const { from, to } = readTimes(call);
  const { organizationId } = call.caller;
  const rows = await listAuditLog(sql, {
    organizationId,
    filters,
    from,
    to,
    order,
    cursor,
    limit: limit + 1,
  });
  const { data, next_cursor } = pageBy(rows, limit, ({ sequence }) => sequence);
  const removed = await removedIn(sql, organizationId, 'audit_log');
  return ok({ data: data.map(render), next_cursor, ...removed });
}

function readTimes(call: Call) {
  const { from: first, to: end } = readQuery(timeParams, call);
  const from = first === undefined ? undefined : Temporal.Instant.from(first);
  const to = end === undefined ? undefined : Temporal.Instant.from(end);
  if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) >= 0)
    throw wrongQuery('to', 'must be after from');
  return { from, to };
}

const render = ({ at, actor, ...entry }: AuditEntry) =>
  withoutNulls({
    ...entry,
    at: timeText(at),
    actor: renderActor(actor),
  });
